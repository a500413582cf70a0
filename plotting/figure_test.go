package plotting

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/internal/testkit/must"
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

// decoded returns the picture in a PNG file.
func decoded(t *testing.T, file []byte) image.Image {
	t.Helper()
	img := must.Get(png.Decode(bytes.NewReader(file))).Or(t)
	return img
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

// A plotter of gonum/plot is a layer like any other.
func TestForeignLayer(t *testing.T) {
	pts := plotter.XYs{{X: 0, Y: 0}, {X: 10, Y: 100}}
	scatter := must.Get(plotter.NewScatter(pts)).Or(t)
	scatter.GlyphStyle = draw.GlyphStyle{Color: color.NRGBA{R: 0xFF, A: 0xFF}, Radius: 4, Shape: draw.CircleGlyph{}}
	labels := must.Get(plotter.NewLabels(plotter.XYLabels{XYs: pts, Labels: []string{"∇", "x_{i}"}})).Or(t)
	var q probe
	img := decoded(t, New("", scatter, labels, &q).PNG(96))
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

// Without ticks, the axes have no numbers and no grid: only the title and the frame have ink
// outside of the layers, and the text alternative names no range.
func TestNoTicks(t *testing.T) {
	var ticks, none probe
	New("", &ticks).Range(0, 1, 0, 1).PNG(50)
	f := New("", &none).Range(0, 1, 0, 1).NoTicks()
	img := decoded(t, f.PNG(96))
	if a, b := ticks.canvas.Size(), none.canvas.Size(); b.X <= a.X || b.Y <= a.Y {
		t.Errorf("axes of %v without ticks, of %v with them", b, a)
	}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			// The frame is a border (5 points) from the rim.
			rim := min(x, y, img.Bounds().Dx()-1-x, img.Bounds().Dy()-1-y)
			if r, _, _, _ := img.At(x, y).RGBA(); r != 0xFFFF && (rim < 5 || rim > 8) {
				t.Fatalf("ink at (%d, %d)", x, y)
			}
		}
	}
	if got := f.Alt(); got != "Figure." {
		t.Errorf("described as %q", got)
	}
}
