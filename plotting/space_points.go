package plotting

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
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

// points3 are points in space.
type points3 struct {
	points
	rows []vec3
}

// Points3 draws a dot at every row of x, n×3. Rows with a NaN or infinite coordinate are
// left out.
func Points3(x mat.Matrix, s ...Style) Layer3 {
	l := &points3{rows: rows3("Points3", x)}
	l.Look = newLook("Points3", s, "Name", "Colour", "Size", "Alpha")
	for _, p := range l.rows { // for the count in the description
		l.xs, l.ys = append(l.xs, p[0]), append(l.ys, p[1]/2+p[2]/2)
	}
	return l
}

func (l *points3) tint3(next int) (Layer3, bool) {
	if l.Colour != nil {
		return l, false
	}
	t := *l
	t.Choose(next)
	return &t, true
}

func (l *points3) reach() []vec3 { return l.rows }

func (l *points3) solids(s *scene3) (all []solid) {
	for _, p := range l.rows {
		if p.finite() {
			all = append(all, glyph3(s.put(p), func(c *draw.Canvas, to vg.Point) {
				canvas.Hover(c, func() string { return pen.At(p[:], s.lengths()) + pen.Called(l.Name()) }, func() {
					pen.Mark(c, l.Glyph(), to, l.Radius(5.5), l.Paint(pen.Blue))
				})
			}))
		}
	}
	return all
}

// classes3 are samples in space with one colour and glyph per class.
type classes3 struct {
	pen.Groups
	rows []vec3
}

// Classes3 draws the rows of x, n×3, each with the colour and the glyph of its label
// y[i], as [Classes] does in the plane.
func Classes3(x mat.Matrix, y []int, s ...Style) Layer3 {
	rows := rows3("Classes3", x)
	if len(y) != len(rows) {
		panic(fmt.Sprintf("plotting: Classes3: %d rows, %d labels", len(rows), len(y)))
	}
	return &classes3{pen.NewGroups("Classes3", y, newLook("Classes3", s, "Names", "Colour", "Size", "Alpha")), rows}
}

func (l *classes3) reach() []vec3 { return l.rows }

func (l *classes3) solids(s *scene3) (all []solid) {
	for i, p := range l.rows {
		if !p.finite() {
			continue
		}
		k := l.Index(i)
		all = append(all, glyph3(s.put(p), func(c *draw.Canvas, to vg.Point) {
			canvas.Hover(c, func() string { return pen.At(p[:], s.lengths()) + " " + pen.Spoken(l.NameOf(k)) }, func() {
				pen.Mark(c, l.Kinds[k], to, l.Radius(l.Diameter()), l.ColourOf(k))
			})
		}))
	}
	return all
}
