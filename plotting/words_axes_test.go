package plotting_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/internal/testkit/tier"
	. "marginalia/plotting"
)

// keepApart checks that no text leaves the canvas or covers another.
func keepApart(t *testing.T, name string, d figure) {
	t.Helper()
	var cv words
	w, h := d.Extent()
	d.Draw(draw.NewCanvas(&cv, w, h))
	for i, a := range cv.placed {
		if a.box.Min.X < 0 || a.box.Min.Y < 0 || a.box.Max.X > w || a.box.Max.Y > h {
			t.Errorf("%s: %q leaves the canvas of %v×%v: %v", name, a.text, w, h, a.box)
		}
		for _, b := range cv.placed[:i] {
			x := min(a.box.Max.X, b.box.Max.X) - max(a.box.Min.X, b.box.Min.X)
			y := min(a.box.Max.Y, b.box.Max.Y) - max(a.box.Min.Y, b.box.Min.Y)
			if bothSlope := a.sloping && b.sloping; !bothSlope && x > 0.5 && y > 0.5 { // the boxes of parallels overlap
				t.Errorf("%s: %q covers %q by %.1f×%.1f points", name, a.text, b.text, x, y)
			}
		}
	}
}

// The numbers of axes and colour bars, their notes, the labels and the titles keep apart and on
// the canvas: in a figure, in panels side by side, and for data, whatever their range.
func TestNumbersApart(t *testing.T) {
	tier.NoRace(t)
	for _, r := range [][2]float64{
		{0, 1}, {-4, 4}, {1700000000, 1700007200}, {1e9, 1e9 + 3}, {0.6e6, 1.4e6}, {1e-12, 3e-12}, {0.45, 0.46}, {1.01, 1.05}, {0.41, 0.53},
		{1e-300, 1e300}, {1e-300, 3e-300}, {1, math.Nextafter(1, 2)}, {1e16, 1e16 + 4}, {-1e16 - 8, -1e16}, {1, math.MaxFloat64},
		{-9e307, 9e307}, {-math.MaxFloat64, math.MaxFloat64}, {12345.25, 12345.5}, {-1e-5, 3e-5}, {0.123456, 0.123457},
	} {
		v := []float64{r[0], r[0]/2 + r[1]/2, r[1]}
		figs := func(w, h vg.Length) []*Figure {
			figs := []*Figure{
				New("a line", Line(v, v)).Labels("the first", "the second").Size(w, h),
				New("a matrix", Matrix(mat.NewDense(1, 3, v), Scale(r[0], r[1]), Bar("values"))).Size(w, h),
				New("a score", Score(func(x, y float64) float64 { return x }, Scale(r[0], r[1]), Bar("score"))).Range(r[0], r[1], 0, 1).Size(w, h),
			}
			if r[0] > 0 {
				figs = append(figs, New("powers", Line(v, v)).LogX().LogY().Size(w, h))
			}
			return figs
		}
		for _, size := range []vg.Point{{X: 5, Y: 3.4}, {X: 2, Y: 2}, {X: 2.6, Y: 1.8}} {
			name := fmt.Sprintf("from %v to %v, %v inches", r[0], r[1], size)
			for i, f := range figs(size.X*vg.Inch, size.Y*vg.Inch) {
				keepApart(t, fmt.Sprintf("%s, figure %d", name, i), f)
			}
			keepApart(t, name+", panels", Tile(2, figs(size.X*vg.Inch, size.Y*vg.Inch)...))
		}
	}
}
