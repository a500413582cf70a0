package space

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting"
	"marginalia/plotting/internal/pen"
)

// drops are the perpendiculars from points to their feet on a plane.
type drops struct {
	pen.Look
	rows, feet []vec
}

// Drops draws, dashed, the perpendicular from each row of x, n×3, to the plane
// a·x + b = 0, with its foot. These are the residuals of least squares, or the heights of
// points over a plane such as that of the first two axes, a = (0, 0, 1). Drops panics if
// a is zero.
func Drops(x mat.Matrix, a []float64, b float64, s ...plotting.DropsStyle) Layer {
	l := &drops{Look: pen.NewLook("space.Drops", s)}
	n := pointOf("Drops", "a", a)
	square := n.dot(n)
	if square == 0 {
		panic("plotting: space.Drops: a = 0 has no plane")
	}
	for _, p := range rowsOf("Drops", x) {
		if p.finite() {
			l.rows = append(l.rows, p)
			l.feet = append(l.feet, p.plus(-(n.dot(p)+b)/square, n))
		}
	}
	return l
}

func (l *drops) reach() []vec { return append(l.rows[:len(l.rows):len(l.rows)], l.feet...) }

func (l *drops) style() draw.LineStyle {
	dashed := l.Look
	dashed.Dashed = true
	return dashed.Line(pen.Edge, 0.9)
}

func (l *drops) solids(s *scene) (all []solid) {
	for i, p := range l.rows {
		foot := s.put(l.feet[i])
		all = append(all, stroke(foot, s.put(p), l.style()), glyphAt(foot, func(c *draw.Canvas, at vg.Point) {
			pen.Mark(c, 0, at, l.Radius(3.6), l.Paint(pen.Edge))
		}))
	}
	return all
}

func (l *drops) Entries() []pen.Entry { return l.Rules(l.style()) }

func (l *drops) Alt() string {
	return "perpendiculars" + pen.Called(l.Name()) + " from " + pen.Count(len(l.rows), "point", "points") + " to a plane"
}

// corner marks a right angle in space.
type corner struct {
	pen.Look
	at, u, v vec
}

// RightAngle marks the right angle at a point between the directions u and v. It looks
// right only if the axes have equal scales. RightAngle panics if u or v is zero.
func RightAngle(at, u, v []float64, s ...plotting.CornerStyle) Layer {
	l := &corner{pen.NewLook("space.RightAngle", s), pointOf("RightAngle", "at", at), pointOf("RightAngle", "u", u), pointOf("RightAngle", "v", v)}
	if l.u == (vec{}) || l.v == (vec{}) {
		panic("plotting: space.RightAngle: a direction is zero")
	}
	return l
}

func (l *corner) reach() []vec { return []vec{l.at} }

func (l *corner) solids(s *scene) []solid {
	leg := 0.05 // in units of the box
	if l.Size > 0 {
		leg = float64(vg.Points(l.Size) / s.unit)
	}
	side := func(d vec) vec {
		for k := range d {
			d[k] *= s.scale[k]
		}
		return vec{}.plus(leg/d.norm(), d)
	}
	at, u, v := s.put(l.at), side(l.u), side(l.v)
	sty := l.Line(pen.Edge, 0.9)
	tip := at.plus(1, u).plus(1, v)
	return []solid{stroke(at.plus(1, u), tip, sty), stroke(tip, at.plus(1, v), sty)}
}

func (l *corner) Alt() string { return "right angle at " + l.at.Alt() }
