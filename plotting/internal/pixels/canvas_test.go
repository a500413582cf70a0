package pixels

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

// row returns the red of the pixels in a row of a canvas.
func row(c *Canvas, y int) (reds []uint8) {
	img := c.Image().(*image.RGBA)
	for x := range img.Rect.Dx() {
		reds = append(reds, img.RGBAAt(x, y).R)
	}
	return reds
}

func level(y vg.Length, xs ...vg.Length) (p vg.Path) {
	for i := 0; i < len(xs); i += 2 {
		p.Move(vg.Point{X: xs[i], Y: y})
		p.Line(vg.Point{X: xs[i+1], Y: y})
	}
	return p
}

// At 72 dpi a point is a pixel, so that lines whose borders are those of pixels colour
// whole ones. White is 255.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(c *Canvas)
		want string // 'x' where it is black
	}{
		{"butt ends", func(c *Canvas) { c.Stroke(level(2.5, 3, 6)) }, "   xxx      "},
		{"dashes", func(c *Canvas) {
			c.SetLineDash([]vg.Length{3, 2}, 0)
			c.Stroke(level(2.5, 0, 12))
		}, "xxx  xxx  xx"},
		{"three lengths are six", func(c *Canvas) {
			c.SetLineDash([]vg.Length{3, 1, 2}, 0)
			c.Stroke(level(2.5, 0, 12))
		}, "xxx xx   x  "},
		// Scalable Vector Graphics (SVG) 2, W3C 2018, section 13.5.6: the pattern begins
		// anew, at the offset, with every subpath.
		{"each part begins at the offset", func(c *Canvas) {
			c.SetLineDash([]vg.Length{3, 2}, 1)
			c.Stroke(level(2.5, 0, 6, 7, 12))
		}, "xx  xx xx  x"},
		{"an offset back", func(c *Canvas) {
			c.SetLineDash([]vg.Length{3, 2}, -1)
			c.Stroke(level(2.5, 0, 12))
		}, " xxx  xxx  x"},
		{"too short to be seen", func(c *Canvas) {
			c.SetLineDash([]vg.Length{1e-9, 1e-9}, 0)
			c.Stroke(level(2.5, 0, 12))
		}, "xxxxxxxxxxxx"},
		{"no width", func(c *Canvas) {
			c.SetLineWidth(0)
			c.Stroke(level(2.5, 0, 12))
		}, "            "},
		{"Pop brings all back", func(c *Canvas) {
			c.Push()
			c.SetLineWidth(0)
			c.SetColor(color.White)
			c.SetLineDash([]vg.Length{1, 1}, 0)
			c.Translate(vg.Point{X: 3})
			c.Pop()
			c.Stroke(level(2.5, 4, 9))
		}, "    xxxxx   "},
		{"far beyond the picture", func(c *Canvas) { c.Stroke(level(2.5, -1e300, 8)) }, "xxxxxxxx    "},
	} {
		cv := New(12, 5, 72, color.White)
		c.draw(cv)
		got := ""
		for _, red := range row(cv, 2) {
			switch red {
			case 0:
				got += "x"
			case 0xFF:
				got += " "
			default:
				got += "?"
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// An image whose bounds begin elsewhere fills its rectangle just the same, and each
// pixel twice as large as before has weights 3/4 and 1/4 of the two next to its middle.
func TestImageWithin(t *testing.T) {
	img := image.NewGray(image.Rect(5, -3, 8, -2))
	copy(img.Pix, []uint8{0, 100, 200})
	c := New(8, 3, 72, color.White)
	c.DrawImage(vg.Rectangle{Min: vg.Point{X: 1, Y: 1}, Max: vg.Point{X: 7, Y: 2}}, img)
	if got, want := row(c, 1), []uint8{255, 0, 25, 75, 125, 175, 200, 255}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// What has no size or is no number leaves no trace, and no panic.
func TestNothing(t *testing.T) {
	img := noise(true)
	at := func(x, y vg.Length) vg.Point { return vg.Point{X: x, Y: y} }
	for name, draw := range map[string]func(c *Canvas){
		"empty path":         func(c *Canvas) { c.Fill(nil); c.Stroke(nil) },
		"only close":         func(c *Canvas) { c.Fill(vg.Path{{Type: vg.CloseComp}}); c.Stroke(vg.Path{{Type: vg.CloseComp}}) },
		"a point":            func(c *Canvas) { c.Stroke(level(2, 3, 3)) },
		"an image of nil":    func(c *Canvas) { c.DrawImage(vg.Rectangle{Max: at(9, 9)}, image.NewRGBA(image.Rectangle{})) },
		"no width":           func(c *Canvas) { c.DrawImage(vg.Rectangle{Min: at(2, 2), Max: at(2, 9)}, img) },
		"hardly any width":   func(c *Canvas) { c.DrawImage(vg.Rectangle{Min: at(2.2, 2), Max: at(2.2+1e-14, 9)}, img) },
		"beside the picture": func(c *Canvas) { c.DrawImage(vg.Rectangle{Min: at(30, 2), Max: at(40, 9)}, img) },
		"text of no size":    func(c *Canvas) { c.FillString(sans(t, 0), at(2, 2), "text") },
		"text as a line":     func(c *Canvas) { c.Scale(0, 1); c.FillString(sans(t, 9), at(2, 2), "text") },
		"NaN": func(c *Canvas) {
			c.DrawImage(vg.Rectangle{Min: at(vg.Length(math.NaN()), 2), Max: at(9, 9)}, img)
		},
	} {
		c := New(12, 12, 72, color.White)
		draw(c)
		for i, v := range c.Image().(*image.RGBA).Pix {
			if v != 0xFF {
				t.Errorf("%s: pixel (%d, %d) is not white", name, i/4%12, i/4/12)
				break
			}
		}
	}
}
