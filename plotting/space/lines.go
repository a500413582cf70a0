package space

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting"
	"marginalia/plotting/internal/pen"
)

// segment is a line segment in space, with or without an arrowhead.
type segment struct {
	pen.Look
	a, b  vec
	label string
	head  bool
}

// Arrow draws an arrow between two points with the label beyond its head.
func Arrow(from, to []float64, label string, s ...plotting.SegmentStyle) Layer {
	return &segment{pen.NewLook("space.Arrow", s), pointOf("Arrow", "from", from), pointOf("Arrow", "to", to), label, true}
}

// Segment draws the line segment between two points with the label beside its middle.
func Segment(from, to []float64, label string, s ...plotting.SegmentStyle) Layer {
	return &segment{pen.NewLook("space.Segment", s), pointOf("Segment", "from", from), pointOf("Segment", "to", to), label, false}
}

func (l *segment) style() draw.LineStyle { return l.Look.Segment(l.head) }

func (l *segment) Entries() []pen.Entry { return l.Segments(l.head) }

func (l *segment) reach() []vec { return []vec{l.a, l.b} }

func (l *segment) solids(s *scene) []solid {
	from, to, sty := s.put(l.a), s.put(l.b), l.style()
	if !l.a.finite() || !l.b.finite() || l.a == l.b {
		return nil
	}
	if !l.head {
		return []solid{stroke(from, to, sty)}
	}
	d := s.paper(to).Sub(s.paper(from)).Scale(s.unit)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if length < 0.1 {
		return []solid{glyphAt(to, func(c *draw.Canvas, at vg.Point) { pen.Mark(c, 0, at, 2*sty.Width, sty.Color) })}
	}
	// The head is a glyph: no plane cuts it.
	size, u := pen.HeadSize(sty, length), d.Scale(1/length)
	end := to.plus(-pen.Neck*float64(size/length), to.plus(-1, from))
	return []solid{
		stroke(from, end, sty),
		glyphAt(to, func(c *draw.Canvas, at vg.Point) { pen.Head(*c, at, u, size, sty) }),
	}
}

func (l *segment) labels(s *scene, c draw.Canvas) {
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

func (p vec) Alt() string {
	return fmt.Sprintf("(%s, %s, %s)", pen.Short(p[0]), pen.Short(p[1]), pen.Short(p[2]))
}

func (l *segment) Alt() string {
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

// curve is a polyline in space.
type curve struct {
	pen.Look
	rows []vec
}

// Curve joins the rows of x, n×3, in order. A NaN or infinite coordinate leaves a gap.
func Curve(x mat.Matrix, s ...plotting.StrokeStyle) Layer {
	return &curve{pen.NewLook("space.Curve", s), rowsOf("Curve", x)}
}

func (l *curve) tint(next int) (Layer, bool) {
	t := *l
	return &t, t.Choose(next)
}

func (l *curve) reach() []vec { return l.rows }

func (l *curve) solids(s *scene) (all []solid) {
	for i := range max(0, len(l.rows)-1) {
		if p, q := l.rows[i], l.rows[i+1]; p.finite() && q.finite() {
			all = append(all, stroke(s.put(p), s.put(q), l.Line(pen.Blue, 1.6)))
		}
	}
	return all
}

func (l *curve) Entries() []pen.Entry { return l.Rules(l.Line(pen.Blue, 1.6)) }

func (l *curve) Alt() string { return "curve" + pen.Called(l.Name()) }

// stroke returns the solid of a line segment.
func stroke(a, b vec, sty draw.LineStyle) solid {
	return solid{at: []vec{a, b}, paint: func(c draw.Canvas, at []vg.Point) { c.StrokeLines(sty, at) }}
}
