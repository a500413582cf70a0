package pen

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/canvas"
)

// glyphNames names the shapes of the glyphs, in order, for text alternatives.
var glyphNames = [...]string{
	"discs", "squares", "triangles", "diamonds", "inverted triangles", "crosses", "pentagons", "stars",
	"upright crosses", "left triangles", "right triangles", "upright bars", "level bars",
}

// ClassLooks is the number of classes that glyphs tell apart without their colours: the shapes, full
// and with a hole.
const ClassLooks = 2 * len(glyphNames)

// Form returns the shape of a kind of glyph, 0 to classLooks−1, and whether it has a hole. The first
// eight are full, and so easy to see when they are small; then come the same with a hole.
func Form(kind int) (shape int, holed bool) {
	const first = len(Hues)
	const more = len(glyphNames) - first
	switch {
	case kind < first:
		return kind, false
	case kind < 2*first:
		return kind - first, true
	case kind < 2*first+more:
		return kind - first, false
	}
	return kind - first - more, true
}

// ClassHue returns the index of a class's colour. A shape with a hole has another colour than the
// full one.
func ClassHue(kind int) int { return (kind + 3*(kind/len(Hues))) % len(Hues) }

// Mark draws a glyph with a thin white rim, which keeps touching neighbours apart. It
// draws nothing if the point lies outside the canvas.
func Mark(c *draw.Canvas, kind int, at vg.Point, r vg.Length, fill color.Color) {
	if !Inside(c, at) || canvas.LeavesOut(c, at, largest*r+1) {
		return
	}
	path := glyph(kind, at, r)
	c.SetColor(fill)
	c.Fill(path)
	_, _, _, a := fill.RGBA()
	c.SetLineStyle(draw.LineStyle{Color: Fade(Paper, float64(a)/0xFFFF), Width: vg.Points(0.6)})
	c.Stroke(path)
	if shape, holed := Form(kind); holed {
		hole := 0.5 * r
		if shape == 5 || shape == 8 {
			hole = 0.36 * r // a larger one would cut a cross into pieces
		}
		c.SetColor(Fade(Paper, float64(a)/0xFFFF))
		c.Fill(Disc(at, hole))
	}
}

// largest bounds the radius of a glyph without its rim, in radii of a disc of the same area.
const largest = 1.6

// Inside is draw.Canvas.Contains with a tolerance for rounding errors.
func Inside(c *draw.Canvas, p vg.Point) bool {
	const slack = 0.01
	return p.X >= c.Min.X-slack && p.X <= c.Max.X+slack && p.Y >= c.Min.Y-slack && p.Y <= c.Max.Y+slack
}

// glyph returns the outline of a glyph with about the area of a disc of radius r.
func glyph(kind int, at vg.Point, r vg.Length) vg.Path {
	shape, _ := Form(kind)
	switch shape {
	case 0:
		return Disc(at, r)
	case 1:
		return star(at, 1.25*r, 1, 4, math.Pi/4)
	case 2:
		return star(at, 1.45*r, 1, 3, math.Pi/2)
	case 3:
		return star(at, 1.3*r, 1, 4, 0)
	case 4:
		return star(at, 1.45*r, 1, 3, -math.Pi/2)
	case 5:
		return star(at, 1.45*r, 0.38, 4, math.Pi/4)
	case 6:
		return star(at, 1.2*r, 1, 5, math.Pi/2)
	case 7:
		return star(at, 1.5*r, 0.45, 5, math.Pi/2)
	case 8:
		return star(at, 1.45*r, 0.38, 4, 0)
	case 9:
		return star(at, 1.45*r, 1, 3, math.Pi)
	case 10:
		return star(at, 1.45*r, 1, 3, 0)
	case 11:
		return bar(at, 0.65*r, 1.4*r)
	}
	return bar(at, 1.4*r, 0.65*r)
}

// bar returns a rectangle of twice the given width and height.
func bar(at vg.Point, w, h vg.Length) vg.Path {
	half := vg.Point{X: w, Y: h}
	return vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)}.Path()
}

// Disc returns a circle.
func Disc(at vg.Point, r vg.Length) (p vg.Path) {
	p.Move(vg.Point{X: at.X + r, Y: at.Y})
	p.Arc(at, r, 0, 2*math.Pi)
	p.Close()
	return p
}

// star returns a star with n rays of length r, the first at the given angle. The
// notches between them are at distance in·r from the centre; in = 1 gives a regular
// polygon.
func star(at vg.Point, r vg.Length, in float64, n int, angle float64) (p vg.Path) {
	to := func(r vg.Length, a float64) {
		sin, cos := math.Sincos(a)
		pt := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
		if len(p) == 0 {
			p.Move(pt)
			return
		}
		p.Line(pt)
	}
	for k := range n {
		a := angle + 2*math.Pi*float64(k)/float64(n)
		to(r, a)
		if in < 1 {
			to(r*vg.Length(in), a+math.Pi/float64(n))
		}
	}
	p.Close()
	return p
}
