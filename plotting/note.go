package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// note is a text at a point.
type note struct {
	look
	at   [2]float64
	text string
}

// Note writes a text centred at (x, y). Like all text in a figure it may
// contain _{…}, ^{…} and line breaks.
func Note(x, y float64, text string, s ...Style) Layer {
	return &note{newLook("Note", s, "Colour", "Size", "Alpha"), [2]float64{x, y}, text}
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
	sty := style(tagSize(size))
	sty.Color = colour
	text = fitted(text, tagSize(size), c.Size().X-5, c.Size().Y)
	r := onCanvas(tagBox(text, at, to, gap, size), c)
	mid := r.Min.Add(r.Max).Scale(0.5)
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
	sty := style(tagSize(size))
	half := vg.Point{X: sty.Width(text)/2 + 1.5, Y: sty.Height(text) / 2}
	reach := vg.Points(gap) + vg.Length(math.Abs(float64(to.X)))*half.X + vg.Length(math.Abs(float64(to.Y)))*half.Y
	mid := at.Add(to.Scale(reach))
	return vg.Rectangle{Min: mid.Sub(half), Max: mid.Add(half)}
}

// tagSize returns the size of a tag's text; 0 stands for that of labels.
func tagSize(size float64) float64 { return cmp.Or(size, labelSize) }

// onCanvas moves a rectangle as far as needed to lie within the canvas.
func onCanvas(r vg.Rectangle, c draw.Canvas) vg.Rectangle {
	half, mid := r.Size().Scale(0.5), r.Min.Add(r.Max).Scale(0.5)
	mid.X = min(max(mid.X, c.Min.X+half.X+1), c.Max.X-half.X-1)
	mid.Y = min(max(mid.Y, c.Min.Y+half.Y+1), c.Max.Y-half.Y-1)
	return vg.Rectangle{Min: mid.Sub(half), Max: mid.Add(half)}
}
