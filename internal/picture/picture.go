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

// Two pictures are equal if at most farShare of their pixels are farther apart
// than nearLevels in a channel of 0..255. Go's floating point may fuse
// multiply and add on other processors, which moves a colour by a level and an
// edge by a fraction of a pixel; a changed number moves much more.
const (
	nearLevels = 2
	farShare   = 0.001
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
}

// Compare compares two pictures that [Decode] returned.
func Compare(want, got *image.RGBA) Difference {
	d := Difference{Want: want.Rect.Size(), Got: got.Rect.Size()}
	if d.Want != d.Got {
		return d
	}
	for i := 0; i < len(want.Pix); i += 4 {
		n := distance(want.Pix[i:i+4], got.Pix[i:i+4])
		d.Most = max(d.Most, n)
		if n > nearLevels {
			d.Far++
		}
	}
	return d
}

func distance(a, b []uint8) (n int) {
	for c := range a {
		n = max(n, int(a[c])-int(b[c]), int(b[c])-int(a[c]))
	}
	return n
}

// Same reports whether the pictures are equal.
func (d Difference) Same() bool {
	return d.Want == d.Got && float64(d.Far) <= farShare*float64(d.Want.X*d.Want.Y)
}

func (d Difference) String() string {
	if d.Want != d.Got {
		return fmt.Sprintf("%v pixels stored, %v got", d.Want, d.Got)
	}
	return fmt.Sprintf("%d of %d pixels differ by more than %d levels, at most %d", d.Far, d.Want.X*d.Want.Y, nearLevels, d.Most)
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
