package pen

import (
	"cmp"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tag writes a label away from the point at, gap points off in the direction of the
// unit vector to, with a white halo. It moves the label as far as needed to stay on
// the canvas.
func Tag(c draw.Canvas, text string, at, to vg.Point, gap float64, colour color.Color, size float64) {
	if text == "" || !Inside(&c, at) {
		return
	}
	sty := Style(tagSize(size))
	sty.Color = colour
	text = Fitted(text, tagSize(size), c.Size().X-5, c.Size().Y)
	r := OnCanvas(TagBox(text, at, to, gap, size), c)
	mid := r.Min.Add(r.Max).Scale(0.5)
	halo := sty
	halo.Color = Fade(Paper, 0.9)
	for k := range 8 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 4)
		c.FillText(halo, mid.Add(vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}.Scale(1.1)), text)
	}
	c.FillText(sty, mid, text)
}

// TagBox returns the rectangle of a tag before tag moves it.
func TagBox(text string, at, to vg.Point, gap, size float64) vg.Rectangle {
	sty := Style(tagSize(size))
	half := vg.Point{X: sty.Width(text)/2 + 1.5, Y: sty.Height(text) / 2}
	reach := vg.Points(gap) + vg.Length(math.Abs(float64(to.X)))*half.X + vg.Length(math.Abs(float64(to.Y)))*half.Y
	mid := at.Add(to.Scale(reach))
	return vg.Rectangle{Min: mid.Sub(half), Max: mid.Add(half)}
}

// tagSize returns the size of a tag's text; 0 stands for that of labels.
func tagSize(size float64) float64 { return cmp.Or(size, LabelSize) }

// OnCanvas moves a rectangle as far as needed to lie within the canvas.
func OnCanvas(r vg.Rectangle, c draw.Canvas) vg.Rectangle {
	half, mid := r.Size().Scale(0.5), r.Min.Add(r.Max).Scale(0.5)
	mid.X = min(max(mid.X, c.Min.X+half.X+1), c.Max.X-half.X-1)
	mid.Y = min(max(mid.Y, c.Min.Y+half.Y+1), c.Max.Y-half.Y-1)
	return vg.Rectangle{Min: mid.Sub(half), Max: mid.Add(half)}
}
