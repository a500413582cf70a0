// Package pixels is a vg.Canvas of pixels, and no more than that.
//
// gonum/plot's own, vgimg, brings along encoders and decoders for PNG, JPEG and TIFF, a
// bitmap font, and interpolations for every pair of formats of images. A cell of a
// notebook that draws is linked with what it draws with after every edit, and those
// took a third of what that takes more than linking gonum/mat alone. The pictures are
// those of vgimg, pixel for pixel, since the arithmetic is the same: coordinates in
// sixty-fourths of a pixel, curves of about one line a pixel, lines with butt ends and
// round joins, and letters whose pixels are interpolated between.
//
// It differs where vgimg goes wrong: Pop brings back a width of 0 as well, every part of
// a path begins its dashes at the offset, and an image fills its rectangle wherever its
// own bounds begin.
package pixels

import (
	"image"
	"image/color"
	"image/draw"

	"github.com/golang/freetype/raster"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/affine"
)

// A Canvas draws on a picture. [New] makes one.
type Canvas struct {
	state
	stack   []state
	w, h    vg.Length
	dpi     float64
	img     *image.RGBA
	raster  *raster.Rasterizer
	painter *raster.RGBAPainter
	line    line // that is being stroked
}

// state is what Push keeps and Pop brings back. Lengths are in pixels; the matrix
// takes points of the canvas to points of the picture, whose origin is the upper left
// end.
type state struct {
	colour color.Color
	width  float64
	dashes dashes
	matrix affine.Matrix
}

var _ vg.CanvasSizer = (*Canvas)(nil)

// New returns a canvas w wide and h high, with dpi pixels an inch, in the colour of its
// background. The picture is rounded to whole pixels.
func New(w, h vg.Length, dpi int, background color.Color) *Canvas {
	d := float64(dpi)
	img := image.NewRGBA(image.Rect(0, 0, int(w.Dots(d)+0.5), int(h.Dots(d)+0.5)))
	draw.Draw(img, img.Rect, image.NewUniform(background), image.Point{}, draw.Src)
	c := &Canvas{
		w: w, h: h, dpi: d, img: img,
		raster:  raster.NewRasterizer(img.Rect.Dx(), img.Rect.Dy()),
		painter: raster.NewRGBAPainter(img),
	}
	c.raster.UseNonZeroWinding = true
	c.matrix = affine.Identity
	c.invert()
	vg.Initialize(c)
	return c
}

// Image returns the picture, an [*image.RGBA]. What is drawn later appears on it.
func (c *Canvas) Image() draw.Image { return c.img }

// DPI returns the pixels an inch.
func (c *Canvas) DPI() float64 { return c.dpi }

// Size returns the size that [New] was given.
func (c *Canvas) Size() (w, h vg.Length) { return c.w, c.h }

// SetLineWidth sets the width of lines.
func (c *Canvas) SetLineWidth(w vg.Length) { c.width = w.Dots(c.dpi) }

// SetLineDash sets the lengths of dashes and of the gaps between them, and how far into
// them a line begins.
func (c *Canvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	lengths := make([]float64, len(pattern))
	for i, l := range pattern {
		lengths[i] = l.Dots(c.dpi)
	}
	c.dashes = newDashes(lengths, offset.Dots(c.dpi))
}

// SetColor sets the colour of lines, areas and text.
func (c *Canvas) SetColor(col color.Color) {
	if col == nil {
		col = color.Black
	}
	c.colour = col
}

// Rotate turns what is drawn from now on, anticlockwise by an angle in radians.
func (c *Canvas) Rotate(angle float64) { c.matrix = c.matrix.Rotate(angle) }

// Translate moves what is drawn from now on.
func (c *Canvas) Translate(p vg.Point) { c.matrix = c.matrix.Translate(c.dots(p)) }

// Scale enlarges what is drawn from now on, but not the widths of lines.
func (c *Canvas) Scale(x, y float64) { c.matrix = c.matrix.Scale(x, y) }

// invert lets y grow the other way, from the other end of the picture.
func (c *Canvas) invert() {
	c.matrix = c.matrix.Translate(0, float64(c.img.Rect.Dy())).Scale(1, -1)
}

// Push keeps the width and the dashes of lines, the colour and the transformation.
func (c *Canvas) Push() { c.stack = append(c.stack, c.state) }

// Pop brings back what the last Push kept.
func (c *Canvas) Pop() {
	c.state = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
}

func (c *Canvas) dots(p vg.Point) (x, y float64) { return p.X.Dots(c.dpi), p.Y.Dots(c.dpi) }
