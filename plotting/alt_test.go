package plotting

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/plotting/internal/pen"
)

// With SameAxes both panels have the union of the two ranges, and their descriptions say
// so.
func TestAltOfSameAxes(t *testing.T) {
	small := New("", Line([]float64{0, 1}, []float64{0, 1})).Range(0, 1, 0, 1)
	large := New("", Line([]float64{0, 4}, []float64{-2, 2})).Range(0, 4, -2, 2)
	for i, line := range strings.Split(Tile(2, small, large).SameAxes().Alt(), "\n") {
		if !strings.Contains(line, "x from 0 to 4, y from −2 to 2.") {
			t.Errorf("panel %d: %s", i+1, line)
		}
	}
}

// A description counts and names the points that are drawn: not those that are NaN, and on a
// logarithmic axis not those at 0 and below.
func TestAltNamesWhatIsDrawn(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		layer               Layer
		linear, logarithmic string
	}{
		{Line([]float64{0, 1, 2}, []float64{0, 1, 2}), "line through 3 points, from (0, 0) to (2, 2)", "line through 2 points, from (1, 1) to (2, 2)"},
		{Line(nil, []float64{4, 0, -1, 2}), "line through 4 points, from (1, 4) to (4, 2)", "line through 2 points in 2 pieces"},
		{
			Classes(mat.NewDense(4, 2, []float64{0, 1, 1, 1, 2, 3, nan, 1}), []int{-1, -1, 1, 1}),
			"3 points: 2 with y = −1 (blue discs), 1 with y = +1 (vermilion squares)",
			"2 points: 1 with y = −1 (blue discs), 1 with y = +1 (vermilion squares)",
		},
		{Points([]float64{0, -1, 2, 1, nan}, []float64{0, 1, 2, 0, 1}), "4 points", "1 point"},
		{Band(nil, nil, []float64{-3, -1, 1}, []float64{-2, 1, 3}), "band over 3 points, up to 2 wide", "band over 2 points, up to 2 wide"},
		{ErrorBars(nil, []float64{-1, 1}, []float64{-3, 1}, []float64{2, 3}), "2 points with error bars, up to 5 wide", "1 point with error bars, up to 2 wide"},
	} {
		if got := New("", c.layer).Alt(); !strings.HasPrefix(got, "Figure: "+c.linear+".") {
			t.Errorf("%s, want %s", got, c.linear)
		}
		if got := New("", c.layer).LogX().LogY().Alt(); !strings.HasPrefix(got, "Figure: "+c.logarithmic+".") {
			t.Errorf("on logarithmic axes %s, want %s", got, c.logarithmic)
		}
	}
}

// A class named "" has no entry in the legend, which would move from frame to frame. The description has its label.
func TestClassWithoutEntry(t *testing.T) {
	X, y := mat.NewDense(2, 2, []float64{0, 1, 1, 1}), []int{-1, 1}
	f := New("", Classes(X, y, Name("", "right")))
	if alt := f.Alt(); !strings.Contains(alt, "1 with y = −1 (blue discs), 1 with right (vermilion squares)") {
		t.Error(alt)
	}
	if keys := f.view().keys; len(keys) != 1 || keys[0].Name != "right" {
		t.Errorf("the legend has %v, want the one that has a name", keys)
	}
}

// A note without a place on the axes is not drawn, and not described.
func TestAltOfNote(t *testing.T) {
	f := New("", Line(nil, []float64{1, 2}), Note(0, 1, "start"))
	if alt := f.Alt(); !strings.Contains(alt, "note “start” at (0, 1)") {
		t.Error(alt)
	}
	if alt := f.LogX().Alt(); strings.Contains(alt, "start") {
		t.Errorf("on a logarithmic axis: %s", alt)
	}
}

// A range has as many digits as tell its ends apart.
func TestAltOfShortRanges(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{1700000000, 1700007200, "from 1.7e+09 to 1.700007e+09"},
		{1e16, 1e16 + 4, "from 10000000000000000 to 10000000000000004"},
		{1, 2, "from 1 to 2"},
		{-math.MaxFloat64, math.MaxFloat64, "from −1.79769e+308 to 1.79769e+308"},
	} {
		if got := pen.FromTo(c.low, c.high); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

func TestEquation(t *testing.T) {
	for _, c := range []struct {
		w    [2]float64
		b    float64
		want string
	}{
		{[2]float64{1, -2}, 0, "x₁ − 2x₂ = 0"},
		{[2]float64{-1, 0}, 0.5, "−x₁ + 0.5 = 0"},
		{[2]float64{0, 3}, -1, "3x₂ − 1 = 0"},
	} {
		if got := equation(c.w, c.b); got != c.want {
			t.Errorf("equation(%v, %g) = %q, want %q", c.w, c.b, got, c.want)
		}
	}
}
