package plotting

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// drops3 are the perpendiculars from points to their feet on a plane.
type drops3 struct {
	pen.Look
	rows, feet []vec3
}

// Drops3 draws, dashed, the perpendicular from each row of x, n×3, to the plane
// a·x + b = 0, with its foot. These are the residuals of least squares, or the heights of
// points over a plane such as that of the first two axes, a = (0, 0, 1). Drops3 panics if
// a is zero.
func Drops3(x mat.Matrix, a []float64, b float64, s ...Style) Layer3 {
	l := &drops3{Look: newLook("Drops3", s, "Name", "Colour", "Width", "Size", "Alpha")}
	n := point3("Drops3", "a", a)
	square := n.dot(n)
	if square == 0 {
		panic("plotting: Drops3: a = 0 has no plane")
	}
	for _, p := range rows3("Drops3", x) {
		if p.finite() {
			l.rows = append(l.rows, p)
			l.feet = append(l.feet, p.plus(-(n.dot(p)+b)/square, n))
		}
	}
	return l
}

func (l *drops3) reach() []vec3 { return append(l.rows[:len(l.rows):len(l.rows)], l.feet...) }

func (l *drops3) style() draw.LineStyle {
	dashed := l.Look
	dashed.Dashed = true
	return dashed.Line(pen.Edge, 0.9)
}

func (l *drops3) solids(s *scene3) (all []solid) {
	for i, p := range l.rows {
		foot := s.put(l.feet[i])
		all = append(all, stroke3(foot, s.put(p), l.style()), glyph3(foot, func(c *draw.Canvas, at vg.Point) {
			pen.Mark(c, 0, at, l.Radius(3.6), l.Paint(pen.Edge))
		}))
	}
	return all
}

func (l *drops3) Entries() []pen.Entry {
	return pen.Named(l.Name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(l.style(), at.X-w/2, at.Y, at.X+w/2, at.Y)
	})
}

func (l *drops3) Alt() string {
	return "perpendiculars" + pen.Called(l.Name()) + " from " + pen.Count(len(l.rows), "point", "points") + " to a plane"
}

// corner3 marks a right angle in space.
type corner3 struct {
	pen.Look
	at, u, v vec3
}

// RightAngle3 marks the right angle at a point between the directions u and v. It looks
// right only if the axes have equal scales. RightAngle3 panics if u or v is zero.
func RightAngle3(at, u, v []float64, s ...Style) Layer3 {
	l := &corner3{newLook("RightAngle3", s, "Colour", "Width", "Alpha", "Dashed"), point3("RightAngle3", "at", at), point3("RightAngle3", "u", u), point3("RightAngle3", "v", v)}
	if l.u == (vec3{}) || l.v == (vec3{}) {
		panic("plotting: RightAngle3: a direction is zero")
	}
	return l
}

func (l *corner3) reach() []vec3 { return []vec3{l.at} }

func (l *corner3) solids(s *scene3) []solid {
	const leg = 0.05 // in units of the box
	side := func(d vec3) vec3 {
		for k := range d {
			d[k] *= s.scale[k]
		}
		return vec3{}.plus(leg/d.norm(), d)
	}
	at, u, v := s.put(l.at), side(l.u), side(l.v)
	sty := l.Line(pen.Edge, 0.9)
	tip := at.plus(1, u).plus(1, v)
	return []solid{stroke3(at.plus(1, u), tip, sty), stroke3(tip, at.plus(1, v), sty)}
}

func (l *corner3) Alt() string { return "right angle at " + l.at.Alt() }
