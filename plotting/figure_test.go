package plotting

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// probe is a layer that records the canvas and the plot it gets.
type probe struct {
	canvas draw.Canvas
	p      *plot.Plot
}

func (q *probe) Plot(c draw.Canvas, p *plot.Plot) { q.canvas, q.p = c, p }

// units returns the length of one unit on each axis.
func (q *probe) units() (x, y float64) {
	tx, ty := q.p.Transforms(&q.canvas)
	return float64(tx(1) - tx(0)), float64(ty(1) - ty(0))
}

func TestEqualScales(t *testing.T) {
	w := []float64{1, 2}
	wide := Points([]float64{0, 100}, []float64{0, 1})
	for _, c := range []struct {
		name  string
		fig   *Figure
		equal bool
	}{
		{"plane and normal", New("", Plane(w, 0), Arrow(0, 0, 1, 2, "w")), true},
		{"perpendicular", New("", Perpendicular(w, 0, w, "")), true},
		{"right angle", New("", wide, RightAngle(0, 0, 1, 0)), true},
		{"asked for", New("", wide).Equal(), true},
		{"fixed range", New("", Plane(w, 0), Arrow(0, 0, 1, 2, "w")).Range(-1, 7, -1, 1), true},
		{"size given", New("", Plane(w, 0), Arrow(0, 0, 1, 2, "w")).Size(2*vg.Inch, 5*vg.Inch), true},
		{"image", New("", Image(make([]float64, 12), 4)), true},
		{"plane alone", New("", wide, Plane(w, 0)), false},
		{"logarithmic", New("", wide).Equal().LogY(), false},
	} {
		var q probe
		c.fig.With(&q).PNG(50)
		if x, y := q.units(); (math.Abs(x-y) < 1e-9*x) != c.equal {
			t.Errorf("%s: a unit is %g points along x and %g along y, want equal %v", c.name, x, y, c.equal)
		}
	}
}

func TestRange(t *testing.T) {
	ranges := func(f *Figure) [4]float64 {
		var q probe
		f.With(&q).PNG(50)
		return [4]float64{q.p.X.Min, q.p.X.Max, q.p.Y.Min, q.p.Y.Max}
	}
	near := func(a, b [4]float64) bool {
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-9 {
				return false
			}
		}
		return true
	}
	for _, c := range []struct {
		name string
		fig  *Figure
		want [4]float64
	}{
		// 5 % at each end.
		{"line", New("", Line([]float64{0, 10}, []float64{-2, 2})), [4]float64{-0.5, 10.5, -2.2, 2.2}},
		{"not numbers", New("", Points([]float64{0, 10, math.NaN(), 5}, []float64{-2, 2, 99, math.Inf(1)})), [4]float64{-0.5, 10.5, -2.2, 2.2}},
		{"fixed", New("", Line([]float64{0, 10}, []float64{-2, 2})).Range(1, 2, 3, 4), [4]float64{1, 2, 3, 4}},
		// exp on (-3, 3), with 5 % of its range.
		{"curve", New("", Curve(math.Exp)), [4]float64{-3, 3, math.Exp(-3) - 0.05*(math.Exp(3)-math.Exp(-3)), math.Exp(3) + 0.05*(math.Exp(3)-math.Exp(-3))}},
		{"one point", New("", Points([]float64{4}, []float64{0})), [4]float64{2 - 0.2, 6 + 0.2, -0.5 - 0.05, 0.5 + 0.05}},
		{"nothing", New(""), [4]float64{-3.0, 3.0, -3.3, 3.3}},
		// 0 has no logarithm; 5 % of two decades at each end.
		{"log", New("", Line([]float64{0, 10}, []float64{100, 1})).LogY(), [4]float64{-0.5, 10.5, math.Pow(10, -0.1), math.Pow(10, 2.1)}},
		{"log with zero", New("", Line([]float64{0, 5, 10}, []float64{100, 1, 0})).LogY(), [4]float64{-0.5, 10.5, math.Pow(10, -0.1), math.Pow(10, 2.1)}},
	} {
		if got := ranges(c.fig); !near(got, c.want) {
			t.Errorf("%s: axes %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPanics(t *testing.T) {
	x := mat.NewDense(6, 2, nil)
	for want, f := range map[string]func(){
		"plotting: Classes: 6 rows, 5 labels":                                       func() { Classes(x, make([]int, 5)) },
		"plotting: Classes: x is 4×3, want n×2":                                     func() { Classes(mat.NewDense(4, 3, nil), make([]int, 4)) },
		"plotting: Classes: 3 names, 1 classes":                                     func() { Classes(x, make([]int, 6), Name("a", "b", "c")) },
		"plotting: Ring: idx[1] = 6, x has 6 rows":                                  func() { Ring(x, []int{0, 6}) },
		"plotting: Line: 2 xs, 3 ys":                                                func() { Line(make([]float64, 2), make([]float64, 3)) },
		"plotting: Plane: w has 3 components, want 2":                               func() { Plane(make([]float64, 3), 0) },
		"plotting: Image: 785 pixels, width 28, want whole rows":                    func() { Image(make([]float64, 785), 28) },
		"plotting: Digits: rows of 2 pixels, want 8×8":                              func() { Digits(x, 8, 8, 3) },
		"plotting: Digits: 6 images, 1 captions":                                    func() { Digits(x, 2, 1, 3, Captions("a")) },
		"plotting: Perpendicular: w = 0 has no plane":                               func() { Perpendicular(make([]float64, 2), 1, make([]float64, 2), "") },
		"plotting: Range: x from 1 to 1, y from 0 to 1, want rising finite numbers": func() { New("").Range(1, 1, 0, 1) },
		"plotting: Range: a logarithmic axis from 0, want more than 0":              func() { New("").Range(0, 1, 0, 1).LogY().PNG(50) },
		"plotting: Alpha: 2, want 0 to 1":                                           func() { Alpha(2) },
		"plotting: Tile: figure 1 is nil":                                           func() { Tile(2, New(""), nil) },
		"plotting: With: layer 0 is nil":                                            func() { New("", nil) },
		"plotting: PNG: 0 dpi, want at least 1":                                     func() { New("").PNG(0) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %q", got, want)
				}
			}()
			f()
		}()
	}
}

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
		{[]int{-1, 0, 1}, []int{0, 1, 2}},
		{[]int{10, 30, 20}, []int{0, 1, 2}},
	} {
		l := Classes(mat.NewDense(len(c.y), 2, nil), c.y).(*classes)
		if !slices.Equal(l.kinds, c.kinds) {
			t.Errorf("labels %v look like classes %v, want %v", c.y, l.kinds, c.kinds)
		}
	}
}

// The legend must not hide points, wherever they are.
func TestLegendHidesNothing(t *testing.T) {
	for corner := range 16 {
		// Points in some of the four corners.
		xs, ys := []float64{0.5}, []float64{0.5}
		for k := range 4 {
			if corner>>k&1 == 1 {
				xs, ys = append(xs, float64(k%2)), append(ys, float64(k/2))
			}
		}
		v := New("", Points(xs, ys, Name("points"))).Range(-0.1, 1.1, -0.1, 1.1).view()
		r := vg.Rectangle{Max: vg.Point{X: 300, Y: 220}}
		v.fit(r)
		if v.outer {
			t.Errorf("corners %04b: the legend is outside, though there is room on the sides", corner)
			continue
		}
		box := v.box(r, v.margins())
		at := v.legend.Add(box.Min)
		to := at.Add(keySize(v.keys))
		p := v.plot()
		tx, ty := p.Transforms(&draw.Canvas{Rectangle: box})
		for i := range xs {
			if x, y := tx(xs[i]), ty(ys[i]); x > at.X-3 && x < to.X+3 && y > at.Y-3 && y < to.Y+3 {
				t.Errorf("corners %04b: the legend hides the point (%g, %g)", corner, xs[i], ys[i])
			}
		}
	}
	// A cloud without gaps: the legend goes beside the axes, still on the canvas.
	var xs, ys []float64
	for i := range 900 {
		xs, ys = append(xs, float64(i%30)), append(ys, float64(i/30))
	}
	v := New("", Points(xs, ys, Name("points"))).view()
	r := vg.Rectangle{Max: vg.Point{X: 300, Y: 220}}
	v.fit(r)
	if right := v.box(r, v.margins()).Max.X + keyGap + keySize(v.keys).X; !v.outer || right > r.Max.X {
		t.Errorf("full axes: outer = %v, the legend ends at %v of %v", v.outer, right, r.Max.X)
	}
}

// A plotter of gonum/plot is a layer like any other.
func TestForeignLayer(t *testing.T) {
	pts := plotter.XYs{{X: 0, Y: 0}, {X: 10, Y: 100}}
	scatter, err := plotter.NewScatter(pts)
	if err != nil {
		t.Fatal(err)
	}
	scatter.GlyphStyle = draw.GlyphStyle{Color: color.NRGBA{R: 0xFF, A: 0xFF}, Radius: 4, Shape: draw.CircleGlyph{}}
	labels, err := plotter.NewLabels(plotter.XYLabels{XYs: pts, Labels: []string{"∇", "x_{i}"}})
	if err != nil {
		t.Fatal(err)
	}
	var q probe
	img, err := png.Decode(bytes.NewReader(New("", scatter, labels, &q).PNG(96)))
	if err != nil {
		t.Fatal(err)
	}
	if q.p.X.Max != 10.5 || q.p.Y.Max != 105 {
		t.Errorf("axes up to %g and %g, want 10.5 and 105", q.p.X.Max, q.p.Y.Max)
	}
	red := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, _, _ := img.At(x, y).RGBA(); r > 0xF000 && g < 0x1000 {
				red++
			}
		}
	}
	if red == 0 {
		t.Error("the scatter of gonum/plot was not drawn")
	}
}

func TestImageColours(t *testing.T) {
	l := Image([]float64{-1, 0, 0.5, 2}, 2).(*raster)
	if l.lo != -2 || l.hi != 2 {
		t.Errorf("colours from %g to %g, want them symmetric about 0", l.lo, l.hi)
	}
	if c := l.shadeOf(0); c != (color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}) {
		t.Errorf("0 is %v, want white", c)
	}
	if minus, plus := l.shadeOf(-1), l.shadeOf(1); minus.B <= minus.R || plus.R <= plus.B {
		t.Errorf("-1 is %v and +1 %v, want blue and vermilion", minus, plus)
	}
	g := Image([]float64{0, 1, 4, 2}, 2).(*raster)
	if a, b := g.shadeOf(0), g.shadeOf(4); a.R != 0xFF || b.R != 0 {
		t.Errorf("0 is %v and the greatest %v, want white and black", a, b)
	}
	// Cells have sharp borders: only the colours of values occur inside.
	var q probe
	img, err := png.Decode(bytes.NewReader(New("", Image([]float64{0, 1, 1, 0}, 2), &q).Size(3*vg.Inch, 3*vg.Inch).PNG(101)))
	if err != nil {
		t.Fatal(err)
	}
	dpi, h := 101.0, img.Bounds().Dy()
	for y := int(q.canvas.Min.Y.Dots(dpi)) + 3; y < int(q.canvas.Max.Y.Dots(dpi))-3; y++ {
		for x := int(q.canvas.Min.X.Dots(dpi)) + 3; x < int(q.canvas.Max.X.Dots(dpi))-3; x++ {
			if c := color.GrayModel.Convert(img.At(x, h-1-y)).(color.Gray).Y; c != 0 && c != 0xFF {
				t.Fatalf("pixel (%d, %d) has grey %d, want 0 or 255", x, y, c)
			}
		}
	}
}

func TestSVG(t *testing.T) {
	svg := New("a < b", Image([]float64{-1, 0, 1, 0}, 2, Bar("γ"))).SVG()
	var texts []string
	dec := xml.NewDecoder(bytes.NewReader(svg))
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, svg)
		}
		if c, ok := tok.(xml.CharData); ok && strings.TrimSpace(string(c)) != "" {
			texts = append(texts, string(c))
		}
	}
	for _, want := range []string{"a < b", "γ"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no text %q in %q", want, texts)
		}
	}
	for _, want := range []string{`role="img" aria-label="Figure “a &lt; b”: image of 2×2 pixels, values shown from −1 to 1."`, "font-family:'DejaVu Sans',Verdana,sans-serif", "image-rendering:pixelated", "data:image/png;base64,"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("the SVG has no %s", want)
		}
	}
}

func TestEquation(t *testing.T) {
	for _, c := range []struct {
		w    [2]float64
		b    float64
		want string
	}{
		{[2]float64{1, -2}, 0, "x₁ − 2x₂ = 0"},
		{[2]float64{-1, 0}, 0.5, "−x₁ + 0.5 = 0"},
		{[2]float64{0, 3}, -1, "3x₂ − 1 = 0"},
	} {
		if got := equation(c.w, c.b); got != c.want {
			t.Errorf("equation(%v, %g) = %q, want %q", c.w, c.b, got, c.want)
		}
	}
}

func ticksOf(ticks []plot.Tick) string {
	var s []string
	for _, t := range ticks {
		if !t.IsMinor() {
			s = append(s, fmt.Sprintf("%g:%s", t.Value, t.Label))
		}
	}
	return strings.Join(s, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		min, max float64
		n        int
		whole    bool
		want     string
	}{
		{-1.1, 2.2, 5, false, "-1:−1 0:0 1:1 2:2"},
		{0, 1, 6, false, "0:0 0.2:0.2 0.4:0.4 0.6000000000000001:0.6 0.8:0.8 1:1.0"},
		{0.8, 3.2, 10, true, "1:1 2:2 3:3"},
		{0, 60000, 4, false, "0:0 20000:20000 40000:40000 60000:60000"},
		{0, 3e6, 4, false, "0:0 1e+06:1×10^{6} 2e+06:2×10^{6} 3e+06:3×10^{6}"},
		{-2e-6, 2e-6, 3, false, "-2e-06:−2×10^{−6} 0:0 2e-06:2×10^{−6}"},
	} {
		if got := ticksOf(linearTicks(c.min, c.max, c.n, c.whole)); got != c.want {
			t.Errorf("%d ticks from %g to %g: %s, want %s", c.n, c.min, c.max, got, c.want)
		}
	}
	for _, c := range []struct {
		min, max float64
		n        int
		want     string
	}{
		{0.9, 1100, 5, "1:1 10:10 100:100 1000:1000"},
		{2, 30, 5, "2:2 5:5 10:10 20:20"},
		{1e-8, 1, 4, "1e-08:10^{−8} 1e-06:10^{−6} 0.0001:10^{−4} 0.01:10^{−2} 1:10^{0}"},
	} {
		if got := ticksOf(logTicks(c.min, c.max, c.n)); got != c.want {
			t.Errorf("%d ticks from %g to %g: %s, want %s", c.n, c.min, c.max, got, c.want)
		}
	}
}

func TestMarkup(t *testing.T) {
	for _, c := range []struct {
		text string
		want []run
	}{
		{"x_{ij}", []run{{"x", 0}, {"ij", -1}}},
		{"e^{−m}+1", []run{{"e", 0}, {"−m", 1}, {"+1", 0}}},
		{"a^{2}_{i}", []run{{"a", 0}, {"2", 1}, {"i", -1}}},
		{"train_error {a}", []run{{"train_error {a}", 0}}},
		{"x_{i", []run{{"x_{i", 0}}},
		{"", nil},
	} {
		if got := split(c.text); !slices.Equal(got, c.want) {
			t.Errorf("split(%q) = %v, want %v", c.text, got, c.want)
		}
	}
	plain, low := style(10).Width("xi"), style(10).Width("x_{i}")
	if !(low < plain) {
		t.Errorf("x_{i} is %v wide and xi %v, want a small i", low, plain)
	}
}

// DejaVu Sans must have the characters of the lectures. Glyph 0 is the box for a missing
// character.
func TestLetters(t *testing.T) {
	face := sans().Cache().Lookup(style(10).Font, 10)
	for _, r := range "∈∇ℝγρξθαβω‖₀₁₂ᵢⱼₖₙ²ᵀ⁻⟨⟩∼⊥∥⋅·−≤≥≠√∑∞→×ℓ“”…" {
		if i, err := face.Face.GlyphIndex(nil, r); err != nil || i == 0 {
			t.Errorf("no glyph for %c (%U)", r, r)
		}
	}
}

// With SameAxes both panels have the union of the two ranges, and their descriptions say
// so.
func TestAltOfSameAxes(t *testing.T) {
	small := New("", Line([]float64{0, 1}, []float64{0, 1})).Range(0, 1, 0, 1)
	large := New("", Line([]float64{0, 4}, []float64{-2, 2})).Range(0, 4, -2, 2)
	for i, line := range strings.Split(Tile(2, small, large).SameAxes().Alt(), "\n") {
		if !strings.Contains(line, "x from 0 to 4, y from −2 to 2.") {
			t.Errorf("panel %d: %s", i+1, line)
		}
	}
}

// A curve is upright where its function jumps, wherever that is between the samples. Smooth
// functions, corners and steep slopes get no further samples.
func TestCurveJumps(t *testing.T) {
	step := func(at float64) func(float64) float64 {
		return func(x float64) float64 {
			if x < at {
				return -1
			}
			return 2
		}
	}
	for _, c := range []struct {
		name  string
		f     func(float64) float64
		jumps []float64
	}{
		{"at a sample", step(0), []float64{0}},
		{"between samples", step(0.1234567), []float64{0.1234567}},
		{"at the ends", func(x float64) float64 { return step(-3+1e-4)(x) + step(3-1e-4)(x) }, []float64{-3 + 1e-4, 3 - 1e-4}},
		{"floor", func(x float64) float64 { return math.Floor(x) + x }, []float64{-2, -1, 0, 1, 2, 3}},
		{"smooth", math.Sin, nil},
		{"corner", func(x float64) float64 { return math.Max(0, 1-x) }, nil},
		{"steep", func(x float64) float64 { return math.Tanh(2000 * (x - 0.106)) }, nil},
		{"holes", func(x float64) float64 { return math.Sqrt(x * (x - 1)) }, nil},
		{"pole", func(x float64) float64 { return 1 / (x - 0.1) }, nil},
	} {
		l := Curve(c.f).(*curve)
		xs, ys := l.over(-3, 3, false)
		if c.name != "pole" && len(xs) != samples+1+2*len(c.jumps) {
			t.Errorf("%s: %d samples, want %d", c.name, len(xs), samples+1+2*len(c.jumps))
		}
		found := []float64{}
		for i := 1; i < len(xs); i++ {
			if xs[i] < xs[i-1] {
				t.Errorf("%s: x = %v after %v", c.name, xs[i], xs[i-1])
			}
			if xs[i]-xs[i-1] < 1e-9 && math.Abs(ys[i]-ys[i-1]) > 0.9 {
				found = append(found, xs[i])
			}
		}
		for k, at := range c.jumps {
			if k >= len(found) || math.Abs(found[k]-at) > 1e-9 {
				t.Errorf("%s: upright at %v, want %v", c.name, found, c.jumps)
				break
			}
		}
	}
}
