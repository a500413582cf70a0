package plotting

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// plane is the line w·x + b = 0.
type plane struct {
	look
	w [2]float64
	b float64
}

// Plane draws the hyperplane w·x + b = 0 of a two-dimensional space over the
// final range of the axes. [Shade] tints the positive side. If w is zero, there is
// no line, and the positive side is everything or nothing, depending on b. The axes
// must be linear.
func Plane(w []float64, b float64, s ...Style) Layer {
	if len(w) != 2 {
		panic(fmt.Sprintf("plotting: Plane: w has %d components, want 2", len(w)))
	}
	return &plane{newLook(s), [2]float64{w[0], w[1]}, b}
}

func (l *plane) traits() traits { return traits{features: true, plane: true} }

func (l *plane) Plot(c draw.Canvas, p *plot.Plot) {
	if l.w == [2]float64{} {
		if l.shade && l.b > 0 {
			c.FillPolygon(l.tone(), []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
		}
		return
	}
	if l.shade {
		fillArea(c, p, l.tone(), half(corners(p), l.score))
	}
	if ends := l.cut(p); len(ends) == 2 {
		lineAt(c, p, l.line(ink, 1.6), []float64{ends[0][0], ends[1][0]}, []float64{ends[0][1], ends[1][1]})
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
	if l.colour != nil {
		return fade(l.colour, 0.12)
	}
	return fade(Vermilion, 0.12)
}

func (l *plane) entries() []entry {
	return named(l.name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(l.line(ink, 1.6), at.X-w/2, at.Y, at.X+w/2, at.Y)
	})
}

func (l *plane) alt() string {
	if l.w == [2]float64{} {
		return "no line" + called(l.name()) + ", since w = 0"
	}
	if eq := equation(l.w, l.b); l.name() != eq {
		return "line" + called(l.name()) + " " + eq
	}
	return "line " + l.name()
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
			s.WriteString(short(math.Abs(v)))
		}
		s.WriteString(x)
	}
	term(w[0], "x₁")
	term(w[1], "x₂")
	term(b, "")
	return s.String() + " = 0"
}

// segment is a line segment, with or without an arrowhead.
type segment struct {
	look
	from, to [2]float64
	label    string
	head     bool
}

// Arrow draws an arrow from (x0, y0) to (x1, y1) with the label beyond its
// head. With a [Plane] in the same figure the axes get equal scales, so a
// normal looks perpendicular.
func Arrow(x0, y0, x1, y1 float64, label string, s ...Style) Layer {
	return &segment{newLook(s), [2]float64{x0, y0}, [2]float64{x1, y1}, label, true}
}

// Segment draws the line segment from (x0, y0) to (x1, y1) with the label
// beside its middle.
func Segment(x0, y0, x1, y1 float64, label string, s ...Style) Layer {
	return &segment{newLook(s), [2]float64{x0, y0}, [2]float64{x1, y1}, label, false}
}

func (l *segment) coords() (xs, ys []float64) {
	return []float64{l.from[0], l.to[0]}, []float64{l.from[1], l.to[1]}
}

func (l *segment) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *segment) traits() traits { return traits{normal: l.head, geometry: true} }

func (l *segment) style() draw.LineStyle {
	if l.head {
		return l.line(Green, 2)
	}
	return l.line(edge, 1.2)
}

func (l *segment) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	a := vg.Point{X: tx(l.from[0]), Y: ty(l.from[1])}
	b := vg.Point{X: tx(l.to[0]), Y: ty(l.to[1])}
	d := b.Sub(a)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	sty := l.style()
	if length < 0.1 {
		mark(&c, 0, a, 2*sty.Width, sty.Color)
		tag(c, l.label, a, vg.Point{Y: 1}, 4, sty.Color, l.size)
		return
	}
	u := d.Scale(1 / length)
	if !l.head {
		c.StrokeLines(sty, c.ClipLinesXY([]vg.Point{a, b})...)
		n := vg.Point{X: -u.Y, Y: u.X}
		if n.Y < 0 || n.Y == 0 && n.X < 0 {
			n = n.Scale(-1)
		}
		tag(c, l.label, a.Add(d.Scale(0.5)), n, 4, sty.Color, l.size)
		return
	}
	arrow(c, a, b, sty)
	tag(c, l.label, b, u, 3, sty.Color, l.size)
}

// arrow draws an arrow from a to b, which must differ.
func arrow(c draw.Canvas, a, b vg.Point, sty draw.LineStyle) {
	d := b.Sub(a)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	size := headSize(sty, length)
	u := d.Scale(1 / length)
	c.StrokeLines(sty, c.ClipLinesXY([]vg.Point{a, b.Sub(u.Scale(neck * size))})...)
	if inside(&c, b) {
		head(c, b, u, size, sty)
	}
}

// neck is the distance from the tip to the end of the shaft, in sizes of the head.
const neck = 0.8

func headSize(sty draw.LineStyle, length vg.Length) vg.Length {
	return min(3*sty.Width+3, length*0.6)
}

// head draws the head of an arrow with its tip at b, in the direction of the unit vector u.
func head(c draw.Canvas, b, u vg.Point, size vg.Length, sty draw.LineStyle) {
	foot, n := b.Sub(u.Scale(size)), vg.Point{X: -u.Y, Y: u.X}.Scale(0.42*size)
	var path vg.Path
	path.Move(b)
	path.Line(foot.Add(n))
	path.Line(b.Sub(u.Scale(neck * size)))
	path.Line(foot.Sub(n))
	path.Close()
	c.SetColor(sty.Color)
	c.Fill(path)
}

func (l *segment) entries() []entry {
	return named(l.name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		if l.head {
			arrow(*c, vg.Point{X: at.X - w/2, Y: at.Y}, vg.Point{X: at.X + w/2, Y: at.Y}, l.style())
			return
		}
		c.StrokeLine2(l.style(), at.X-w/2, at.Y, at.X+w/2, at.Y)
	})
}

func (l *segment) alt() string {
	what := "segment"
	if l.head {
		what = "arrow"
	}
	name := l.label
	if name == "" {
		name = l.name()
	}
	return fmt.Sprintf("%s%s from (%s, %s) to (%s, %s)", what, called(name),
		short(l.from[0]), short(l.from[1]), short(l.to[0]), short(l.to[1]))
}

// note is a text at a point.
type note struct {
	look
	at   [2]float64
	text string
}

// Note writes a text centred at (x, y). Like all text in a figure it may
// contain _{…}, ^{…} and line breaks.
func Note(x, y float64, text string, s ...Style) Layer {
	return &note{newLook(s), [2]float64{x, y}, text}
}

func (l *note) coords() (xs, ys []float64) { return l.at[:1], l.at[1:] }

func (l *note) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *note) traits() traits { return traits{geometry: true} }

func (l *note) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	tag(c, l.text, vg.Point{X: tx(l.at[0]), Y: ty(l.at[1])}, vg.Point{}, 0, l.paint(ink), l.size)
}

func (l *note) alt() string {
	return fmt.Sprintf("note “%s” at (%s, %s)", spoken(l.text), short(l.at[0]), short(l.at[1]))
}

// tag writes a label away from the point at, gap points off in the direction of the
// unit vector to, with a white halo. It moves the label as far as needed to stay on
// the canvas.
func tag(c draw.Canvas, text string, at, to vg.Point, gap float64, colour color.Color, size float64) {
	if text == "" || !inside(&c, at) {
		return
	}
	if size == 0 {
		size = labelSize
	}
	sty := style(size)
	sty.Color = colour
	r := tagBox(text, at, to, gap, size)
	w, h := r.Size().X/2, r.Size().Y/2
	mid := r.Min.Add(r.Max).Scale(0.5)
	mid.X = min(max(mid.X, c.Min.X+w+1), c.Max.X-w-1)
	mid.Y = min(max(mid.Y, c.Min.Y+h+1), c.Max.Y-h-1)
	halo := sty
	halo.Color = fade(paper, 0.9)
	for k := range 8 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 4)
		c.FillText(halo, mid.Add(vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}.Scale(1.1)), text)
	}
	c.FillText(sty, mid, text)
}

// tagBox returns the rectangle of a tag before tag moves it.
func tagBox(text string, at, to vg.Point, gap, size float64) vg.Rectangle {
	sty := style(size)
	half := vg.Point{X: sty.Width(text)/2 + 1.5, Y: sty.Height(text) / 2}
	reach := vg.Points(gap) + vg.Length(math.Abs(float64(to.X)))*half.X + vg.Length(math.Abs(float64(to.Y)))*half.Y
	mid := at.Add(to.Scale(reach))
	return vg.Rectangle{Min: mid.Sub(half), Max: mid.Add(half)}
}

// corner marks a right angle.
type corner struct {
	look
	at, leg [2]float64
}

// RightAngle marks the right angle at (x, y) between the directions (dx, dy)
// and (-dy, dx). It gives the axes equal scales.
func RightAngle(x, y, dx, dy float64, s ...Style) Layer {
	return &corner{newLook(s), [2]float64{x, y}, [2]float64{dx, dy}}
}

func (l *corner) coords() (xs, ys []float64) { return l.at[:1], l.at[1:] }

func (l *corner) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *corner) traits() traits { return traits{plane: true, normal: true, geometry: true} }

func (l *corner) Plot(c draw.Canvas, p *plot.Plot) {
	norm := math.Hypot(l.leg[0], l.leg[1])
	if norm == 0 {
		return
	}
	tx, ty := p.Transforms(&c)
	at := vg.Point{X: tx(l.at[0]), Y: ty(l.at[1])}
	u := vg.Point{X: vg.Length(l.leg[0] / norm), Y: vg.Length(l.leg[1] / norm)}.Scale(l.radius(15))
	v := vg.Point{X: -u.Y, Y: u.X}
	c.StrokeLines(l.line(edge, 1), c.ClipLinesXY([]vg.Point{at.Add(u), at.Add(u).Add(v), at.Add(v)})...)
}

func (l *corner) alt() string {
	return fmt.Sprintf("right angle at (%s, %s)", short(l.at[0]), short(l.at[1]))
}

// perpendicular is the segment from a point to its foot on a plane.
type perpendicular struct {
	segment
	mark corner
}

// Perpendicular draws the perpendicular from x to the plane w·x + b = 0: the
// segment with the label beside it, the foot, and the right angle there. Its
// length is the distance |w·x + b| / ‖w‖. It panics if w is zero.
func Perpendicular(w []float64, b float64, x []float64, label string, s ...Style) Layer {
	if len(w) != 2 || len(x) != 2 {
		panic(fmt.Sprintf("plotting: Perpendicular: w has %d components, x has %d, want 2", len(w), len(x)))
	}
	if w[0] == 0 && w[1] == 0 {
		panic("plotting: Perpendicular: w = 0 has no plane")
	}
	t := (w[0]*x[0] + w[1]*x[1] + b) / (w[0]*w[0] + w[1]*w[1])
	foot := [2]float64{x[0] - t*w[0], x[1] - t*w[1]}
	up := math.Copysign(1, t)
	l := newLook(s)
	return &perpendicular{
		segment{l, [2]float64{x[0], x[1]}, foot, label, false},
		corner{look{alpha: l.alpha, colour: l.colour}, foot, [2]float64{up * w[0], up * w[1]}},
	}
}

func (l *perpendicular) traits() traits { return l.mark.traits() }

func (l *perpendicular) Plot(c draw.Canvas, p *plot.Plot) {
	l.mark.Plot(c, p)
	l.segment.Plot(c, p)
	tx, ty := p.Transforms(&c)
	mark(&c, 0, vg.Point{X: tx(l.to[0]), Y: ty(l.to[1])}, vg.Points(2.2), l.style().Color)
}

func (l *perpendicular) alt() string {
	return fmt.Sprintf("perpendicular%s from (%s, %s) to its foot (%s, %s), length %s", called(l.label),
		short(l.from[0]), short(l.from[1]), short(l.to[0]), short(l.to[1]),
		short(math.Hypot(l.from[0]-l.to[0], l.from[1]-l.to[1])))
}
