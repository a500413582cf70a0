package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// segment is a line segment, with or without an arrowhead.
type segment struct {
	look
	from, to [2]float64
	label    string
	head     bool
}

// segmentTakes are the styles of arrows and segments; Size is that of the label.
var segmentTakes = []string{"Name", "Colour", "Width", "Alpha", "Dashed", "Size"}

// Arrow draws an arrow from (x0, y0) to (x1, y1) with the label beyond its
// head. With a [Plane] in the same figure the axes get equal scales, so a
// normal looks perpendicular.
func Arrow(x0, y0, x1, y1 float64, label string, s ...Style) Layer {
	return &segment{newLook("Arrow", s, segmentTakes...), [2]float64{x0, y0}, [2]float64{x1, y1}, label, true}
}

// Segment draws the line segment from (x0, y0) to (x1, y1) with the label
// beside its middle.
func Segment(x0, y0, x1, y1 float64, label string, s ...Style) Layer {
	return &segment{newLook("Segment", s, segmentTakes...), [2]float64{x0, y0}, [2]float64{x1, y1}, label, false}
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
