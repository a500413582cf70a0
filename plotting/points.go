package plotting

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
)

// points draws one glyph per sample.
type points struct {
	pen.Look
	xs, ys []float64
}

// Points draws a dot at every (xs[i], ys[i]). If xs is nil, it counts from 1.
// Samples with a NaN or infinite coordinate are left out.
func Points(xs, ys []float64, s ...PointsStyle) Layer {
	xs = abscissae("Points", xs, ys)
	return &points{pen.NewLook("Points", s), xs, ys}
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
	t := *l
	return &t, t.Choose(next)
}

func (l *points) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	stamp := pen.NewStamps(&c, len(l.xs))
	for i := range l.xs {
		stamp.Mark(l.Glyph(), vg.Point{X: tx(l.xs[i]), Y: ty(l.ys[i])}, l.Radius(5.5), l.Paint(pen.Blue), func() string { return pen.At([]float64{l.xs[i], l.ys[i]}, axis.Lengths(p)) + pen.Called(l.Name()) })
	}
}

func (l *points) Entries() []pen.Entry { return l.Dots() }

func (l *points) Alt() string {
	return pen.Count(countDrawn(l.xs, l.ys), "point", "points") + pen.Called(l.Name())
}
