package plotting

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/internal/testkit/tier"
	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/notebook"
	"marginalia/plotting/internal/pen"
)

// Class k has the same look regardless of the other classes.
func TestClassLooks(t *testing.T) {
	for _, c := range []struct {
		y     []int
		kinds []int
	}{
		{[]int{1, -1}, []int{0, 1}},
		{[]int{1, 1}, []int{1}},
		{[]int{-1, -1}, []int{0}},
		{[]int{0, 1}, []int{0, 1}},
		{[]int{7, 2}, []int{2, 7}},
		{[]int{9, 3}, []int{3, 9}},
		{[]int{0, 25}, []int{0, 25}},
		{[]int{0, 26}, []int{0, 1}},
		{[]int{-1, 0, 1}, []int{0, 1, 2}},
		{[]int{10, 30, 20}, []int{0, 1, 2}},
	} {
		l := Classes(mat.NewDense(len(c.y), 2, nil), c.y).(*classes)
		if !slices.Equal(l.Kinds, c.kinds) {
			t.Errorf("labels %v look like classes %v, want %v", c.y, l.Kinds, c.kinds)
		}
	}
}

// eye turns a colour of linear light into another, as an observer sees it.
type eye func(r, g, b float64) (float64, float64, float64)

func matrixEye(m [9]float64) eye {
	return func(r, g, b float64) (float64, float64, float64) {
		return m[0]*r + m[1]*g + m[2]*b, m[3]*r + m[4]*g + m[5]*b, m[6]*r + m[7]*g + m[8]*b
	}
}

// The matrices are those of Machado, Oliveira and Fernandes, A Physiologically-based Model for
// Simulation of Color Vision Deficiency, IEEE TVCG 15 (6), 2009, table 1, severity 1.0; grey is the
// luminance of ITU-R BT.709-6, table 3.
var eyes = map[string]eye{
	"trichromat":   matrixEye([9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}),
	"protanopia":   matrixEye([9]float64{0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998}),
	"deuteranopia": matrixEye([9]float64{0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881}),
	"tritanopia":   matrixEye([9]float64{1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}),
	"grey":         matrixEye([9]float64{0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722}),
}

// lab returns the CIELAB coordinates of a colour as an eye sees it, for the white of sRGB (D65).
//
// Source: CIE 15:2004, Colorimetry, section 8.2.1; IEC 61966-2-1 for the transfer curve and the
// primaries.
func lab(c color.Color, e eye) [3]float64 {
	n := color.NRGBA64Model.Convert(c).(color.NRGBA64)
	linear := func(v uint16) float64 {
		s := float64(v) / 0xFFFF
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	r, g, b := e(linear(n.R), linear(n.G), linear(n.B))
	r, g, b = share(r), share(g), share(b)
	f := func(t float64) float64 {
		if t > math.Pow(6.0/29, 3) {
			return math.Cbrt(t)
		}
		return t*(29.0/6)*(29.0/6)/3 + 4.0/29
	}
	x := f((0.4124*r + 0.3576*g + 0.1805*b) / 0.9505)
	y := f(0.2126*r + 0.7152*g + 0.0722*b)
	z := f((0.0193*r + 0.1192*g + 0.9505*b) / 1.0890)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func deltaE(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// just is the colour difference that is just noticeable: Mahy, Van Eycken and Oosterlinck,
// Evaluation of Uniform Color Spaces Developed after the Adoption of CIELAB and CIELUV, Color
// Research & Application 19 (2), 1994.
const just = 2.3

// TestClassesApart: with every kind of eye, every two of 26 classes differ in a tenth of their pixels
// by more than is just noticeable: the glyphs at the smallest size that Classes chooses, the fields of
// Regions, the swatches of histograms and bars, and the lines of the legend.
func TestClassesApart(t *testing.T) {
	tier.NoRace(t)
	const side = 20
	middle := vg.Point{X: side / 2, Y: side / 2}
	x := mat.NewDense(1, 2, nil)
	histogram := Hist(make([][]float64, pen.ClassLooks)).(*hist)
	columns := Bars([]string{"a"}, make26()).(*bars)
	for what, paint := range map[string]func(c *draw.Canvas, k int){
		"glyph": func(c *draw.Canvas, k int) {
			l := Classes(x, []int{k}).(*classes)
			pen.Mark(c, l.Kinds[0], middle, 2, l.ColourOf(0))
		},
		"region": func(c *draw.Canvas, k int) {
			Regions(func(_, _ float64) float64 { return float64(k) }, Samples(2)).Plot(*c, New("").Range(0, 1, 0, 1).view().plot())
		},
		"histogram": func(c *draw.Canvas, k int) {
			c.SetColor(histogram.tone(k))
			c.Fill(keySwatch(middle).Path())
			histogram.hatch(*c, keySwatch(middle), k, 3.5)
		},
		"bar": func(c *draw.Canvas, k int) { swatch(*c, keySwatch(middle), k, columns.colourOf(k), 3.5) },
		"points": func(c *draw.Canvas, k int) {
			l, _ := Points(nil, []float64{1}).(*points).tint(k)
			pen.Mark(c, l.(*points).Glyph(), middle, 2.75, l.(*points).Paint(pen.Blue))
		},
		"line": func(c *draw.Canvas, k int) {
			l, _ := Line(nil, []float64{1, 2}).(*line).tint(k)
			c.StrokeLine2(l.(*line).Line(pen.Blue, 1.6), 1, side/2, 19, side/2)
		},
	} {
		var pictures [pen.ClassLooks]*image.RGBA
		for k := range pictures {
			pictures[k] = canvas.PaintImage(func(c draw.Canvas) { paint(&c, k) }, side, side, notebook.Screen)
		}
		for name, e := range eyes {
			var seen [pen.ClassLooks][][3]float64
			known := map[color.RGBA][3]float64{}
			for k, p := range pictures {
				for i := 0; i < len(p.Pix); i += 4 {
					c := color.RGBA{p.Pix[i], p.Pix[i+1], p.Pix[i+2], 0xFF}
					if _, ok := known[c]; !ok {
						known[c] = lab(c, e)
					}
					seen[k] = append(seen[k], known[c])
				}
			}
			white := lab(pen.Paper, e)
			for k, a := range seen {
				for j, b := range seen[:k] {
					switch {
					case what == "region" && k < len(pen.Hues) && name != "trichromat":
						continue // the tints are equally light, and green is grey to a deuteranope: borders and points tell these classes apart
					case (what == "line" || what == "points") && k < len(pen.Hues) && name == "grey":
						continue // full lines and discs; orange and sky blue are equally light
					}
					ink, differ := 0, 0
					for i, p := range a {
						if max(deltaE(p, white), deltaE(b[i], white)) > just {
							ink++
						}
						if deltaE(p, b[i]) > just {
							differ++
						}
					}
					if ink == 0 || float64(differ) < 0.1*float64(ink) {
						t.Errorf("%s, %s: classes %d and %d differ in %d of %d pixels", what, name, j, k, differ, ink)
					}
				}
			}
		}
	}
}

func make26() [][]float64 {
	series := make([][]float64, pen.ClassLooks)
	for k := range series {
		series[k] = []float64{1}
	}
	return series
}

// The looks of the first eight classes are older than the others, and figures rely on them.
func TestFirstLooks(t *testing.T) {
	for k := range pen.Hues {
		if shape, holed := pen.Form(k); shape != k || holed || pen.ClassHue(k) != k {
			t.Errorf("class %d: shape %d, hole %v, colour %d, want the full shape and the colour of its number", k, shape, holed, pen.ClassHue(k))
		}
	}
	forms := map[string]bool{}
	for k := range pen.ClassLooks {
		shape, holed := pen.Form(k)
		forms[fmt.Sprint(shape, holed)] = true
	}
	if len(forms) != pen.ClassLooks || pen.ClassLooks != 26 {
		t.Errorf("%d classes have %d glyphs, want 26 of each", pen.ClassLooks, len(forms))
	}
}

// More classes than looks: the legend says that looks repeat.
func TestLooksRepeat(t *testing.T) {
	for n, says := range map[int]bool{26: false, 27: true} {
		y := make([]int, n)
		for i := range y {
			y[i] = i
		}
		keys := Classes(mat.NewDense(n, 2, nil), y).(*classes).Entries()
		if last := keys[len(keys)-1].Name; (last == "(looks repeat after 26)") != says || says != (len(keys) == n+1) {
			t.Errorf("%d classes: %d entries, the last is %q", n, len(keys), last)
		}
	}
}
