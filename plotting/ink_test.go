package plotting

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// Numbers are legible on every shade: the contrast is at least 4.5.
func TestInkOn(t *testing.T) {
	for k := range 1001 {
		ground := tableShade(float64(k) / 1000)
		if c := pen.Contrast(pen.InkOn(ground), ground); c < 4.5 {
			t.Errorf("share %v: contrast %.2f, want 4.5", float64(k)/1000, c)
		}
	}
	// WCAG's own examples: black on white has 21, a colour on itself 1. #767676 is known
	// as the lightest grey that reaches 4.5 on white.
	for _, c := range []struct {
		a    pen.Hue
		want float64
	}{{pen.Black, 21}, {pen.Paper, 1}, {0x767676, 4.54}} {
		if got := pen.Contrast(c.a, color.White); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%06x on white: %.3f, want %v", uint32(c.a), got, c.want)
		}
	}
}

// Every character that is to be seen leaves ink: that of a font, a box with its code point, or
// U+FFFD.
func TestNoCharacterIsLost(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var all []rune
	for _, s := range []string{"a𝐰𝑥𝒩𝔽𝟙𝛁日本한ไअא\u0600🦊😀→ℝ（Ａ\ufffe\x00\x1b\u0085", "\U0010ffff\ue000\u0378"} {
		all = append(all, []rune(s)...)
	}
	for range 400 {
		all = append(all, r.Int32N(0x3000), r.Int32N(0x10000), 0x1D400+r.Int32N(0x400), r.Int32N(0x110000))
	}
	sty := pen.Style(12)
	for _, c := range all {
		if unicode.IsSpace(c) || unicode.In(c, unicode.Z, unicode.Mn, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			continue
		}
		k := newInk(vg.Point{X: 40, Y: 40})
		k.c.FillText(sty, vg.Point{X: 20, Y: 20}, string(c))
		if blank(k.cv.Image(), image.Rect(0, 0, 1000, 1000)) && !strings.ContainsRune("\u2800", c) {
			t.Errorf("%U leaves no ink", c)
		}
	}
}

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
	cv := vgimg.NewWith(vgimg.UseWH(100, 100), vgimg.UseDPI(72), vgimg.UseBackgroundColor(pen.Paper))
	c := draw.New(cv)
	c.Rectangle = vg.Rectangle{Min: vg.Point{X: 40, Y: 40}, Max: vg.Point{X: 60, Y: 60}}
	p := plot.New()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 8, 11, 8, 11
	cloud(20, "").Plot(c, p)
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

// tilted is a layer that draws under a transformation outside of Push.
type tilted struct{}

func (tilted) Plot(c draw.Canvas, _ *plot.Plot) {
	c.Translate(vg.Point{X: 150, Y: 20})
	c.Rotate(0.4)
	c.SetColor(color.Black)
	c.Fill(vg.Rectangle{Max: vg.Point{X: 60, Y: 60}}.Path())
}

// Within its rectangle a clipping canvas shows what a whole one shows, so that a legend finds the
// same corner; elsewhere it leaves out what is far away.
func TestClipping(t *testing.T) {
	const n, side = 400, 200
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n { // all over the axes, by the golden section
		x := float64(i) * 0.6180339887498949
		X.SetRow(i, []float64{x - float64(int(x)), float64(i) / n})
		y[i] = i % 8
	}
	var spiral [2][]float64 // short lines, all over the axes
	for i := range 2000 {
		turns, r := float64(i)/80, 0.00025*float64(i)
		spiral[0], spiral[1] = append(spiral[0], 0.5+r*math.Cos(turns)), append(spiral[1], 0.5+r*math.Sin(turns))
	}
	figure := func(layers ...Layer) *view { return New("", layers...).Range(0, 1, 0, 1).view() }
	for name, v := range map[string]*view{
		"glyphs":  figure(Classes(X.Slice(0, 200, 0, 2), y[:200], Size(9))),
		"stamps":  figure(Classes(X, y)),
		"rings":   figure(Ring(X, []int{1, 5, 80, 200, 399}, Width(5))),
		"lines":   figure(Line(mat.Col(nil, 0, X), mat.Col(nil, 1, X), Width(6)), Plane([]float64{1, -1}, 0.1, Shade())),
		"spiral":  figure(Line(spiral[0], spiral[1], Width(3))),
		"dashes":  figure(Line(spiral[0], spiral[1], Width(3), Dashed())),
		"ellipse": figure(Ellipse([]float64{0.5, 0.5}, [][]float64{{0.05, 0.02}, {0.02, 0.05}}, []float64{1})),
		"text":    figure(Note(0.3, 0.7, "x₁ and x₂"), Arrow(0, 0, 0.9, 0.4, "w")),
		"tilted":  figure(tilted{}),
	} {
		size := vg.Point{X: side, Y: side}
		whole := newInk(size)
		for _, l := range v.layers {
			l.Plot(whole.c, v.plot())
		}
		left := 0
		for _, at := range []vg.Point{{X: 10, Y: 10}, {X: 120, Y: 150}, {X: 70, Y: 80}} {
			part := newInk(size)
			r := vg.Rectangle{Min: at, Max: at.Add(vg.Point{X: 60, Y: 30})}
			c := draw.Canvas{Canvas: &canvas.Clipping{Canvas: part.cv, Only: canvas.Grown(r, 2*vg.Inch/inkDPI)}, Rectangle: part.c.Rectangle}
			for _, l := range v.layers {
				l.Plot(c, v.plot())
			}
			dots := image.Rect(int(r.Min.X.Dots(inkDPI)), int((size.Y - r.Max.Y).Dots(inkDPI)), int(r.Max.X.Dots(inkDPI))+1, int((size.Y-r.Min.Y).Dots(inkDPI))+1)
			for y := range side / 2 {
				for x := range side / 2 {
					same := whole.cv.Image().At(x, y) == part.cv.Image().At(x, y)
					if (image.Point{X: x, Y: y}).In(dots) && !same {
						t.Fatalf("%s: the pixel %d, %d differs within %v", name, x, y, dots)
					} else if !same {
						left++
					}
				}
			}
		}
		if many := name == "glyphs" || name == "stamps" || name == "spiral" || name == "dashes"; many && left == 0 {
			t.Errorf("%s: nothing was left out", name)
		}
	}
}
