package pen

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/canvas"
)

// stamps draws many glyphs. On a canvas of pixels it draws each shape only once per
// eighth of a pixel that its centre can fall on, and copies it afterwards. Drawing the
// glyphs one by one takes most of the time of a figure with thousands of points.
type stamps struct {
	c    *draw.Canvas
	img  *image.RGBA // nil if each glyph is drawn by itself
	dpi  float64
	made map[stamp]*image.RGBA
}

// stamp is a glyph, its radius, its colour, and its centre's offset in eighths of a pixel.
type stamp struct {
	kind       int
	r          vg.Length
	fill       color.NRGBA64
	right, low int
}

// NewStamps returns stamps for n glyphs.
func NewStamps(c *draw.Canvas, n int) *stamps {
	const many = 300
	s := &stamps{c: c}
	if img, dpi, ok := canvas.PixelsOf(c.Canvas); ok && n >= many {
		s.img, s.dpi, s.made = img, dpi, map[stamp]*image.RGBA{}
	}
	return s
}

// Mark draws the same as [mark], and words under the mouse; see [hover].
func (s *stamps) Mark(kind int, at vg.Point, r vg.Length, fill color.Color, words func() string) {
	if s.img == nil {
		canvas.Hover(s.c, words, func() { Mark(s.c, kind, at, r, fill) })
		return
	}
	if !Inside(s.c, at) || canvas.LeavesOut(s.c, at, largest*r+1) {
		return
	}
	x := int(math.Round(8 * at.X.Dots(s.dpi)))
	y := int(math.Round(8 * (float64(s.img.Bounds().Dy()) - at.Y.Dots(s.dpi))))
	key := stamp{kind, r, color.NRGBA64Model.Convert(fill).(color.NRGBA64), x & 7, y & 7}
	shape := s.made[key]
	if shape == nil {
		shape = s.make(key)
		s.made[key] = shape
	}
	half := shape.Bounds().Dx() / 2
	over(s.img, shape, image.Pt(x>>3-half, y>>3-half))
}

// make draws a glyph in the middle of a transparent picture of its own.
func (s *stamps) make(key stamp) *image.RGBA {
	half := int(math.Ceil((largest*key.r + 1).Dots(s.dpi))) + 1
	pixel := vg.Inch / vg.Length(s.dpi)
	size := vg.Length(2*half) * pixel
	cv := canvas.NewPixels(size, size, int(s.dpi), color.Transparent)
	c := draw.New(cv)
	at := vg.Point{X: (vg.Length(half) + vg.Length(key.right)/8) * pixel, Y: size - (vg.Length(half)+vg.Length(key.low)/8)*pixel}
	Mark(&c, key.kind, at, key.r, key.fill)
	return cv.Image().(*image.RGBA)
}

// over composes src over dst, with its upper left corner at a point.
func over(dst, src *image.RGBA, at image.Point) {
	r := src.Bounds().Add(at).Intersect(dst.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from := src.Pix[src.PixOffset(r.Min.X-at.X, y-at.Y):]
		to := dst.Pix[dst.PixOffset(r.Min.X, y):]
		for i := 0; i < 4*r.Dx(); i += 4 {
			switch a := uint32(from[i+3]); a {
			case 0:
			case 255:
				copy(to[i:i+4], from[i:i+4])
			default:
				for k := i; k < i+4; k++ {
					to[k] = from[k] + uint8((uint32(to[k])*(255-a)+127)/255)
				}
			}
		}
	}
}
