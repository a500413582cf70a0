package pixels

import (
	"image"
	"image/color"
	"math"
	"testing"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

func sans(t *testing.T, size vg.Length) font.Face {
	t.Helper()
	face, err := opentype.Parse(dejavusans.TTF)
	if err != nil {
		t.Fatal(err)
	}
	return font.Face{Font: font.Font{Size: size}, Face: face}
}

// shapes is a path of every kind of component in three parts, the last of which is open.
func shapes() (p vg.Path) {
	at := func(x, y vg.Length) vg.Point { return vg.Point{X: x, Y: y} }
	p.Move(at(10, 10))
	p.Line(at(50.3, 14.7))
	p.QuadTo(at(70, 60), at(30, 40))
	p.CubeTo(at(10, 70), at(-8, 30), at(10.5, 20.2))
	p.Close()
	p.Move(at(70, 70))
	p.Arc(at(60, 70), 10, 0, 2*math.Pi)
	p.Close()
	p.Arc(at(40, 75), 12, 0.3, -1.9)
	p.Line(at(85, 20))
	p.Line(at(85.01, 20.01))
	p.Line(at(20, 85))
	return p
}

// noise is an image whose pixels have nothing to do with each other, opaque or not.
func noise(opaque bool) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, 7, 5))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * i * 73)
		if opaque && i%4 == 3 {
			img.Pix[i] = 0xFF
		}
	}
	return img
}

// drawings are each of what a canvas does, and what it does to all that follows.
var drawings = []struct {
	name string
	draw func(t *testing.T, c vg.Canvas)
}{
	{"fill", func(t *testing.T, c vg.Canvas) { c.Fill(shapes()) }},
	{"stroke", func(t *testing.T, c vg.Canvas) { c.SetLineWidth(1.7); c.Stroke(shapes()) }},
	{"wide", func(t *testing.T, c vg.Canvas) { c.SetLineWidth(13); c.Stroke(shapes()) }},
	{"dashes", func(t *testing.T, c vg.Canvas) {
		c.SetLineDash([]vg.Length{5.5, 2.25, 0.75, 2.25}, 0)
		c.Stroke(shapes())
	}},
	{"one length", func(t *testing.T, c vg.Canvas) { c.SetLineDash([]vg.Length{3}, 0); c.Stroke(shapes()) }},
	{"offset", func(t *testing.T, c vg.Canvas) {
		c.SetLineDash([]vg.Length{7, 3}, -4)
		c.Stroke(shapes()[:5])
		c.SetLineDash([]vg.Length{7, 3}, 28.5)
		c.Stroke(shapes()[9:])
	}},
	{"text", func(t *testing.T, c vg.Canvas) {
		c.FillString(sans(t, 11), vg.Point{X: 3.3, Y: 50.8}, "AVα ∈ \U0010FFFF ℝ")
	}},
	{"image", func(t *testing.T, c vg.Canvas) {
		c.DrawImage(vg.Rectangle{Min: vg.Point{X: 9.1, Y: 20.6}, Max: vg.Point{X: 95, Y: 130}}, noise(false))
	}},
	{"small image", func(t *testing.T, c vg.Canvas) {
		c.DrawImage(vg.Rectangle{Min: vg.Point{X: 9.1, Y: 20.6}, Max: vg.Point{X: 11, Y: 22.3}}, noise(true))
	}},
}

// Whatever is drawn, turned, moved and scaled, has the pixels that gonum/plot's own
// canvas gives it.
func TestPixelsOfVgimg(t *testing.T) {
	poses := []struct {
		name string
		pose func(c vg.Canvas)
	}{
		{"as it is", func(c vg.Canvas) {}},
		{"moved", func(c vg.Canvas) { c.Translate(vg.Point{X: -6.37, Y: 11.2}) }},
		{"upwards", func(c vg.Canvas) { c.Translate(vg.Point{X: 90.4}); c.Rotate(math.Pi / 2) }},
		{"turned", func(c vg.Canvas) { c.Rotate(-0.4); c.Scale(0.8, 1.3) }},
		{"small", func(c vg.Canvas) { c.Scale(0.31, 0.27); c.Rotate(2); c.Translate(vg.Point{X: 20, Y: -170}) }},
	}
	for _, d := range drawings {
		for _, p := range poses {
			for _, dpi := range []int{50, 96} {
				const w, h = 100.3, 90.2
				ours := New(w, h, dpi, color.White)
				theirs := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
				for _, c := range []vg.Canvas{ours, theirs} {
					c.Push()
					p.pose(c)
					for k, col := range []color.Color{color.NRGBA{200, 30, 60, 0xFF}, color.NRGBA64{100, 50000, 20000, 30000}, nil} {
						c.SetColor(col)
						d.draw(t, c)
						c.Translate(vg.Point{X: 1.3 * vg.Length(k+1), Y: 2.1})
					}
					c.Pop()
					c.Stroke(vg.Path{{Type: vg.MoveComp}, {Type: vg.LineComp, Pos: vg.Point{X: 30, Y: 9}}})
				}
				got, want := ours.Image().(*image.RGBA), theirs.Image().(*image.RGBA)
				if got.Rect != want.Rect {
					t.Fatalf("the picture is %v, want %v", got.Rect, want.Rect)
				}
				differ, worst, inked := 0, 0, 0
				for i := range got.Pix {
					if got.Pix[i] != want.Pix[i] {
						differ++
						worst = max(worst, int(got.Pix[i])-int(want.Pix[i]), int(want.Pix[i])-int(got.Pix[i]))
					}
					if want.Pix[i] != 0xFF {
						inked++
					}
				}
				if differ > 0 {
					t.Errorf("%s, %s, %d dpi: %d values differ, by up to %d of 255", d.name, p.name, dpi, differ, worst)
				}
				if inked == 0 {
					t.Errorf("%s, %s: nothing is drawn", d.name, p.name)
				}
			}
		}
	}
}
