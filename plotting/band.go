package plotting

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// band is the area between two lines with a line in it, or a bar between the two lines at
// every sample.
type band struct {
	pen.Look
	what           string
	xs, ys, lo, hi []float64
	bars           bool
}

// Band shades the area from lo[i] to hi[i] at xs[i] and draws the line ys[i] in it: a mean
// with its standard deviation, or a curve with its bound. If ys is nil, there is no line.
// If xs is nil, it counts from 1. A NaN or infinite coordinate leaves a gap.
func Band(xs, ys, lo, hi []float64, s ...CurveStyle) Layer {
	return newBand("Band", pen.NewLook("Band", s), xs, ys, lo, hi)
}

// ErrorBars draws a dot at every (xs[i], ys[i]) with a bar from lo[i] to hi[i]. These are
// values, not distances from ys[i]. If xs is nil, it counts from 1. Samples with a NaN
// or infinite coordinate are left out.
func ErrorBars(xs, ys, lo, hi []float64, s ...SegmentStyle) Layer {
	if ys == nil && len(lo) > 0 {
		panic("plotting: ErrorBars: no ys")
	}
	l := newBand("ErrorBars", pen.NewLook("ErrorBars", s), xs, ys, lo, hi)
	l.bars = true
	return l
}

func newBand(what string, l pen.Look, xs, ys, lo, hi []float64) *band {
	xs = abscissae(what, xs, lo)
	if len(hi) != len(lo) || ys != nil && len(ys) != len(lo) {
		panic(fmt.Sprintf("plotting: %s: %d ys, %d lower and %d upper values", what, len(ys), len(lo), len(hi)))
	}
	for i := range lo {
		if lo[i] > hi[i] {
			panic(fmt.Sprintf("plotting: %s: lo[%d] = %g, hi[%d] = %g, want lo ≤ hi", what, i, lo[i], i, hi[i]))
		}
	}
	return &band{Look: l, what: what, xs: xs, ys: ys, lo: lo, hi: hi}
}

func (l *band) coords() (xs, ys []float64) {
	for _, v := range [][]float64{l.lo, l.hi, l.ys} {
		xs, ys = append(xs, l.xs[:len(v)]...), append(ys, v...)
	}
	return xs, ys
}

func (l *band) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *band) tint(next int) (Layer, bool) {
	t := *l
	return &t, t.Choose(next)
}

func (l *band) drawn(i int) bool {
	return pen.Finite(l.xs[i]) && pen.Finite(l.lo[i]) && pen.Finite(l.hi[i]) && (l.ys == nil || pen.Finite(l.ys[i]))
}

func (l *band) Plot(c draw.Canvas, p *plot.Plot) {
	if l.bars {
		l.plotBars(c, p)
		return
	}
	tx, ty := p.Transforms(&c)
	var above, below []vg.Point
	fill := func() {
		if len(above) > 1 {
			for i := len(below) - 1; i >= 0; i-- {
				above = append(above, below[i])
			}
			c.FillPolygon(pen.Fade(l.Paint(pen.Blue), 0.25), c.ClipPolygonXY(above))
		}
		above, below = nil, nil
	}
	for i := range l.xs {
		if !l.drawn(i) {
			fill()
			continue
		}
		lo, hi := vg.Point{X: tx(l.xs[i]), Y: ty(l.lo[i])}, vg.Point{X: tx(l.xs[i]), Y: ty(l.hi[i])}
		if n := len(above); l.Steps && n > 0 {
			above, below = append(above, vg.Point{X: hi.X, Y: above[n-1].Y}), append(below, vg.Point{X: lo.X, Y: below[n-1].Y})
		}
		above, below = append(above, hi), append(below, lo)
	}
	fill()
	if l.ys != nil {
		trace(c, p, l.xs, l.ys, l.Steps, l.Line(pen.Blue, 1.6))
	}
}

func (l *band) plotBars(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for i := range l.xs {
		if l.drawn(i) {
			l.bar(&c, vg.Point{X: tx(l.xs[i]), Y: ty(l.ys[i])}, ty(l.lo[i]), ty(l.hi[i]))
		}
	}
}

// bar draws one error bar with its caps and its dot.
func (l *band) bar(c *draw.Canvas, at vg.Point, lo, hi vg.Length) {
	const cap = 3
	stroke := func(x0, y0, x1, y1 vg.Length) {
		c.StrokeLines(l.Line(pen.Blue, 1.2), c.ClipLinesXY([]vg.Point{{X: x0, Y: y0}, {X: x1, Y: y1}})...)
	}
	stroke(at.X, lo, at.X, hi)
	stroke(at.X-cap, lo, at.X+cap, lo)
	stroke(at.X-cap, hi, at.X+cap, hi)
	pen.Mark(c, 0, at, l.Radius(5.5), l.Paint(pen.Blue))
}

func (l *band) Entries() []pen.Entry {
	return pen.Named(l.Name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		if l.bars {
			l.bar(c, at, at.Y-5, at.Y+5)
			return
		}
		c.SetColor(pen.Fade(l.Paint(pen.Blue), 0.25))
		c.Fill(keySwatch(at).Path())
		if l.ys != nil {
			c.StrokeLine2(l.Line(pen.Blue, 1.6), at.X-w/2, at.Y, at.X+w/2, at.Y)
		}
	})
}

func (l *band) Alt() string {
	widest, n := 0.0, 0
	for i := range l.lo {
		if l.drawn(i) {
			widest, n = max(widest, l.hi[i]-l.lo[i]), n+1
		}
	}
	what := "band" + pen.Called(l.Name()) + " over " + pen.Count(n, "point", "points")
	if l.bars {
		what = pen.Count(n, "point", "points") + pen.Called(l.Name()) + " with error bars"
	}
	return fmt.Sprintf("%s, up to %s wide", what, pen.Short(widest))
}
