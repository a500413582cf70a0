package plotting

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"marginalia/internal/testkit/property"
)

// The numbers are calculated by hand: pairs move apart by equal amounts.
func TestSpread(t *testing.T) {
	for _, c := range []struct{ want, got []float64 }{
		{[]float64{10, 30, 60}, []float64{10, 30, 60}},
		{[]float64{50, 50}, []float64{45, 55}},
		{[]float64{50, 50, 50, 90}, []float64{40, 50, 60, 90}},
		{[]float64{0, 1}, []float64{0, 10}},
		{[]float64{100, 100}, []float64{90, 100}},
		{[]float64{20, 28, 36}, []float64{18, 28, 38}},
		{nil, nil},
	} {
		if got := spread(c.want, 10, 0, 100); !slices.Equal(got, c.got) {
			t.Errorf("%v move to %v, want %v", c.want, got, c.got)
		}
	}
}

// For any desired positions, labels don't overlap, keep their order, and stay within the
// range if there is room for all.
func TestSpreadProperties(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Float64Range(0, 200), 1, 20).Draw(t, "want")
		slices.Sort(want)
		got := spread(want, 10, 0, 200)
		for i := range got {
			if i > 0 && got[i]-got[i-1] < 10-1e-9 {
				t.Fatalf("labels %d and %d are %g apart", i-1, i, got[i]-got[i-1])
			}
			if got[i] < -1e-9 || got[i] > 200+1e-9 {
				t.Fatalf("label %d is at %g", i, got[i])
			}
		}
		free := true
		for i := 1; i < len(want); i++ {
			free = free && want[i]-want[i-1] >= 10
		}
		if free && !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Fatalf("labels with room moved from %v to %v", want, got)
		}
	})
}

// The legend keeps the layers without an end, and no name appears twice.
func TestEndLabelsLeaveTheLegend(t *testing.T) {
	fig := New("", Curve(math.Sin, Name("sine")), Points([]float64{0}, []float64{0}, Name("origin")))
	if v := fig.view(); len(v.keys) != 2 || len(v.ends) != 0 {
		t.Errorf("%d in the legend and %d at ends, want 2 and none without EndLabels", len(v.keys), len(v.ends))
	}
	v := fig.EndLabels().view()
	if len(v.keys) != 1 || v.keys[0].Name != "origin" || len(v.ends) != 1 {
		t.Errorf("%d in the legend and %d at ends, want the points alone in the legend", len(v.keys), len(v.ends))
	}
}
