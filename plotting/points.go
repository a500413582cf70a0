package plotting

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// points draws one glyph per sample.
type points struct {
	look
	xs, ys []float64
}

// Points draws a dot at every (xs[i], ys[i]). If xs is nil, it counts from 1.
// Samples with a NaN or infinite coordinate are left out.
func Points(xs, ys []float64, s ...Style) Layer {
	xs = abscissae("Points", xs, ys)
	return &points{newLook("Points", s, "Name", "Colour", "Size", "Alpha"), xs, ys}
}

func abscissae(who string, xs, ys []float64) []float64 {
	if xs == nil {
		xs = make([]float64, len(ys))
		for i := range xs {
			xs[i] = float64(i + 1)
		}
	}
	if len(xs) != len(ys) {
		panic(fmt.Sprintf("plotting: %s: %d xs, %d ys", who, len(xs), len(ys)))
	}
	return xs
}

func (l *points) coords() (xs, ys []float64) { return l.xs, l.ys }

func (l *points) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *points) tint(next int) (Layer, bool) {
	if l.colour != nil {
		return l, false
	}
	t := *l
	t.choose(next)
	return &t, true
}

func (l *points) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	pen := newStamps(&c, len(l.xs))
	for i := range l.xs {
		pen.mark(l.glyph(), vg.Point{X: tx(l.xs[i]), Y: ty(l.ys[i])}, l.radius(5.5), l.paint(Blue), func() string { return at([]float64{l.xs[i], l.ys[i]}, lengths(p)) + called(l.name()) })
	}
}

func (l *points) entries() []entry {
	return named(l.name(), func(c *draw.Canvas, at vg.Point, _ vg.Length) {
		mark(c, l.glyph(), at, max(keyMark, l.radius(5.5)), l.paint(Blue))
	})
}

func (l *points) alt() string {
	return count(countDrawn(l.xs, l.ys), "point", "points") + called(l.name())
}
