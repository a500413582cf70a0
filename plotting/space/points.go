package space

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting"
	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// rowsOf returns the rows of x, n×3.
func rowsOf(who string, x mat.Matrix) []vec {
	n, d := x.Dims()
	if d != 3 {
		panic(fmt.Sprintf("plotting: space.%s: x is %d×%d, want n×3", who, n, d))
	}
	rows := make([]vec, n)
	for i := range rows {
		rows[i] = vec{x.At(i, 0), x.At(i, 1), x.At(i, 2)}
	}
	return rows
}

// pointOf converts a slice of length 3 to a point.
func pointOf(who, what string, x []float64) vec {
	if len(x) != 3 {
		panic(fmt.Sprintf("plotting: space.%s: %s has %d components, want 3", who, what, len(x)))
	}
	return vec{x[0], x[1], x[2]}
}

// glyphAt returns the solid of a point.
func glyphAt(at vec, paint func(c *draw.Canvas, at vg.Point)) solid {
	return solid{at: []vec{at}, paint: func(c draw.Canvas, at []vg.Point) { paint(&c, at[0]) }}
}

// points are points in space.
type points struct {
	pen.Look
	rows []vec
}

// Points draws a dot at every row of x, n×3. Rows with a NaN or infinite coordinate are
// left out.
func Points(x mat.Matrix, s ...plotting.PointsStyle) Layer {
	return &points{pen.NewLook("space.Points", s), rowsOf("Points", x)}
}

func (l *points) Entries() []pen.Entry { return l.Dots() }

func (l *points) Alt() string {
	drawn := 0
	for _, p := range l.rows {
		if p.finite() {
			drawn++
		}
	}
	return pen.Count(drawn, "point", "points") + pen.Called(l.Name())
}

func (l *points) tint(next int) (Layer, bool) {
	t := *l
	return &t, t.Choose(next)
}

func (l *points) reach() []vec { return l.rows }

func (l *points) solids(s *scene) (all []solid) {
	for _, p := range l.rows {
		if p.finite() {
			all = append(all, glyphAt(s.put(p), func(c *draw.Canvas, to vg.Point) {
				canvas.Hover(c, func() string { return pen.At(p[:], s.lengths()) + pen.Called(l.Name()) }, func() {
					pen.Mark(c, l.Glyph(), to, l.Radius(5.5), l.Paint(pen.Blue))
				})
			}))
		}
	}
	return all
}

// classes are samples in space with one colour and glyph per class.
type classes struct {
	pen.Groups
	rows []vec
}

// Classes draws the rows of x, n×3, each with the colour and the glyph of its label
// y[i], as [plotting.Classes] does in the plane.
func Classes(x mat.Matrix, y []int, s ...plotting.PointsStyle) Layer {
	rows := rowsOf("Classes", x)
	if len(y) != len(rows) {
		panic(fmt.Sprintf("plotting: space.Classes: %d rows, %d labels", len(rows), len(y)))
	}
	return &classes{pen.NewGroups("space.Classes", y, pen.NewLooks("space.Classes", s)), rows}
}

func (l *classes) reach() []vec { return l.rows }

func (l *classes) solids(s *scene) (all []solid) {
	for i, p := range l.rows {
		if !p.finite() {
			continue
		}
		k := l.Index(i)
		all = append(all, glyphAt(s.put(p), func(c *draw.Canvas, to vg.Point) {
			canvas.Hover(c, func() string { return pen.At(p[:], s.lengths()) + " " + pen.Spoken(l.NameOf(k)) }, func() {
				pen.Mark(c, l.Kinds[k], to, l.Radius(l.Diameter()), l.ColourOf(k))
			})
		}))
	}
	return all
}
