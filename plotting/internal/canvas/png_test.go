package canvas

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"
)

// The standard library's decoder checks the sums and returns the pixels: of noise, which is
// compressed without a filter, and of repeating rows, stored as differences.
func TestEncodePNG(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []image.Point{{1, 1}, {3, 5}, {257, 64}, {64, 257}} {
		rgba := image.NewRGBA(image.Rectangle{Max: size})
		nrgba := image.NewNRGBA(image.Rectangle{Max: size})
		for y := range size.Y {
			for x := range size.X {
				c := color.RGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)), 255}
				if size.Y > size.X && y%64 > 0 {
					c = rgba.RGBAAt(x, y-1)
				}
				rgba.Set(x, y, c)
				nrgba.Set(x, y, c)
			}
		}
		for _, img := range []image.Image{rgba, nrgba} {
			data := EncodePNG(img, 192)
			got, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			for y := range size.Y {
				for x := range size.X {
					if color.RGBAModel.Convert(got.At(x, y)) != rgba.At(x, y) {
						t.Fatalf("%v %T: pixel %d, %d is %v, want %v", size, img, x, y, got.At(x, y), rgba.At(x, y))
					}
				}
			}
			// 192 per inch of 0.0254 m are 7559.06 per metre.
			i := bytes.Index(data, []byte("pHYs"))
			if i < 0 || binary.BigEndian.Uint32(data[i+4:]) != 7559 || data[i+12] != 1 {
				t.Errorf("%v: no resolution of 192 dpi in % x", size, data[:64])
			}
		}
	}
}

// An embedded image decodes to the original, for any colours and opacity.
func TestEmbedPNG(t *testing.T) {
	r := image.Rect(2, 1, 6, 4)
	clear := image.NewNRGBA(r)
	solid, grey := image.NewRGBA(r), image.NewGray(r)
	colours := image.NewPaletted(r, color.Palette{color.RGBA{9, 8, 7, 0xFF}, color.NRGBA{1, 2, 3, 0x80}})
	for i := range 12 {
		x, y := r.Min.X+i%4, r.Min.Y+i/4
		clear.SetNRGBA(x, y, color.NRGBA{uint8(20 * i), 5, 200, uint8(21 * i)})
		solid.SetRGBA(x, y, color.RGBA{uint8(20 * i), 5, uint8(i), 0xFF})
		grey.SetGray(x, y, color.Gray{uint8(3 * i)})
		colours.SetColorIndex(x, y, uint8(i*i%3))
	}
	for _, img := range []image.Image{clear, solid, grey, colours} {
		file := embedPNG(img)
		got, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("%T: %v", img, err)
		}
		if got.Bounds().Size() != r.Size() {
			t.Errorf("%T: size %v, want %v", img, got.Bounds().Size(), r.Size())
		}
		for y := range r.Dy() {
			for x := range r.Dx() {
				want := color.NRGBAModel.Convert(img.At(r.Min.X+x, r.Min.Y+y))
				if c := color.NRGBAModel.Convert(got.At(x, y)); c != want {
					t.Errorf("%T: (%d, %d) is %v, want %v", img, x, y, c, want)
				}
			}
		}
	}
}
