package plotting

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// plane is the line w·x + b = 0.
type plane struct {
	pen.Look
	w [2]float64
	b float64
}

// Plane draws the hyperplane w·x + b = 0 of a two-dimensional space over the
// final range of the axes. [Shade] tints the positive side. If w is zero, there is
// no line, and the positive side is everything or nothing, depending on b. The axes
// must be linear.
func Plane(w []float64, b float64, s ...PlaneStyle) Layer {
	if len(w) != 2 {
		panic(fmt.Sprintf("plotting: Plane: w has %d components, want 2", len(w)))
	}
	return &plane{pen.NewLook("Plane", s), [2]float64{w[0], w[1]}, b}
}

func (l *plane) Traits() pen.Traits { return pen.Traits{Features: true, Plane: true} }

func (l *plane) Plot(c draw.Canvas, p *plot.Plot) {
	if l.w == [2]float64{} {
		if l.Shade && l.b > 0 {
			c.FillPolygon(l.tone(), []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
		}
		return
	}
	if l.Shade {
		fillArea(c, p, l.tone(), half(corners(p), l.score))
	}
	if ends := l.cut(p); len(ends) == 2 {
		lineAt(c, p, l.Line(pen.Ink, 1.6), []float64{ends[0][0], ends[1][0]}, []float64{ends[0][1], ends[1][1]})
	}
}

func (l *plane) score(q [2]float64) float64 { return l.w[0]*q[0] + l.w[1]*q[1] + l.b }

// corners returns the corners of the axes, counterclockwise.
func corners(p *plot.Plot) [][2]float64 {
	return [][2]float64{{p.X.Min, p.Y.Min}, {p.X.Max, p.Y.Min}, {p.X.Max, p.Y.Max}, {p.X.Min, p.Y.Max}}
}

// half returns the part of a convex polygon where an affine function is at least 0.
func half(area [][2]float64, f func([2]float64) float64) (kept [][2]float64) {
	for i, q := range area {
		r := area[(i+1)%len(area)]
		a, b := f(q), f(r)
		if a >= 0 {
			kept = append(kept, q)
		}
		if (a >= 0) != (b >= 0) {
			kept = append(kept, towards(q, r, a/(a-b)))
		}
	}
	return kept
}

func towards(q, r [2]float64, t float64) [2]float64 {
	return [2]float64{q[0] + t*(r[0]-q[0]), q[1] + t*(r[1]-q[1])}
}

// fillArea fills a polygon given in data coordinates.
func fillArea(c draw.Canvas, p *plot.Plot, colour color.Color, area [][2]float64) {
	tx, ty := p.Transforms(&c)
	var points []vg.Point
	for _, q := range area {
		points = append(points, vg.Point{X: tx(q[0]), Y: ty(q[1])})
	}
	if len(points) > 2 {
		c.FillPolygon(colour, points)
	}
}

// cut returns the two points where the line crosses the border of the axes, or none.
func (l *plane) cut(p *plot.Plot) (ends [][2]float64) {
	all := corners(p)
	for i, q := range all {
		r := all[(i+1)%4]
		if a, b := l.score(q), l.score(r); (a >= 0) != (b >= 0) {
			ends = append(ends, towards(q, r, a/(a-b)))
		}
	}
	return ends
}

// tone returns the tint of the positive side, light enough for points on top.
func (l *plane) tone() color.Color {
	if l.Color != nil {
		return pen.Fade(l.Color, 0.12)
	}
	return pen.Fade(pen.Vermilion, 0.12)
}

func (l *plane) Entries() []pen.Entry { return l.Rules(l.Line(pen.Ink, 1.6)) }

func (l *plane) Alt() string {
	if l.w == [2]float64{} {
		return "no line" + pen.Called(l.Name()) + ", since w = 0"
	}
	if eq := equation(l.w, l.b); l.Name() != eq {
		return "line" + pen.Called(l.Name()) + " " + eq
	}
	return "line " + l.Name()
}

// equation writes w·x + b = 0 with numbers.
func equation(w [2]float64, b float64) string {
	var s strings.Builder
	term := func(v float64, x string) {
		switch {
		case v == 0:
			return
		case s.Len() == 0 && v < 0:
			s.WriteString("−")
		case s.Len() > 0 && v < 0:
			s.WriteString(" − ")
		case s.Len() > 0:
			s.WriteString(" + ")
		}
		if math.Abs(v) != 1 || x == "" {
			s.WriteString(pen.Short(math.Abs(v)))
		}
		s.WriteString(x)
	}
	term(w[0], "x₁")
	term(w[1], "x₂")
	term(b, "")
	return s.String() + " = 0"
}
