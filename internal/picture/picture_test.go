package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// grey is a picture of 40×25 = 1000 pixels, so that one pixel is the share that may differ.
func grey(level uint8) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 40, 25))
	for i := range m.Pix {
		m.Pix[i] = level
	}
	return m
}

func TestCompare(t *testing.T) {
	one := func(levels uint8, pixels int) *image.RGBA {
		m := grey(100)
		for i := range pixels {
			m.Pix[4*i+1] += levels
		}
		return m
	}
	for _, tt := range []struct {
		name string
		got  *image.RGBA
		same bool
		says string
	}{
		{"equal", grey(100), true, "0 of 1000 pixels differ by more than 2 levels, at most 0"},
		{"two levels everywhere", one(2, 1000), true, "0 of 1000 pixels differ by more than 2 levels, at most 2"},
		{"one pixel", one(90, 1), true, "1 of 1000 pixels differ by more than 2 levels, at most 90"},
		{"two pixels", one(3, 2), false, "2 of 1000 pixels differ by more than 2 levels, at most 3"},
		{"another size", image.NewRGBA(image.Rect(0, 0, 25, 40)), false, "(40,25) pixels stored, (25,40) got"},
	} {
		if d := Compare(grey(100), tt.got); d.Same() != tt.same || d.String() != tt.says {
			t.Errorf("%s: same %v, %q; want %v, %q", tt.name, d.Same(), d, tt.same, tt.says)
		}
	}
}

func TestDecode(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, grey(7).SubImage(image.Rect(3, 4, 13, 6))); err != nil {
		t.Fatal(err)
	}
	m, err := Decode(b.Bytes())
	if err != nil || m.Rect != image.Rect(0, 0, 10, 2) || m.Pix[0] != 7 {
		t.Errorf("%v, %v", m.Rect, err)
	}
	if _, err := Decode([]byte("no picture")); err == nil {
		t.Error("no error for what is no picture")
	}
}

func TestMap(t *testing.T) {
	got := grey(200)
	got.SetRGBA(5, 6, color.RGBA{A: 255})
	m := Map(grey(200), got)
	if c := m.RGBAAt(5, 6); c != (color.RGBA{R: 0xD5, G: 0x5E, A: 0xFF}) {
		t.Errorf("the pixel that differs is %v", c)
	}
	if c := m.RGBAAt(6, 6); c.R != c.G || c.R < 191 {
		t.Errorf("a pixel that is the same is %v, want pale grey", c)
	}
}
