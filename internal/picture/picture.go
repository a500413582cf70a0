// Package picture compares pictures pixel by pixel, with the tolerance that
// other processors need.
//
//	want, err := picture.Decode(stored)
//	…
//	d := picture.Compare(want, got)
//	if !d.Same() {
//		log.Print(d)
//	}
package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
)

// Two pictures are the same if at most farShare of their pixels are farther apart
// than nearLevels in a channel of 0..255, and no spot of more than spotPixels
// pixels that touch is farther apart than spotLevels.
//
// Go's floating point may fuse multiply and add on other processors. That moves
// a coordinate by a last bit, and with it, where it was about to be rounded, the
// edge of a line or marker by 1/64 of a pixel, which is the unit of the
// rasteriser: 4 levels, here and there along the edge; two such steps are 8. What
// is drawn, however small, is a spot: at two pixels for each of the 96 to the
// inch a full stop has 20 pixels, a minus sign 24, and a marker of plotting's
// usual size 169.
const (
	nearLevels = 2
	farShare   = 0.001
	spotLevels = 8
	spotPixels = 16
)

// Decode returns the pixels of a PNG, JPEG or GIF file, from 0, 0 on, without
// gaps between rows.
func Decode(file []byte) (*image.RGBA, error) {
	img, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("the picture can't be decoded: %v", err)
	}
	rgba := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(rgba, rgba.Rect, img, img.Bounds().Min, draw.Src)
	return rgba, nil
}

// A Difference says how far two pictures are apart.
type Difference struct {
	Want, Got image.Point // their sizes
	Far       int         // pixels farther apart than is allowed
	Most      int         // the largest distance in one channel, of 255
	Spot      int         // pixels of the largest spot that differs
}

// Compare compares two pictures that [Decode] returned.
func Compare(want, got *image.RGBA) Difference {
	d := Difference{Want: want.Rect.Size(), Got: got.Rect.Size()}
	if d.Want != d.Got {
		return d
	}
	spots := make([]bool, d.Want.X*d.Want.Y)
	for i := range spots {
		n := distance(want.Pix[4*i:4*i+4], got.Pix[4*i:4*i+4])
		d.Most = max(d.Most, n)
		if n > nearLevels {
			d.Far++
		}
		spots[i] = n > spotLevels
	}
	for i := range spots {
		if spots[i] {
			d.Spot = max(d.Spot, erase(spots, d.Want.X, i))
		}
	}
	return d
}

// erase clears the pixels of the spot that pixel i belongs to, those that touch
// at a side or a corner, and counts them. A row of the picture has width pixels.
func erase(spots []bool, width, i int) (pixels int) {
	spots[i] = false
	for open := []int{i}; len(open) > 0; {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		pixels++
		for y := max(at/width-1, 0); y <= min(at/width+1, len(spots)/width-1); y++ {
			for x := max(at%width-1, 0); x <= min(at%width+1, width-1); x++ {
				if next := y*width + x; spots[next] {
					spots[next] = false
					open = append(open, next)
				}
			}
		}
	}
	return pixels
}

func distance(a, b []uint8) (n int) {
	for c := range a {
		n = max(n, int(a[c])-int(b[c]), int(b[c])-int(a[c]))
	}
	return n
}

// Same reports whether the pictures differ by no more than processors do.
func (d Difference) Same() bool {
	return d.Want == d.Got && float64(d.Far) <= farShare*float64(d.Want.X*d.Want.Y) && d.Spot <= spotPixels
}

func (d Difference) String() string {
	if d.Want != d.Got {
		return fmt.Sprintf("%v pixels stored, %v got", d.Want, d.Got)
	}
	return fmt.Sprintf("%d of %d pixels differ by more than %d levels, at most %d; the largest spot has %d", d.Far, d.Want.X*d.Want.Y, nearLevels, d.Most, d.Spot)
}

// Map shows where two pictures differ: the pixels that are too far apart in
// vermilion, over what is wanted in pale grey.
func Map(want, got *image.RGBA) *image.RGBA {
	m := image.NewRGBA(want.Rect.Union(got.Rect))
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			at := image.Pt(x, y)
			in := at.In(want.Rect) && at.In(got.Rect)
			w, g := want.RGBAAt(x, y), got.RGBAAt(x, y)
			if !in || distance([]uint8{w.R, w.G, w.B, w.A}, []uint8{g.R, g.G, g.B, g.A}) > nearLevels {
				m.SetRGBA(x, y, color.RGBA{R: 0xD5, G: 0x5E, A: 0xFF})
				continue
			}
			grey := color.GrayModel.Convert(w).(color.Gray).Y
			m.Set(x, y, color.Gray{Y: 191 + grey/4})
		}
	}
	return m
}
