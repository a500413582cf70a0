package canvas

import (
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// PaintPNG returns what paint draws as a PNG file with dpi pixels per inch.
func PaintPNG(paint func(draw.Canvas), w, h vg.Length, dpi int) []byte {
	return EncodePNG(PaintImage(paint, w, h, dpi), dpi)
}

// PaintImage returns what paint draws on white, with dpi pixels per inch.
func PaintImage(paint func(draw.Canvas), w, h vg.Length, dpi int) *image.RGBA {
	if dpi < 1 {
		panic(fmt.Sprintf("plotting: PNG: %d dpi, want at least 1", dpi))
	}
	// The canvas starts white. Painting it white again would take a third of the time.
	cv := NewPixels(w, h, dpi, color.White)
	paint(draw.New(cv))
	img, _, _ := PixelsOf(cv)
	return img
}

// NewPixels returns a canvas of pixels filled with its background colour.
func NewPixels(w, h vg.Length, dpi int, background color.Color) *vgimg.Canvas {
	return vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(background))
}

// PixelsOf returns the image behind a canvas of pixels and its resolution. ok is false for
// other canvases.
func PixelsOf(c vg.Canvas) (img *image.RGBA, dpi float64, ok bool) {
	p, ok := c.(interface {
		Image() imagedraw.Image
		DPI() float64
	})
	if !ok {
		return nil, 0, false
	}
	img, ok = p.Image().(*image.RGBA)
	return img, p.DPI(), ok
}
