package pen

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Arrow draws an arrow from a to b, which must differ.
func Arrow(c draw.Canvas, a, b vg.Point, sty draw.LineStyle) {
	d := b.Sub(a)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	size := HeadSize(sty, length)
	u := d.Scale(1 / length)
	c.StrokeLines(sty, c.ClipLinesXY([]vg.Point{a, b.Sub(u.Scale(Neck * size))})...)
	if Inside(&c, b) {
		Head(c, b, u, size, sty)
	}
}

// Neck is the distance from the tip to the end of the shaft, in sizes of the head.
const Neck = 0.8

// HeadSize returns the size of the head of an arrow of a length.
func HeadSize(sty draw.LineStyle, length vg.Length) vg.Length {
	return min(3*sty.Width+3, length*0.6)
}

// Head draws the head of an arrow with its tip at b, in the direction of the unit vector u.
func Head(c draw.Canvas, b, u vg.Point, size vg.Length, sty draw.LineStyle) {
	foot, n := b.Sub(u.Scale(size)), vg.Point{X: -u.Y, Y: u.X}.Scale(0.42*size)
	var path vg.Path
	path.Move(b)
	path.Line(foot.Add(n))
	path.Line(b.Sub(u.Scale(Neck * size)))
	path.Line(foot.Sub(n))
	path.Close()
	c.SetColor(sty.Color)
	c.Fill(path)
}
