package celltest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/draw"
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
	if w.Rect != g.Rect {
		return fmt.Sprintf("%v pixels stored, %v got", w.Rect.Size(), g.Rect.Size()), false
	}
	far, most := 0, 0
	for i := 0; i < len(w.Pix); i += 4 {
		d := 0
		for c := i; c < i+4; c++ {
			d = max(d, int(w.Pix[c])-int(g.Pix[c]), int(g.Pix[c])-int(w.Pix[c]))
		}
		most = max(most, d)
		if d > nearLevels {
			far++
		}
	}
	total := len(w.Pix) / 4
	note = fmt.Sprintf("%d of %d pixels differ by more than %d levels, at most %d", far, total, nearLevels, most)
	return note, float64(far) <= farShare*float64(total)
}

// decodePicture returns the pixels, from 0, 0 on, without gaps between rows.
func decodePicture(text string) (*image.RGBA, error) {
	// Other kernels break base64 into lines.
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, fmt.Errorf("the picture is not base64: %v", err)
	}
	img, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("the picture can't be decoded: %v", err)
	}
	rgba := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(rgba, rgba.Rect, img, img.Bounds().Min, draw.Src)
	return rgba, nil
}
