package plotting

import (
	"image"
	"image/color"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"marginalia/plotting/internal/pen"
)

// drawnBy returns a picture of 8 glyphs at 13 places each, opaque and translucent,
// overlapping.
func drawnBy(n, dpi int) *image.RGBA {
	cv := vgimg.NewWith(vgimg.UseWH(120, 90), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(pen.Paper))
	c := draw.New(cv)
	stamp := pen.NewStamps(&c, n)
	for k := range 8 * 13 {
		at := vg.Point{X: 8 + vg.Length(k), Y: 8 + vg.Length(k*37%104)*74/103}
		stamp.Mark(k%8, at, 4, pen.Fade(pen.NthHue(k%8), []float64{1, 0.4}[k/8%2]), nil)
	}
	return cv.Image().(*image.RGBA)
}

// Stamped glyphs equal glyphs drawn one by one, shifted by at most a sixteenth of a pixel
// in each direction. At an edge, where the colour changes within a pixel, that makes a
// difference of at most an eighth of the 255 steps. Most pixels of a glyph are not at an
// edge.
func TestStamps(t *testing.T) {
	for _, dpi := range []int{36, 96, 301} {
		one, many := drawnBy(1, dpi), drawnBy(1000, dpi)
		sum, worst, inked := 0, 0, 0
		for i := range one.Pix {
			d := max(int(one.Pix[i])-int(many.Pix[i]), int(many.Pix[i])-int(one.Pix[i]))
			sum, worst = sum+d, max(worst, d)
			if one.Pix[i] != 0xFF {
				inked++
			}
		}
		if mean := float64(sum) / float64(inked); worst > 32 || mean > 2.5 || inked < 1000 {
			t.Errorf("%d dpi: %d of 255 steps at worst, %.2f on average over %d", dpi, worst, mean, inked)
		}
		if sum == 0 {
			t.Errorf("%d dpi: the stamps were not used", dpi)
		}
	}
}

// Glyphs centred at eighths of a pixel are the same up to rounding.
func TestStampsExact(t *testing.T) {
	picture := func(n int) *image.RGBA {
		cv := vgimg.NewWith(vgimg.UseWH(72, 72), vgimg.UseDPI(72), vgimg.UseBackgroundColor(color.White))
		c := draw.New(cv)
		stamp := pen.NewStamps(&c, n)
		for k := range 8 {
			stamp.Mark(k, vg.Point{X: vg.Length(8*k+6) + vg.Length(k)/8, Y: vg.Length(60-7*k) - vg.Length(k)/8}, 4, pen.NthHue(k), nil)
		}
		return cv.Image().(*image.RGBA)
	}
	one, many := picture(1), picture(1000)
	for i := range one.Pix {
		if d := int(one.Pix[i]) - int(many.Pix[i]); d < -3 || d > 3 {
			t.Fatalf("pixel (%d, %d): %d, want %d", i/4%72, i/4/72, many.Pix[i], one.Pix[i])
		}
	}
}

// Nothing is drawn outside the axes, even if the canvas extends further.
func TestStampsInside(t *testing.T) {
	xs, ys := make([]float64, 400), make([]float64, 400)
	for i := range xs {
		xs[i], ys[i] = float64(i%20), float64(i/20)
	}
	cv := vgimg.NewWith(vgimg.UseWH(100, 100), vgimg.UseDPI(72), vgimg.UseBackgroundColor(pen.Paper))
	c := draw.New(cv)
	c.Rectangle = vg.Rectangle{Min: vg.Point{X: 40, Y: 40}, Max: vg.Point{X: 60, Y: 60}}
	p := plot.New()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 8, 11, 8, 11
	Points(xs, ys).Plot(c, p)
	img := cv.Image().(*image.RGBA)
	inked := 0
	for i, v := range img.Pix {
		if x, y := i/4%100, i/4/100; v != 0xFF {
			inked++
			if x < 36 || x > 64 || y < 36 || y > 64 {
				t.Fatalf("pixel (%d, %d) is inked by a point off the axes", x, y)
			}
		}
	}
	if inked == 0 {
		t.Error("nothing is drawn")
	}
}
