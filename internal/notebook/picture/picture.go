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
// than nearLevels in a channel of 0..255, and no spot adds up to more than spotSum
// levels. A spot is pixels that touch and are farther apart than spotLevels.
//
// Go's floating point may fuse multiply and add on other processors, which moves
// a coordinate by its last bit. Where the coordinate was about to be rounded, the
// edge of a line or marker moves by 1/64 of a pixel, the unit of the rasteriser.
// That is 4 levels, here and there along the edge, and two such edges are 8. Where
// a dash ends it may be a few pixels and 20 levels. Drawn with GOAMD64=v3, which
// fuses, and MARGINALIA_SIMD=off, one figure of the lectures differs by 6 levels and
// the others by 1.
//
// The smallest thing that a figure shows is a marker of 3 points: 8 pixels at two
// for each of the 96 to the inch. Moved by one pixel it leaves two sickles of 13
// pixels each, with 1,000 levels together, and 400 if half of it is hidden. A minus
// sign has 24 pixels, a full stop 20. A grid line, the palest line there is, differs
// from the paper by 20 levels, and is long: 2,000 levels if it moves. The bound,
// one pixel from white to black or 255 levels, lies between these and rounding.
// TestChangesOfLectureFigures of package figures tries it on a lecture's figure.
const (
	nearLevels = 2
	farShare   = 0.001
	spotLevels = 8
	spotSum    = 255
)

// Tolerance says in words when two pictures are the same.
var Tolerance = fmt.Sprintf("Pictures may differ by more than %d of 255 levels in %g %% of their pixels, and each spot by %d levels in all.", nearLevels, 100*farShare, spotSum)

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
	Spot      int         // what the heaviest spot adds up to, in levels
}

// Compare compares two pictures that [Decode] returned.
func Compare(want, got *image.RGBA) Difference {
	d := Difference{Want: want.Rect.Size(), Got: got.Rect.Size()}
	if d.Want != d.Got {
		return d
	}
	spots := make([]uint8, d.Want.X*d.Want.Y)
	for i := range spots {
		a, b := want.Pix[4*i:4*i+4], got.Pix[4*i:4*i+4]
		if [4]uint8(a) == [4]uint8(b) { // as most are
			continue
		}
		n := distance(a, b)
		d.Most = max(d.Most, n)
		if n > nearLevels {
			d.Far++
		}
		if n > spotLevels {
			spots[i] = uint8(n)
		}
	}
	for i := range spots {
		if spots[i] != 0 {
			d.Spot = max(d.Spot, erase(spots, d.Want.X, i))
		}
	}
	return d
}

// erase clears the pixels of the spot that pixel i belongs to, those that touch
// at a side or a corner, and adds them up. A row of the picture has width pixels.
func erase(spots []uint8, width, i int) (sum int) {
	take := func(i int) int {
		sum += int(spots[i])
		spots[i] = 0
		return i
	}
	for open := []int{take(i)}; len(open) > 0; {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		for y := max(at/width-1, 0); y <= min(at/width+1, len(spots)/width-1); y++ {
			for x := max(at%width-1, 0); x <= min(at%width+1, width-1); x++ {
				if next := y*width + x; spots[next] != 0 {
					open = append(open, take(next))
				}
			}
		}
	}
	return sum
}

func distance(a, b []uint8) (n int) {
	for c := range a {
		n = max(n, int(a[c])-int(b[c]), int(b[c])-int(a[c]))
	}
	return n
}

// Same reports whether the pictures differ by no more than processors do.
func (d Difference) Same() bool {
	return d.Want == d.Got && float64(d.Far) <= farShare*float64(d.Want.X*d.Want.Y) && d.Spot <= spotSum
}

func (d Difference) String() string {
	if d.Want != d.Got {
		return fmt.Sprintf("%v pixels stored, %v got", d.Want, d.Got)
	}
	return fmt.Sprintf("%d of %d pixels differ by more than %d levels, at most %d; the heaviest spot adds up to %d", d.Far, d.Want.X*d.Want.Y, nearLevels, d.Most, d.Spot)
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
