package plotting

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
)

// curve is the graph of a function over the whole x axis.
type curve struct {
	pen.Look
	f func(float64) float64
}

// Curve draws the graph of f over the final x range of the figure, -3 to 3 if
// no other layer has data. Where f is NaN or infinite there is a gap.
func Curve(f func(x float64) float64, s ...CurveStyle) Layer {
	return &curve{pen.NewLook("Curve", s), f}
}

// samples is the resolution of a curve: about one sample per point of a wide figure.
const samples = 480

// over samples f from x0 to x1, at equal ratios if the axis is logarithmic. Where f jumps,
// there are two samples more, one on each side, between which the line is upright.
func (l *curve) over(x0, x1 float64, log bool) (xs, ys []float64) {
	for i := range samples + 1 {
		t := float64(i) / samples
		x := x0 + t*(x1-x0)
		if log || math.IsInf(x1-x0, 0) {
			x = between(x0, x1, t, log)
		}
		xs, ys = append(xs, x), append(ys, l.f(x))
	}
	for i := len(ys) - 2; i >= 0; i-- {
		step := math.Abs(ys[i+1] - ys[i])
		before, after := 0.0, 0.0
		if i > 0 {
			before = math.Abs(ys[i] - ys[i-1])
		}
		if i+2 < len(ys) {
			after = math.Abs(ys[i+2] - ys[i+1])
		}
		if !(step > 4*math.Max(before, after)) {
			continue
		}
		if a, b, fa, fb := l.halve(xs[i], xs[i+1], ys[i], ys[i+1]); math.Abs(fb-fa) > step/2 {
			xs, ys = slices.Insert(xs, i+1, a, b), slices.Insert(ys, i+1, fa, fb)
		}
	}
	return xs, ys
}

// halve narrows the interval from a to b to where f changes most.
func (l *curve) halve(a, b, fa, fb float64) (a1, b1, fa1, fb1 float64) {
	for range 30 {
		m := a + (b-a)/2
		if fm := l.f(m); math.Abs(fm-fa) > math.Abs(fb-fm) {
			b, fb = m, fm
		} else {
			a, fa = m, fm
		}
	}
	return a, b, fa, fb
}

func (l *curve) tint(next int) (Layer, bool) {
	t := *l
	return &t, t.Choose(next)
}

func (l *curve) Plot(c draw.Canvas, p *plot.Plot) {
	_, log := p.X.Scale.(axis.LogScale)
	xs, ys := l.over(p.X.Min, p.X.Max, log)
	trace(c, p, xs, ys, l.Steps, l.Line(pen.Blue, 1.8))
}

func (l *curve) Entries() []pen.Entry { return l.Rules(l.Line(pen.Blue, 1.8)) }

func (l *curve) Alt() string { return "curve" + pen.Called(l.Name()) }
