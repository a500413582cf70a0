package space

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting"
	"marginalia/plotting/internal/pen"
)

// plane is a plane in space.
type plane struct {
	pen.Look
	a vec
	b float64
}

// Plane draws the plane a·x + b = 0, translucent and cut to the box of the axes. If a is
// zero, there is no plane to draw.
func Plane(a []float64, b float64, s ...plotting.StrokeStyle) Layer {
	return &plane{pen.NewLook("space.Plane", s), pointOf("Plane", "a", a), b}
}

func (l *plane) reach() []vec { return nil }

func (l *plane) tone() draw.LineStyle { return l.Line(pen.Edge, 0.9) }

func (l *plane) solids(s *scene) []solid {
	// In the box x = mid + q/scale, hence a·x + b is linear in q as well.
	var n vec
	level := l.b
	for k := range n {
		n[k] = l.a[k] / s.scale[k]
		level += l.a[k] * (s.axes[k].Min + s.axes[k].Max) / 2
	}
	size := n.norm()
	if size == 0 || !pen.Finite(size) || !pen.Finite(level) {
		return nil
	}
	n, level = vec{}.plus(1/size, n), level/size
	// A square of the plane larger than the box, around the foot of the box's centre.
	foot := vec{}.plus(-level, n)
	u := vec{n[1], -n[0], 0}
	if math.Abs(n[2]) > 0.9 {
		u = vec{0, n[2], -n[1]}
	}
	u = vec{}.plus(1/u.norm(), u)
	v := vec{n[1]*u[2] - n[2]*u[1], n[2]*u[0] - n[0]*u[2], n[0]*u[1] - n[1]*u[0]}
	const far = 4
	area := []vec{
		foot.plus(far, u).plus(far, v), foot.plus(-far, u).plus(far, v),
		foot.plus(-far, u).plus(-far, v), foot.plus(far, u).plus(-far, v),
	}
	half := s.corner(vec{1, 1, 1})
	for k := range 3 {
		area = clip(area, func(p vec) float64 { return half[k] - p[k] })
		area = clip(area, func(p vec) float64 { return half[k] + p[k] })
	}
	if len(area) < 3 {
		return nil
	}
	sty := l.tone()
	return []solid{{at: area, normal: n, paint: func(c draw.Canvas, at []vg.Point) {
		c.FillPolygon(pen.Fade(sty.Color, 0.22), at)
		c.StrokeLines(sty, append(at[:len(at):len(at)], at[0]))
	}}}
}

func (l *plane) Entries() []pen.Entry {
	return pen.Named(l.Name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		sty, lean := l.tone(), vg.Length(3)
		area := []vg.Point{
			{X: at.X - w/2, Y: at.Y - 4}, {X: at.X + w/2 - lean, Y: at.Y - 4},
			{X: at.X + w/2, Y: at.Y + 4}, {X: at.X - w/2 + lean, Y: at.Y + 4},
		}
		c.FillPolygon(pen.Fade(sty.Color, 0.22), area)
		c.StrokeLines(sty, append(area, area[0]))
	})
}

func (l *plane) Alt() string {
	return fmt.Sprintf("plane%s %s·x = %s", pen.Called(l.Name()), l.a.Alt(), pen.Short(0-l.b))
}
