package celltest

import (
	"encoding/base64"
	"fmt"
	"image"

	"marginalia/internal/picture"
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
	d := picture.Compare(w, g)
	return d.String(), d.Same()
}

func decodePicture(text string) (*image.RGBA, error) {
	raw, err := base64.StdEncoding.DecodeString(text) // in lines, too, as other kernels break it
	if err != nil {
		return nil, fmt.Errorf("the picture is not base64: %v", err)
	}
	return picture.Decode(raw)
}
