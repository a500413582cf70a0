package plotting

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// ring circles some samples.
type ring struct {
	pen.Look
	xs, ys []float64
}

// Ring draws a circle around the rows idx of x, n×2, such as support vectors or the
// sample of an update.
func Ring(x mat.Matrix, idx []int, s ...SegmentStyle) Layer {
	n, d := x.Dims()
	if d != 2 {
		panic(fmt.Sprintf("plotting: Ring: x is %d×%d, want n×2", n, d))
	}
	l := &ring{Look: pen.NewLook("Ring", s)}
	for k, i := range idx {
		if i < 0 || i >= n {
			panic(fmt.Sprintf("plotting: Ring: idx[%d] = %d, x has %d rows", k, i, n))
		}
		l.xs, l.ys = append(l.xs, x.At(i, 0)), append(l.ys, x.At(i, 1))
	}
	return l
}

func (l *ring) coords() (xs, ys []float64) { return l.xs, l.ys }

func (l *ring) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *ring) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for i := range l.xs {
		l.circle(&c, vg.Point{X: tx(l.xs[i]), Y: ty(l.ys[i])}, 12)
	}
}

func (l *ring) circle(c *draw.Canvas, at vg.Point, diameter float64) {
	sty, r := l.Line(pen.Ink, 1.3), l.Radius(diameter)
	if !pen.Inside(c, at) || canvas.LeavesOut(c, at, r+sty.Width) {
		return
	}
	c.SetLineStyle(sty)
	c.Stroke(pen.Disc(at, r))
}

func (l *ring) Entries() []pen.Entry {
	return pen.Named(l.Name(), func(c *draw.Canvas, at vg.Point, _ vg.Length) { l.circle(c, at, 9) })
}

func (l *ring) Alt() string {
	if len(l.xs) == 0 {
		return ""
	}
	return pen.Count(countDrawn(l.xs, l.ys), "point", "points") + " circled" + pen.Called(l.Name())
}
