package celltest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"strings"
)

// Two pictures are equal if at most farShare of their pixels are farther apart
// than nearLevels in a channel of 0..255. Go's floating point may fuse
// multiply and add on other processors, which moves a colour by a level and an
// edge by a fraction of a pixel; a changed number moves much more.
const (
	nearLevels = 2
	farShare   = 0.001
)

// comparePictures decodes two pictures in base64 and tells whether they are equal and how far apart they are.
func comparePictures(want, got string) (note string, same bool) {
	if want == got {
		return "", true
	}
	w, err := decodePicture(want)
	if err != nil {
		return "stored: " + err.Error(), false
	}
	g, err := decodePicture(got)
	if err != nil {
		return "got: " + err.Error(), false
	}
	if w.Bounds().Size() != g.Bounds().Size() {
		return fmt.Sprintf("%v pixels stored, %v got", w.Bounds().Size(), g.Bounds().Size()), false
	}
	far, most := 0, uint32(0)
	size := w.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			d := apart(w, g, x, y)
			most = max(most, d)
			if d > nearLevels {
				far++
			}
		}
	}
	total := size.X * size.Y
	note = fmt.Sprintf("%d of %d pixels differ by more than %d levels, at most %d", far, total, nearLevels, most)
	return note, float64(far) <= farShare*float64(total)
}

// apart returns the largest difference of the channels of pixel x, y.
func apart(a, b image.Image, x, y int) uint32 {
	ar, ag, ab, aa := a.At(a.Bounds().Min.X+x, a.Bounds().Min.Y+y).RGBA()
	br, bg, bb, ba := b.At(b.Bounds().Min.X+x, b.Bounds().Min.Y+y).RGBA()
	return max(level(ar, br), level(ag, bg), level(ab, bb), level(aa, ba))
}

func level(a, b uint32) uint32 {
	a, b = a>>8, b>>8
	return max(a, b) - min(a, b)
}

func decodePicture(text string) (image.Image, error) {
	// Other kernels break base64 into lines.
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, fmt.Errorf("the picture is not base64: %v", err)
	}
	img, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("the picture can't be decoded: %v", err)
	}
	return img, nil
}
