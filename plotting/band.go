package plotting

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// band is the area between two lines with a line in it, or a bar between the two lines at
// every sample.
type band struct {
	look
	what           string
	xs, ys, lo, hi []float64
	bars           bool
}

// Band shades the area from lo[i] to hi[i] at xs[i] and draws the line ys[i] in it: a mean
// with its standard deviation, or a curve with its bound. If ys is nil, there is no line.
// If xs is nil, it counts from 1. A NaN or infinite coordinate leaves a gap.
func Band(xs, ys, lo, hi []float64, s ...Style) Layer {
	return newBand("Band", newLook("Band", s, "Name", "Colour", "Width", "Alpha", "Dashed", "Steps"), xs, ys, lo, hi)
}

// ErrorBars draws a dot at every (xs[i], ys[i]) with a bar from lo[i] to hi[i]. These are
// values, not distances from ys[i]. If xs is nil, it counts from 1. Samples with a NaN
// or infinite coordinate are left out.
func ErrorBars(xs, ys, lo, hi []float64, s ...Style) Layer {
	if ys == nil && len(lo) > 0 {
		panic("plotting: ErrorBars: no ys")
	}
	l := newBand("ErrorBars", newLook("ErrorBars", s, "Name", "Colour", "Width", "Alpha", "Dashed", "Size"), xs, ys, lo, hi)
	l.bars = true
	return l
}

func newBand(what string, l look, xs, ys, lo, hi []float64) *band {
	xs = abscissae(what, xs, lo)
	if len(hi) != len(lo) || ys != nil && len(ys) != len(lo) {
		panic(fmt.Sprintf("plotting: %s: %d ys, %d lower and %d upper values", what, len(ys), len(lo), len(hi)))
	}
	for i := range lo {
		if lo[i] > hi[i] {
			panic(fmt.Sprintf("plotting: %s: lo[%d] = %g, hi[%d] = %g, want lo ≤ hi", what, i, lo[i], i, hi[i]))
		}
	}
	return &band{look: l, what: what, xs: xs, ys: ys, lo: lo, hi: hi}
}

func (l *band) coords() (xs, ys []float64) {
	for _, v := range [][]float64{l.lo, l.hi, l.ys} {
		xs, ys = append(xs, l.xs[:len(v)]...), append(ys, v...)
	}
	return xs, ys
}

func (l *band) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *band) tint(next int) (Layer, bool) {
	if l.colour != nil {
		return l, false
	}
	t := *l
	t.choose(next)
	return &t, true
}

func (l *band) drawn(i int) bool {
	return finite(l.xs[i]) && finite(l.lo[i]) && finite(l.hi[i]) && (l.ys == nil || finite(l.ys[i]))
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
			c.FillPolygon(fade(l.paint(Blue), 0.25), c.ClipPolygonXY(above))
		}
		above, below = nil, nil
	}
	for i := range l.xs {
		if !l.drawn(i) {
			fill()
			continue
		}
		lo, hi := vg.Point{X: tx(l.xs[i]), Y: ty(l.lo[i])}, vg.Point{X: tx(l.xs[i]), Y: ty(l.hi[i])}
		if n := len(above); l.steps && n > 0 {
			above, below = append(above, vg.Point{X: hi.X, Y: above[n-1].Y}), append(below, vg.Point{X: lo.X, Y: below[n-1].Y})
		}
		above, below = append(above, hi), append(below, lo)
	}
	fill()
	if l.ys != nil {
		trace(c, p, l.xs, l.ys, l.steps, l.line(Blue, 1.6))
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
		c.StrokeLines(l.line(Blue, 1.2), c.ClipLinesXY([]vg.Point{{X: x0, Y: y0}, {X: x1, Y: y1}})...)
	}
	stroke(at.X, lo, at.X, hi)
	stroke(at.X-cap, lo, at.X+cap, lo)
	stroke(at.X-cap, hi, at.X+cap, hi)
	mark(c, 0, at, l.radius(5.5), l.paint(Blue))
}

func (l *band) entries() []entry {
	return named(l.name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		if l.bars {
			l.bar(c, at, at.Y-5, at.Y+5)
			return
		}
		c.SetColor(fade(l.paint(Blue), 0.25))
		c.Fill(keySwatch(at).Path())
		if l.ys != nil {
			c.StrokeLine2(l.line(Blue, 1.6), at.X-w/2, at.Y, at.X+w/2, at.Y)
		}
	})
}

func (l *band) alt() string {
	widest, n := 0.0, 0
	for i := range l.lo {
		if l.drawn(i) {
			widest, n = max(widest, l.hi[i]-l.lo[i]), n+1
		}
	}
	what := "band" + called(l.name()) + " over " + count(n, "point", "points")
	if l.bars {
		what = count(n, "point", "points") + called(l.name()) + " with error bars"
	}
	return fmt.Sprintf("%s, up to %s wide", what, short(widest))
}
