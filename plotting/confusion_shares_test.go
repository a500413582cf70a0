package plotting

import (
	"image/color"
	"math"
	"testing"
)

// Rows are true classes. A cell shows its share of its row; a class without samples has no
// shares.
func TestConfusionShares(t *testing.T) {
	l := Confusion([][]int{{3, 1, 0}, {0, 0, 0}, {5, 0, 15}}, nil).(*confusion)
	want := []float64{0.75, 0.25, 0, math.NaN(), math.NaN(), math.NaN(), 0.25, 0, 0.75}
	for i := range 3 {
		for j := range 3 {
			if got := l.share(i, j); got != want[3*i+j] && !(math.IsNaN(got) && math.IsNaN(want[3*i+j])) {
				t.Errorf("share (%d, %d) is %v, want %v", i, j, got, want[3*i+j])
			}
		}
	}
	if white := (color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}); tableShade(math.NaN()) != white || tableShade(0) != white {
		t.Error("an empty cell is not white")
	}
	if one, none := l.entry(0, 1), l.entry(0, 2); one != "1" || none != "" {
		t.Errorf("counts of 1 and 0 are written %q and %q, want 1 and nothing", one, none)
	}
	for v, want := range map[float64]string{12: "12", 0: "0", -3: "−3", 0.98765: "0.988", 1e9: "1e+09", 123456: "123456"} {
		if got := entryText(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
	if got := entryText(math.NaN()); got != "–" {
		t.Errorf("NaN is written %s", got)
	}
	v := New("", l).view()
	if v.x.Label != "predicted" || v.y.Label != "true" {
		t.Errorf("axes %q and %q", v.x.Label, v.y.Label)
	}
	if v := New("", l).Labels("ŷ", "y").view(); v.x.Label != "ŷ" || v.y.Label != "y" {
		t.Errorf("axes %q and %q, want those given", v.x.Label, v.y.Label)
	}
	panics(t, "plotting: Confusion: counts is empty, want a row for each class", func() { Confusion(nil, nil) })
	panics(t, "plotting: Confusion: len(counts[1]) = 3, want 2, a column for each row", func() { Confusion([][]int{{0, 0}, {0, 0, 0}}, nil) })
	panics(t, "plotting: Confusion: counts[0][1] = -3, want at least 0", func() { Confusion([][]int{{0, -3}, {0, 0}}, nil) })
	panics(t, "plotting: Confusion: 2 classes, 3 names", func() { Confusion([][]int{{1, 0}, {0, 1}}, make([]string, 3)) })
}
