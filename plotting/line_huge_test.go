package plotting_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	. "marginalia/plotting"
)

// longest returns the longest stroke of a figure, and fails if a stroke leaves the figure.
func longest(t *testing.T, name string, f *Figure) (most vg.Path) {
	t.Helper()
	var r recorder.Canvas
	w, h := f.Extent()
	f.Draw(draw.NewCanvas(&r, w, h))
	for _, a := range r.Actions {
		s, ok := a.(*recorder.Stroke)
		if !ok {
			continue
		}
		for _, p := range s.Path {
			if !(p.Pos.X >= 0 && p.Pos.X <= w && p.Pos.Y >= 0 && p.Pos.Y <= h) && p.Type != vg.CloseComp {
				t.Errorf("%s: a line leaves the figure of %v×%v: %v", name, w, h, p.Pos)
			}
		}
		if len(s.Path) > len(most) {
			most = s.Path
		}
	}
	return most
}

// A loss that grows by a factor in each step until it is +Inf, as in gradient descent with too
// long steps, is drawn to the last finite value: from the lower left, never falling.
func TestDivergingLoss(t *testing.T) {
	for _, factor := range []float64{1.21, 1.3, 1.35, 1.6, 3, 5, 9, 1e10} {
		loss := []float64{1}
		for !math.IsInf(loss[len(loss)-1], 1) {
			loss = append(loss, loss[len(loss)-1]*factor)
		}
		for name, f := range map[string]*Figure{"linear": New("", Line(nil, loss)), "logarithmic": New("", Line(nil, loss)).LogY()} {
			path := longest(t, fmt.Sprint(name, factor), f)
			if len(path) != len(loss)-1 {
				t.Errorf("%s, %g: %d points, want %d", name, factor, len(path), len(loss)-1)
			}
			for i := 1; i < len(path); i++ {
				if a, b := path[i-1].Pos, path[i].Pos; b.X <= a.X || b.Y < a.Y || name == "logarithmic" && b.Y == a.Y {
					t.Errorf("%s, %g: after %v comes %v", name, factor, a, b)
					break
				}
			}
		}
	}
}

// A line between points far outside of the axes crosses them where it should, and stays inside.
func TestLinesFromFarAway(t *testing.T) {
	for _, c := range []struct {
		ys []float64
		at float64 // the x at which the line crosses the axes
	}{
		{[]float64{-1e20, 1e20}, 0.5}, {[]float64{-1e20, 3e20}, 0.25}, {[]float64{3e300, -1e300}, 0.75}, {[]float64{-math.MaxFloat64, math.MaxFloat64}, 0.5},
		{[]float64{-9e307, 0.1e307}, 0.9 / 0.91},
	} {
		f := New("", Line([]float64{0, 1}, c.ys)).Range(0, 1, 0, 1).NoTicks()
		longest(t, fmt.Sprint(c.ys), f)
		var r recorder.Canvas
		w, h := f.Extent()
		f.Draw(draw.NewCanvas(&r, w, h))
		found := false
		for _, a := range r.Actions {
			if s, ok := a.(*recorder.Stroke); ok && len(s.Path) == 2 {
				found = true
				for _, p := range s.Path {
					// Without ticks the axes reach up to the border of 5 points.
					if share := float64((p.Pos.X - 5) / (w - 10)); math.Abs(share-c.at) > 0.005 {
						t.Errorf("%v: crosses at %g, want %g", c.ys, share, c.at)
					}
				}
			}
		}
		if !found {
			t.Errorf("%v: no line", c.ys)
		}
	}
	for _, ys := range [][]float64{{-9e307, 0, 9e307}, {0, math.Inf(1), 1, math.NaN(), 1e308}, {1e-320, 1e308}, {5e-324, 1e-323}} {
		longest(t, fmt.Sprint(ys), New("", Line(nil, ys)))
		longest(t, fmt.Sprint(ys, " log"), New("", Line(nil, ys)).LogY())
		longest(t, fmt.Sprint(ys, " steps"), New("", Line(nil, ys, Steps()), Hist([][]float64{ys}), Curve(func(x float64) float64 { return math.Exp(900 * x) })).Range(0, 3, 0, 1))
	}
}
