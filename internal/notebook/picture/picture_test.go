package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"marginalia/internal/notebook/picture"
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
		{"equal", grey(100), true, "0 of 1000 pixels differ by more than 2 levels, at most 0; the heaviest spot adds up to 0"},
		{"two levels everywhere", one(2, 1000), true, "0 of 1000 pixels differ by more than 2 levels, at most 2; the heaviest spot adds up to 0"},
		{"one pixel", one(90, 1), true, "1 of 1000 pixels differ by more than 2 levels, at most 90; the heaviest spot adds up to 90"},
		{"two pixels", one(3, 2), false, "2 of 1000 pixels differ by more than 2 levels, at most 3; the heaviest spot adds up to 0"},
		{"another size", image.NewRGBA(image.Rect(0, 0, 25, 40)), false, "(40,25) pixels stored, (25,40) got"},
	} {
		if d := picture.Compare(grey(100), tt.got); d.Same() != tt.same || d.String() != tt.says {
			t.Errorf("%s: same %v, %q; want %v, %q", tt.name, d.Same(), d, tt.same, tt.says)
		}
	}
}

func TestDecode(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, grey(7).SubImage(image.Rect(3, 4, 13, 6))); err != nil {
		t.Fatal(err)
	}
	m, err := picture.Decode(b.Bytes())
	if err != nil || m.Rect != image.Rect(0, 0, 10, 2) || m.Pix[0] != 7 {
		t.Errorf("%v, %v", m.Rect, err)
	}
	if _, err := picture.Decode([]byte("no picture")); err == nil {
		t.Error("no error for what is no picture")
	}
}

func TestMap(t *testing.T) {
	got := grey(200)
	got.SetRGBA(5, 6, color.RGBA{A: 255})
	m := picture.Map(grey(200), got)
	if c := m.RGBAAt(5, 6); c != (color.RGBA{R: 0xD5, G: 0x5E, A: 0xFF}) {
		t.Errorf("the pixel that differs is %v", c)
	}
	if c := m.RGBAAt(6, 6); c.R != c.G || c.R < 191 {
		t.Errorf("a pixel that is the same is %v, want pale grey", c)
	}
}

// What is a spot: pixels that touch, at corners too, and not round the edge of
// the picture. 100×100 pixels, so that ten may differ wherever they are, and
// 200×200, so that forty may.
func TestSpots(t *testing.T) {
	at := func(size int, levels uint8, points ...image.Point) (want, got *image.RGBA) {
		want, got = image.NewRGBA(image.Rect(0, 0, size, size)), image.NewRGBA(image.Rect(0, 0, size, size))
		for _, p := range points {
			got.Pix[got.PixOffset(p.X, p.Y)] = levels
		}
		return want, got
	}
	run := func(n int, step image.Point, from image.Point) (points []image.Point) {
		for i := range n {
			points = append(points, from.Add(step.Mul(i)))
		}
		return points
	}
	right, down, diagonal := image.Pt(1, 0), image.Pt(0, 1), image.Pt(1, 1)
	for _, tt := range []struct {
		name   string
		size   int
		levels uint8
		points []image.Point
		spot   int
		same   bool
	}{
		{"one, from white to black", 200, 255, run(1, right, image.Pt(3, 3)), 255, true},
		{"two beside each other, 127 levels", 200, 127, run(2, right, image.Pt(3, 3)), 254, true},
		{"two beside each other, 128 levels", 200, 128, run(2, right, image.Pt(3, 3)), 256, false},
		{"twenty-eight in a row, 9 levels", 200, 9, run(28, right, image.Pt(3, 3)), 252, true},
		{"twenty-nine in a column at the edge, 9 levels", 200, 9, run(29, down, image.Pt(199, 171)), 261, false},
		{"twenty-nine at corners, 9 levels", 200, 9, run(29, diagonal, image.Pt(0, 0)), 261, false},
		{"forty in a row, 8 levels", 200, 8, run(40, right, image.Pt(3, 3)), 0, true},
		{"forty apart", 200, 255, run(40, image.Pt(2, 0), image.Pt(3, 3)), 255, true},
		{"forty-one apart", 200, 255, run(41, image.Pt(2, 0), image.Pt(3, 3)), 255, false},
		{"from one row's end to the next one's start", 200, 20, append(run(9, right, image.Pt(191, 5)), run(9, right, image.Pt(0, 7))...), 180, true},
		{"eleven of a hundred by a hundred", 100, 9, run(11, right, image.Pt(3, 3)), 99, false},
	} {
		if d := picture.Compare(at(tt.size, tt.levels, tt.points...)); d.Spot != tt.spot || d.Same() != tt.same {
			t.Errorf("%s: the heaviest spot adds up to %d, same %v; want %d, %v", tt.name, d.Spot, d.Same(), tt.spot, tt.same)
		}
	}
}
