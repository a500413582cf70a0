package pixels

import (
	"image"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/affine"
)

// FillString draws text whose first letter stands at a point. Letters that the font
// lacks are left out, without a gap.
func (c *Canvas) FillString(f font.Face, at vg.Point, text string) {
	if f.Font.Size == 0 {
		return
	}
	face := f.FontFace(c.dpi)
	defer face.Close()
	c.Push()
	defer c.Pop()
	// Letters stand upright in pixels, of which y grows downwards.
	c.invert()
	x, y := c.dots(at)
	dot := point{x, c.h.Dots(c.dpi) - y}.fixed()
	r, g, b, a := c.colour.RGBA()
	last := rune(-1)
	for _, letter := range text {
		if last >= 0 {
			dot.X += face.Kern(last, letter)
		}
		box, mask, from, advance, ok := face.Glyph(dot, letter)
		if !ok {
			continue
		}
		m := c.matrix.Translate(float64(box.Min.X), float64(box.Min.Y))
		c.lay(m, image.Rectangle{Max: box.Size()}, func(x, y int) (uint32, uint32, uint32, uint32) {
			_, _, _, k := mask.At(from.X+x, from.Y+y).RGBA()
			return r * k / 0xFFFF, g * k / 0xFFFF, b * k / 0xFFFF, a * k / 0xFFFF
		})
		dot.X += advance
		last = letter
	}
}

// DrawImage fills a rectangle with an image. It interpolates between its pixels.
func (c *Canvas) DrawImage(r vg.Rectangle, img image.Image) {
	bounds := img.Bounds()
	if bounds.Empty() {
		return
	}
	x, y := c.dots(r.Min)
	w, h := c.dots(r.Size())
	m := c.matrix.Scale(1, -1).Translate(x, -y-h).Scale(w/float64(bounds.Dx()), h/float64(bounds.Dy()))
	c.lay(m, image.Rectangle{Max: bounds.Size()}, func(x, y int) (uint32, uint32, uint32, uint32) {
		return img.At(bounds.Min.X+x, bounds.Min.Y+y).RGBA()
	})
}

// lay lays an image over the picture. m takes its points to those of the picture; at is
// the colour of its pixel, premultiplied, 16 bits each.
//
// A pixel of the picture gets the mean of those of the image that are near to where its
// middle comes from, with weights that fall evenly to nothing over one pixel of the
// picture or of the image, whichever is larger. Where an image is enlarged that is
// bilinear interpolation.
func (c *Canvas) lay(m affine.Matrix, size image.Rectangle, at func(x, y int) (r, g, b, a uint32)) {
	reach := c.img.Rect.Intersect(cover(m, size))
	if reach.Empty() || size.Empty() {
		return
	}
	back := m.Inverse()
	for _, v := range back {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return // the image has no width or no height
		}
	}
	// From here on points of the image are counted from one beyond its reach, where both
	// coordinates are positive, so that the rounding is that of other programs.
	origin := cover(back, reach).Min.Sub(image.Pt(1, 1))
	back[4] -= float64(origin.X)
	back[5] -= float64(origin.Y)
	across := newTent(math.Max(math.Abs(back[0]), math.Abs(back[2])), size.Max.X)
	down := newTent(math.Max(math.Abs(back[1]), math.Abs(back[3])), size.Max.Y)
	for y := reach.Min.Y; y < reach.Max.Y; y++ {
		v := float64(y) + 0.5
		pix := c.img.Pix[c.img.PixOffset(reach.Min.X, y):]
		for x := reach.Min.X; x < reach.Max.X; x, pix = x+1, pix[4:] {
			u := float64(x) + 0.5
			sx := float64(back[0]*u) + float64(back[2]*v) + back[4]
			sy := float64(back[1]*u) + float64(back[3]*v) + back[5]
			if !image.Pt(int(sx)+origin.X, int(sy)+origin.Y).In(size) {
				continue
			}
			left, columns := across.weigh(sx + float64(origin.X) - 0.5)
			top, rows := down.weigh(sy + float64(origin.Y) - 0.5)
			var sum [4]float64
			for j, q := range rows {
				for i, p := range columns {
					w := p * q
					if w == 0 {
						continue
					}
					r, g, b, a := at(left+i, top+j)
					sum[0] += float64(float64(r) * w)
					sum[1] += float64(float64(g) * w)
					sum[2] += float64(float64(b) * w)
					sum[3] += float64(float64(a) * w)
				}
			}
			if sum[3] > 0 {
				over(pix, sum)
			}
		}
	}
}

// over lays a premultiplied colour, 0 to 65535 each, over a pixel.
func over(pix []uint8, colour [4]float64) {
	opacity := min(colour[3], 0xFFFF)
	rest := 0xFFFF - uint32(opacity+0.5)
	for k, v := range colour {
		pix[k] = uint8((uint32(pix[k])*0x101*rest/0xFFFF + uint32(min(v, opacity)+0.5)) >> 8)
	}
}

// cover returns the pixels that m takes those of a rectangle to, or some more.
func cover(m affine.Matrix, r image.Rectangle) (all image.Rectangle) {
	for _, p := range [4]image.Point{r.Min, {r.Max.X, r.Min.Y}, {r.Min.X, r.Max.Y}, r.Max} {
		px, py := float64(p.X), float64(p.Y)
		x := int(math.Floor(float64(m[0]*px) + float64(m[2]*py) + m[4]))
		y := int(math.Floor(float64(m[1]*px) + float64(m[3]*py) + m[5]))
		all = all.Union(image.Rect(x, y, x+1, y+1))
	}
	return all
}

// tent has the weights of pixels by their distance along one axis.
type tent struct {
	half, slope float64
	weights     []float64
}

// newTent returns the weights of n pixels of an image, of which one of the picture is
// so many wide.
func newTent(wide float64, n int) *tent {
	wide = math.Max(1, wide)
	return &tent{half: wide, slope: 1 / wide, weights: make([]float64, n)}
}

// weigh returns the first pixel that counts at a point which is s beyond the middle of
// pixel 0, and the weights from there on. They add up to 1.
func (t *tent) weigh(s float64) (first int, weights []float64) {
	first = int(math.Max(0, math.Floor(s-t.half)))
	end := int(math.Min(float64(len(t.weights)), math.Ceil(s+t.half)))
	weights = t.weights[first:max(first, end)]
	sum := 0.0
	for i := range weights {
		weights[i] = max(0, 1-math.Abs((s-float64(first+i))*t.slope))
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return first, weights
}
