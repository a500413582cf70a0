package plotting_test

import (
	"bytes"
	"image"
	imagedraw "image/draw"
	"image/png"
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"marginalia/internal/testkit/tier"
)

// Every golden figure has the pixels that gonum/plot's own canvas gives it, at the
// resolutions of a small picture and of screens. The race detector covers these figures in
// TestGolden.
func TestPixelsOfVgimg(t *testing.T) {
	tier.Long(t)
	for i, f := range figures {
		t.Run(f.name, func(t *testing.T) {
			resolutions := []int{31, 72, 192}
			if !tier.IsLong(t) {
				resolutions = resolutions[i%2:][:1]
			}
			for _, dpi := range resolutions {
				d := f.draw()
				w, h := d.Extent()
				cv := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))
				d.Draw(draw.New(cv))
				got, err := png.Decode(bytes.NewReader(d.PNG(dpi)))
				if err != nil {
					t.Fatal(err)
				}
				differ, worst := 0, 0
				if got.Bounds() != cv.Image().Bounds() {
					t.Fatalf("%d dpi: size %v, want %v", dpi, got.Bounds(), cv.Image().Bounds())
				}
				// Equal bytes mean equal colours; comparing colours is slow.
				same := image.NewRGBA(got.Bounds())
				imagedraw.Draw(same, same.Rect, got, got.Bounds().Min, imagedraw.Src)
				if want, ok := cv.Image().(*image.RGBA); ok && bytes.Equal(same.Pix, want.Pix) {
					continue
				}
				for y := range got.Bounds().Dy() {
					for x := range got.Bounds().Dx() {
						if d := apart(got.At(x, y), cv.Image().At(x, y)); d > 0 {
							differ, worst = differ+1, max(worst, d)
						}
					}
				}
				if differ > 0 {
					t.Errorf("%d dpi: %d pixels differ, by up to %d of 255", dpi, differ, worst)
				}
			}
		})
	}
}
