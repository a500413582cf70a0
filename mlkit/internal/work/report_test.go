package work

import (
	"math"
	"slices"
	"testing"

	"marginalia/mlkit"
)

// Counted calls from several goroutines are reported one after the other, each with the next
// number; iterations are counted from where their run could begin at the latest.
func TestReporters(t *testing.T) {
	var got []mlkit.Progress
	o := mlkit.Options{Report: func(p mlkit.Progress) { got = append(got, p) }}
	done := Counted(o, "fake: Counted", 100)
	_ = Each(100, 4, func(int) error { done(); return nil })
	for i, p := range got {
		if p.Algorithm != "fake: Counted" || p.Done != i+1 || p.Of != 100 || !math.IsNaN(p.Residual) {
			t.Fatalf("report %d: %+v", i, p)
		}
	}
	if len(got) != 100 {
		t.Errorf("%d reports, want 100", len(got))
	}
	got = nil
	runs := Restarted(o, "fake: Restarted", 3, 7)
	runs(0, 2, 5)
	runs(2, 7, 0.5)
	want := []mlkit.Progress{{Algorithm: "fake: Restarted", Done: 2, Of: 21, Residual: 5}, {Algorithm: "fake: Restarted", Done: 21, Of: 21, Residual: 0.5}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	got = nil
	runs = Restarted(o, "fake: Restarted", 3, math.MaxInt)
	runs(2, 1, 0)
	if third := math.MaxInt / 3; len(got) != 1 || got[0].Done != 2*third+1 || got[0].Of != 3*third {
		t.Errorf("%+v, want no overflow", got)
	}
	Counted(mlkit.Options{}, "fake: Counted", 1)() // does nothing
}
