package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rows3 returns the rows of x, n×3.
func rows3(who string, x mat.Matrix) []vec3 {
	n, d := x.Dims()
	if d != 3 {
		panic(fmt.Sprintf("plotting: %s: x is %d×%d, want n×3", who, n, d))
	}
	rows := make([]vec3, n)
	for i := range rows {
		rows[i] = vec3{x.At(i, 0), x.At(i, 1), x.At(i, 2)}
	}
	return rows
}

// point3 converts a slice of length 3 to a point.
func point3(who, what string, x []float64) vec3 {
	if len(x) != 3 {
		panic(fmt.Sprintf("plotting: %s: %s has %d components, want 3", who, what, len(x)))
	}
	return vec3{x[0], x[1], x[2]}
}

// glyph3 returns the solid of a point.
func glyph3(at vec3, paint func(c *draw.Canvas, at vg.Point)) solid {
	return solid{at: []vec3{at}, paint: func(c draw.Canvas, at []vg.Point) { paint(&c, at[0]) }}
}

// stroke3 returns the solid of a line segment.
func stroke3(a, b vec3, sty draw.LineStyle) solid {
	return solid{at: []vec3{a, b}, paint: func(c draw.Canvas, at []vg.Point) { c.StrokeLines(sty, at) }}
}

// points3 are points in space.
type points3 struct {
	points
	rows []vec3
}

// Points3 draws a dot at every row of x, n×3. Rows with a NaN or infinite coordinate are
// left out.
func Points3(x mat.Matrix, s ...Style) Layer3 {
	l := &points3{rows: rows3("Points3", x)}
	l.look, l.xs = newLook("Points3", s, "Name", "Colour", "Size", "Alpha"), make([]float64, len(l.rows))
	return l
}

func (l *points3) tint3(c Hue) (Layer3, bool) {
	if l.colour != nil {
		return l, false
	}
	t := *l
	t.colour = c
	return &t, true
}

func (l *points3) reach() []vec3 { return l.rows }

func (l *points3) solids(s *scene3) (all []solid) {
	for _, p := range l.rows {
		if p.finite() {
			all = append(all, glyph3(s.put(p), func(c *draw.Canvas, at vg.Point) {
				mark(c, 0, at, l.radius(5.5), l.paint(Blue))
			}))
		}
	}
	return all
}

// classes3 are samples in space with one colour and glyph per class.
type classes3 struct {
	*classes
	rows []vec3
}

// Classes3 draws the rows of x, n×3, each with the colour and the glyph of its label
// y[i], as [Classes] does in the plane.
func Classes3(x mat.Matrix, y []int, s ...Style) Layer3 {
	rows := rows3("Classes3", x)
	if len(y) != len(rows) {
		panic(fmt.Sprintf("plotting: Classes3: %d rows, %d labels", len(rows), len(y)))
	}
	return &classes3{newClasses("Classes3", y, s), rows}
}

func (l *classes3) reach() []vec3 { return l.rows }

func (l *classes3) solids(s *scene3) (all []solid) {
	for i, p := range l.rows {
		if !p.finite() {
			continue
		}
		k := l.index(i)
		all = append(all, glyph3(s.put(p), func(c *draw.Canvas, at vg.Point) {
			mark(c, l.kinds[k], at, l.radius(l.diameter()), l.colourOf(k))
		}))
	}
	return all
}

// plane3 is a plane in space.
type plane3 struct {
	look
	a vec3
	b float64
}

// Plane3 draws the plane a·x + b = 0, translucent and cut to the box of the axes. If a is
// zero, there is no plane to draw.
func Plane3(a []float64, b float64, s ...Style) Layer3 {
	return &plane3{newLook("Plane3", s, "Name", "Colour", "Width", "Alpha", "Dashed"), point3("Plane3", "a", a), b}
}

func (l *plane3) reach() []vec3 { return nil }

func (l *plane3) tone() draw.LineStyle { return l.line(edge, 0.9) }

func (l *plane3) solids(s *scene3) []solid {
	// In the box x = mid + q/scale, hence a·x + b is linear in q as well.
	var n vec3
	level := l.b
	for k := range n {
		n[k] = l.a[k] / s.scale[k]
		level += l.a[k] * (s.axes[k].min + s.axes[k].max) / 2
	}
	size := n.norm()
	if size == 0 || !finite(size) || !finite(level) {
		return nil
	}
	n, level = vec3{}.plus(1/size, n), level/size
	// A square of the plane larger than the box, around the foot of the box's centre.
	foot := vec3{}.plus(-level, n)
	u := vec3{n[1], -n[0], 0}
	if math.Abs(n[2]) > 0.9 {
		u = vec3{0, n[2], -n[1]}
	}
	u = vec3{}.plus(1/u.norm(), u)
	v := vec3{n[1]*u[2] - n[2]*u[1], n[2]*u[0] - n[0]*u[2], n[0]*u[1] - n[1]*u[0]}
	const far = 4
	area := []vec3{
		foot.plus(far, u).plus(far, v), foot.plus(-far, u).plus(far, v),
		foot.plus(-far, u).plus(-far, v), foot.plus(far, u).plus(-far, v),
	}
	half := s.corner(vec3{1, 1, 1})
	for k := range 3 {
		area = clip3(area, func(p vec3) float64 { return half[k] - p[k] })
		area = clip3(area, func(p vec3) float64 { return half[k] + p[k] })
	}
	if len(area) < 3 {
		return nil
	}
	sty := l.tone()
	return []solid{{at: area, normal: n, paint: func(c draw.Canvas, at []vg.Point) {
		c.FillPolygon(fade(sty.Color, 0.22), at)
		c.StrokeLines(sty, append(at[:len(at):len(at)], at[0]))
	}}}
}

func (l *plane3) entries() []entry {
	return named(l.name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		sty, lean := l.tone(), vg.Length(3)
		area := []vg.Point{
			{X: at.X - w/2, Y: at.Y - 4}, {X: at.X + w/2 - lean, Y: at.Y - 4},
			{X: at.X + w/2, Y: at.Y + 4}, {X: at.X - w/2 + lean, Y: at.Y + 4},
		}
		c.FillPolygon(fade(sty.Color, 0.22), area)
		c.StrokeLines(sty, append(area, area[0]))
	})
}

func (l *plane3) alt() string {
	return fmt.Sprintf("plane%s %s·x = %s", called(l.name()), l.a.alt(), short(0-l.b))
}
