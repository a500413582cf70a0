package plotting

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/pen"
)

// The values are those of f at equal fractions of the axes, even of logarithmic ones.
func TestFieldValues(t *testing.T) {
	var seen [][2]float64
	f := func(x, y float64) float64 {
		seen = append(seen, [2]float64{x, y})
		return x
	}
	l := Contour(f, nil, Samples(3)).(*contour)
	v := New("").Range(1, 100, -1, 1).LogX().view()
	g := l.values(v.plot())
	want := [][2]float64{{1, -1}, {10, -1}, {100, -1}, {1, 0}, {10, 0}, {100, 0}, {1, 1}, {10, 1}, {100, 1}}
	for i, p := range want {
		if math.Abs(seen[i][0]-p[0]) > 1e-12*p[0] || seen[i][1] != p[1] || g.Z[i] != seen[i][0] {
			t.Errorf("value %d is %v of %v, want of %v", i, g.Z[i], seen[i], p)
		}
	}
}

// A drawing evaluates each field's grid once, though it draws the layer twice. The next
// drawing evaluates it again, since the result of f may have changed.
func TestFieldIsKeptForOneDrawing(t *testing.T) {
	calls, sign := 0, 1.0
	f := func(x, y float64) float64 { calls++; return sign * (x + 2) }
	fig := New("", Score(f, Samples(20)), Contour(f, []float64{99}, Samples(10), Name("none"))).Range(-1, 1, -1, 1).Size(2*vg.Inch, 2*vg.Inch)
	first := fig.PNG(50)
	if calls != 20*20+10*10 {
		t.Errorf("%d values for a drawing, want 500", calls)
	}
	sign = -1
	if second := fig.PNG(50); bytes.Equal(first, second) {
		t.Error("the field has changed, and the picture has not")
	}
}

// Parallel gives the same bytes for any number of processors, and a panic in the field
// reaches the caller.
func TestParallel(t *testing.T) {
	n := Samples(60)
	draw := func(s SampledStyle) []byte {
		f := func(x, y float64) float64 { return math.Sin(3*x) * math.Cos(2*y) }
		return New("", Score(f, s, n), Boundary(f, s, n), Regions(Sign(f), s, n)).Range(-2, 2, -2, 2).SVG()
	}
	want := draw(n)
	for _, n := range []int{1, 2, 7} {
		old := runtime.GOMAXPROCS(n)
		if got := draw(Parallel()); !bytes.Equal(got, want) {
			t.Errorf("%d processors: other bytes", n)
		}
		runtime.GOMAXPROCS(old)
	}
	var calls atomic.Int64
	defer func() {
		if got := recover(); got != "of the field" {
			t.Errorf("recovered %v, want the field's panic", got)
		}
	}()
	New("", Score(func(x, y float64) float64 {
		if calls.Add(1) == 500 {
			panic("of the field")
		}
		return 0
	}, Parallel())).PNG(30)
	t.Error("no panic")
}

// pixelAt returns the colour at a point of a figure without a title, with axes from -1
// to 1.
func pixelAt(t *testing.T, layer Layer, x, y float64) color.NRGBA {
	t.Helper()
	var q probe
	img := decoded(t, New("", layer, &q).Range(-1, 1, -1, 1).Size(3*vg.Inch, 3*vg.Inch).PNG(100))
	tx, ty := q.p.Transforms(&q.canvas)
	return color.NRGBAModel.Convert(img.At(int(tx(x).Dots(100)), img.Bounds().Dy()-1-int(ty(y).Dots(100)))).(color.NRGBA)
}

// A value has its shade in the colour bar: white in the middle of the scale, the last
// shade beyond its ends, grey for NaN. Infinite values are beyond the ends.
func TestShades(t *testing.T) {
	white := color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}
	low, high := newShading("", 0, 1, nil, nil).shade(0), newShading("", 0, 1, nil, nil).shade(shades-1)
	constant := func(v float64) Field { return func(x, y float64) float64 { return v } }
	for _, c := range []struct {
		layer Layer
		want  color.NRGBA
	}{
		{Score(constant(0)), white},
		{Probability(constant(0.5)), white},
		{Score(constant(7), Scale(4, 10)), white},
		{Score(constant(-2)), low},
		{Score(constant(-1e300)), low},
		{Score(constant(math.Inf(-1))), low},
		{Probability(constant(1)), high},
		{Score(constant(math.Inf(1))), high},
		{Score(constant(math.NaN())), pen.Mix(pen.Zero, pen.Zero, 0)},
		{Score(constant(-2 + 4*79.75/128)), newShading("", -2, 2, nil, nil).shade(80)},
		{Score(func(x, y float64) float64 { return math.Copysign(math.Inf(1), x) }, Samples(2)), high},
	} {
		if got := pixelAt(t, c.layer, 0.3, 0.4); got != c.want {
			t.Errorf("%s: %v, want %v", c.layer.(*shading).Alt(), got, c.want)
		}
	}
	// The values are interpolated between nodes. With the field x on 2×2 nodes, ½ is five
	// eighths of the way from -2 to 2, shade 0.625·128 = 80.
	got := pixelAt(t, Score(func(x, y float64) float64 { return x }, Samples(2)), 0.5, 0)
	if want := newShading("", -2, 2, nil, nil).shade(80); abs8(got.R, want.R) > 1 || abs8(got.B, want.B) > 1 {
		t.Errorf("x = ½ is %v, want %v", got, want)
	}
}

func abs8(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// Regions have the tints of their classes up to the border. The border is drawn where the
// label jumps, here at x = 0.123, off every node.
func TestRegionsBorder(t *testing.T) {
	label := func(x, y float64) float64 {
		switch {
		case y > 0.9:
			return math.NaN()
		case x < 0.123:
			return -1
		}
		return 1
	}
	tint := func(h pen.Hue) color.NRGBA { return pen.Mix(pen.Paper, h, tintOf(h)) }
	for _, c := range []struct {
		x, y float64
		want color.NRGBA
	}{
		{0.09, 0, tint(pen.Blue)}, {-0.9, -0.9, tint(pen.Blue)}, {0.16, 0, tint(pen.Vermilion)}, {0.9, 0.8, tint(pen.Vermilion)},
		{-0.5, 0.95, color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}},
	} {
		if got := pixelAt(t, Regions(label), c.x, c.y); got != c.want {
			t.Errorf("(%v, %v) is %v, want %v", c.x, c.y, got, c.want)
		}
	}
	if got := pixelAt(t, Regions(label), 0.123, 0); luminance(got) > 0.6 {
		t.Errorf("no border at x = 0.123: %v", got)
	}
	l := Regions(label).(*regions)
	paths := l.border(l.values(New("").Range(-1, 1, -1, 0.5).view().plot()), -1)
	if len(paths) != 1 {
		t.Fatalf("%d borders, want 1", len(paths))
	}
	for _, q := range paths[0].Points {
		if math.Abs(q.X-0.123) > 1e-7 { // a millionth of an edge, 0.01
			t.Errorf("the border is at x = %v", q.X)
		}
	}
}

// Tints are equally light, and light enough not to count as ink when a legend is placed.
func TestTints(t *testing.T) {
	for _, h := range pen.Hues {
		c := pen.Mix(pen.Paper, h, tintOf(h))
		if l := luminance(c); l < 0.88 || h != pen.Yellow && l > 0.89 {
			t.Errorf("the tint of %06x has luminance %.3f, want 0.885", uint32(h), l)
		}
	}
}

func TestClassesIn(t *testing.T) {
	classes, kinds := classesIn([]float64{1, 1, math.NaN(), -1, math.Inf(1), 1})
	if !slices.Equal(classes, []float64{-1, 1}) || !slices.Equal(kinds, []int{0, 1}) {
		t.Errorf("classes %v look like %v", classes, kinds)
	}
}

func ExampleRegions() {
	nearest := func(x1, x2 float64) float64 { // of (-1, 0), (1, 0), (0, 2)
		if x2 > 0.75+math.Abs(x1)/2 {
			return 2
		}
		return (math.Copysign(1, x1) + 1) / 2
	}
	fmt.Println(New("", Regions(nearest)).Range(-2, 2, -1, 3).Alt())
	// Output: Figure: the plane tinted by class. x₁ from −2 to 2, x₂ from −1 to 3.
}

// The levels of parallel lines are written apart and within the axes, but not on lines
// that are too short.
func TestLabeled(t *testing.T) {
	written := func(levels ...float64) int {
		f := func(x, y float64) float64 { return x }
		n := 0
		fig := New("", Contour(f, levels, Labeled())).Range(0, 10, 0, 10).Size(4*vg.Inch, 3*vg.Inch)
		for _, tok := range tokens(t, fig.SVG()) {
			if c, ok := tok.(xml.CharData); ok && strings.HasPrefix(string(c), "5.0") {
				n++
			}
		}
		return n
	}
	if n := written(5.01, 5.02, 5.03); n != 3 {
		t.Errorf("%d of 3 levels written", n)
	}
	// A line has five places for a label.
	if n := written(5.01, 5.02, 5.03, 5.04, 5.05, 5.06); n != 5 {
		t.Errorf("%d of 6 levels written side by side, want 5", n)
	}
}

func ExampleContour() {
	cost := func(w1, w2 float64) float64 { return w1*w1 + 4*w2*w2 }
	fig := New("", Contour(cost, []float64{1, 4}, Labeled(), Name("J(w)"))).Range(-2, 2, -1, 1).Labels("w₁", "w₂")
	fmt.Println(fig.Alt())
	// Output: Figure: lines of equal value “J(w)” at 1, 4. w₁ from −2 to 2, w₂ from −1 to 1.
}

func ExampleProbability() {
	p := func(x1, x2 float64) float64 { return 1 / (1 + math.Exp(-x1-x2)) }
	fmt.Println(New("", Probability(p, Bar("P(y = +1 | x)"))).Range(-3, 3, -3, 3).Alt())
	// Output: Figure: probability shaded, from 0 (blue) to 1 (vermilion). x₁ from −3 to 3, x₂ from −3 to 3.
}

func ExampleScore() {
	score := Of(func(x []float64) float64 { return x[0]*x[1] - 1 })
	fmt.Println(New("", Score(score, Bar("score")), Boundary(score)).Range(-2, 2, -2, 2).Alt())
	// Output: Figure: score shaded, from −2 (blue) to 2 (vermilion); lines of equal value at −1, 0, 1. x₁ from −2 to 2, x₂ from −2 to 2.
}

// Where a field is NaN or infinite: log(x₁) is −Inf at 0 and NaN to the left, and its level
// −1 is at 1/e. The lines of a field that jumps from −Inf to +Inf are on the jump. A hole of
// NaN cuts the line x₁ = 0 at most a step of the grid before its rim, at ±½.
func TestContourWithoutValues(t *testing.T) {
	const step = 4.0 / 199
	for _, c := range []struct {
		name  string
		f     Field
		level float64
		x     float64   // of the line
		ends  []float64 // x₂ of its ends, ascending
	}{
		{"logarithm", func(x, y float64) float64 { return math.Log(x) }, -1, 1 / math.E, []float64{-2, 2}},
		{"jump", func(x, y float64) float64 { return math.Inf(int(math.Copysign(1, x-1/math.Pi))) }, 7, 1 / math.Pi, []float64{-2, 2}},
		{"infinite on one side", func(x, y float64) float64 { return min(0, math.Inf(int(math.Copysign(1, x-1)))) }, -1, 1, []float64{-2, 2}},
		{"hole", func(x, y float64) float64 {
			if math.Hypot(x, y) < 0.5 {
				return math.NaN()
			}
			return x
		}, 0, 0, []float64{-2, -0.5, 0.5, 2}},
		{"nothing", func(x, y float64) float64 { return math.NaN() }, 0, 0, nil},
		{"infinite everywhere", func(x, y float64) float64 { return math.Inf(-1) }, 0, 0, nil},
	} {
		layer := Contour(c.f, []float64{c.level}).(*contour)
		fig := New("", layer).Range(-2, 2, -2, 2)
		var ends []float64
		for _, path := range layer.lines(fig.view().plot(), c.level) {
			for _, q := range path.Points {
				if math.Abs(q.X-c.x) > 1e-6*step {
					t.Errorf("%s: the line passes (%g, %g), want x₁ = %g", c.name, q.X, q.Y, c.x)
				}
			}
			ends = append(ends, path.Points[0].Y, path.Points[len(path.Points)-1].Y)
		}
		slices.Sort(ends)
		if len(ends) != len(c.ends) {
			t.Fatalf("%s: ends at %v, want %v", c.name, ends, c.ends)
		}
		for i, y := range c.ends {
			if d := math.Abs(ends[i]) - math.Abs(y); d < -1e-9 || d > step {
				t.Errorf("%s: ends at %v, want %v", c.name, ends, c.ends)
			}
		}
		for _, d := range []*Figure{fig, New("", Boundary(c.f, Samples(20)), Regions(c.f, Samples(20)), Score(c.f, Samples(20))).Range(-2, 2, -2, 2)} {
			d.Size(vg.Inch, vg.Inch).PNG(20) // draws without a panic
		}
	}
}
