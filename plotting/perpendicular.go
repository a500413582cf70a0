package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// perpendicular is the segment from a point to its foot on a plane.
type perpendicular struct {
	segment
	mark corner
}

// Perpendicular draws the perpendicular from x to the plane w·x + b = 0: the
// segment with the label beside it, the foot, and the right angle there. Its
// length is the distance |w·x + b| / ‖w‖. It panics if w is zero.
func Perpendicular(w []float64, b float64, x []float64, label string, s ...SegmentStyle) Layer {
	if len(w) != 2 || len(x) != 2 {
		panic(fmt.Sprintf("plotting: Perpendicular: w has %d components, x has %d, want 2", len(w), len(x)))
	}
	if w[0] == 0 && w[1] == 0 {
		panic("plotting: Perpendicular: w = 0 has no plane")
	}
	t := (w[0]*x[0] + w[1]*x[1] + b) / (w[0]*w[0] + w[1]*w[1])
	foot := [2]float64{x[0] - t*w[0], x[1] - t*w[1]}
	up := math.Copysign(1, t)
	l := pen.NewLook("Perpendicular", s)
	return &perpendicular{
		segment{Look: l, from: [2]float64{x[0], x[1]}, to: foot, label: label},
		corner{pen.Look{Alpha: l.Alpha, Color: l.Color}, foot, [2]float64{up * w[0], up * w[1]}},
	}
}

func (l *perpendicular) Traits() pen.Traits { return l.mark.Traits() }

func (l *perpendicular) Plot(c draw.Canvas, p *plot.Plot) {
	l.mark.Plot(c, p)
	l.segment.Plot(c, p)
	tx, ty := p.Transforms(&c)
	pen.Mark(&c, 0, vg.Point{X: tx(l.to[0]), Y: ty(l.to[1])}, vg.Points(2.2), l.style().Color)
}

func (l *perpendicular) bare() Layer {
	return &perpendicular{*l.segment.bare().(*segment), l.mark}
}

func (l *perpendicular) place(ink func(vg.Rectangle) int, c draw.Canvas, p *plot.Plot) Layer {
	return &perpendicular{*l.segment.place(ink, c, p).(*segment), l.mark}
}

func (l *perpendicular) Alt() string {
	return fmt.Sprintf("perpendicular%s from (%s, %s) to its foot (%s, %s), length %s", pen.Called(l.label),
		pen.Short(l.from[0]), pen.Short(l.from[1]), pen.Short(l.to[0]), pen.Short(l.to[1]),
		pen.Short(math.Hypot(l.from[0]-l.to[0], l.from[1]-l.to[1])))
}
