package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// segment3 is a line segment in space, with or without an arrowhead.
type segment3 struct {
	segment
	a, b vec3
}

// Arrow3 draws an arrow between two points with the label beyond its head.
func Arrow3(from, to []float64, label string, s ...Style) Layer3 {
	return &segment3{segment{Look: newLook("Arrow3", s, segmentTakes...), label: label, head: true}, point3("Arrow3", "from", from), point3("Arrow3", "to", to)}
}

// Segment3 draws the line segment between two points with the label beside its middle.
func Segment3(from, to []float64, label string, s ...Style) Layer3 {
	return &segment3{segment{Look: newLook("Segment3", s, segmentTakes...), label: label}, point3("Segment3", "from", from), point3("Segment3", "to", to)}
}

func (l *segment3) reach() []vec3 { return []vec3{l.a, l.b} }

func (l *segment3) solids(s *scene3) []solid {
	from, to, sty := s.put(l.a), s.put(l.b), l.style()
	if !l.a.finite() || !l.b.finite() || l.a == l.b {
		return nil
	}
	if !l.head {
		return []solid{stroke3(from, to, sty)}
	}
	d := s.paper(to).Sub(s.paper(from)).Scale(s.unit)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if length < 0.1 {
		return []solid{glyph3(to, func(c *draw.Canvas, at vg.Point) { pen.Mark(c, 0, at, 2*sty.Width, sty.Color) })}
	}
	// The head is a glyph: no plane cuts it.
	size, u := pen.HeadSize(sty, length), d.Scale(1/length)
	end := to.plus(-pen.Neck*float64(size/length), to.plus(-1, from))
	return []solid{
		stroke3(from, end, sty),
		glyph3(to, func(c *draw.Canvas, at vg.Point) { pen.Head(*c, at, u, size, sty) }),
	}
}

func (l *segment3) labels(s *scene3, c draw.Canvas) {
	if !l.a.finite() || !l.b.finite() {
		return
	}
	from, to := s.place(s.put(l.a)), s.place(s.put(l.b))
	d := to.Sub(from)
	u := vg.Point{Y: 1}
	if length := math.Hypot(float64(d.X), float64(d.Y)); length > 0.1 {
		u = d.Scale(1 / vg.Length(length))
	}
	if l.head {
		pen.Tag(c, l.label, to, u, 3, l.style().Color, l.Size)
		return
	}
	n := vg.Point{X: -u.Y, Y: u.X}
	if n.Y < 0 || n.Y == 0 && n.X < 0 {
		n = n.Scale(-1)
	}
	pen.Tag(c, l.label, from.Add(d.Scale(0.5)), n, 4, l.style().Color, l.Size)
}

func (p vec3) Alt() string {
	return fmt.Sprintf("(%s, %s, %s)", pen.Short(p[0]), pen.Short(p[1]), pen.Short(p[2]))
}

func (l *segment3) Alt() string {
	what := "segment"
	if l.head {
		what = "arrow"
	}
	name := l.label
	if name == "" {
		name = l.Name()
	}
	return what + pen.Called(name) + " from " + l.a.Alt() + " to " + l.b.Alt()
}

// curve3 is a polyline in space.
type curve3 struct {
	pen.Look
	rows []vec3
}

// Curve3 joins the rows of x, n×3, in order. A NaN or infinite coordinate leaves a gap.
func Curve3(x mat.Matrix, s ...Style) Layer3 {
	return &curve3{newLook("Curve3", s, "Name", "Colour", "Width", "Alpha", "Dashed"), rows3("Curve3", x)}
}

func (l *curve3) tint3(next int) (Layer3, bool) {
	if l.Colour != nil {
		return l, false
	}
	t := *l
	t.Choose(next)
	return &t, true
}

func (l *curve3) reach() []vec3 { return l.rows }

func (l *curve3) solids(s *scene3) (all []solid) {
	for i := range max(0, len(l.rows)-1) {
		if p, q := l.rows[i], l.rows[i+1]; p.finite() && q.finite() {
			all = append(all, stroke3(s.put(p), s.put(q), l.Line(pen.Blue, 1.6)))
		}
	}
	return all
}

func (l *curve3) Entries() []pen.Entry {
	return pen.Named(l.Name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(l.Line(pen.Blue, 1.6), at.X-w/2, at.Y, at.X+w/2, at.Y)
	})
}

func (l *curve3) Alt() string { return "curve" + pen.Called(l.Name()) }

// stroke3 returns the solid of a line segment.
func stroke3(a, b vec3, sty draw.LineStyle) solid {
	return solid{at: []vec3{a, b}, paint: func(c draw.Canvas, at []vg.Point) { c.StrokeLines(sty, at) }}
}
