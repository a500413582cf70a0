package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// corner marks a right angle.
type corner struct {
	pen.Look
	at, leg [2]float64
}

// RightAngle marks the right angle at (x, y) between the directions (dx, dy)
// and (-dy, dx). It gives the axes equal scales.
func RightAngle(x, y, dx, dy float64, s ...CornerStyle) Layer {
	return &corner{pen.NewLook("RightAngle", s), [2]float64{x, y}, [2]float64{dx, dy}}
}

func (l *corner) coords() (xs, ys []float64) { return l.at[:1], l.at[1:] }

func (l *corner) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *corner) Traits() pen.Traits { return pen.Traits{Plane: true, Normal: true, Geometry: true} }

func (l *corner) Plot(c draw.Canvas, p *plot.Plot) {
	norm := math.Hypot(l.leg[0], l.leg[1])
	if norm == 0 {
		return
	}
	tx, ty := p.Transforms(&c)
	at := vg.Point{X: tx(l.at[0]), Y: ty(l.at[1])}
	u := vg.Point{X: vg.Length(l.leg[0] / norm), Y: vg.Length(l.leg[1] / norm)}.Scale(l.Radius(15))
	v := vg.Point{X: -u.Y, Y: u.X}
	c.StrokeLines(l.Line(pen.Edge, 1), c.ClipLinesXY([]vg.Point{at.Add(u), at.Add(u).Add(v), at.Add(v)})...)
}

func (l *corner) Alt() string {
	return fmt.Sprintf("right angle at (%s, %s)", pen.Short(l.at[0]), pen.Short(l.at[1]))
}
