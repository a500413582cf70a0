package plotting_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	. "marginalia/plotting"

	"marginalia/internal/tier"
)

var update = flag.Bool("update", false, "rewrite the golden figures in testdata")

// The worked example of CMU: six points, predicting + iff w·x ≥ 0.
var (
	cmuX = mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1})
	cmuY = []int{-1, 1, 1, -1, -1, 1}
)

// cmu has one panel per weight vector of the run, starting with w = (0, 0).
func cmu() figure {
	var panels []*Figure
	for _, step := range []struct {
		title string
		w     []float64
		at    []int
	}{
		{"start: w = (0, 0)", []float64{0, 0}, nil},
		{"1st mistake: w = (1, −2)", []float64{1, -2}, []int{0}},
		{"2nd mistake: w = (2, −1)", []float64{2, -1}, []int{2}},
		{"3rd mistake: w = (3, 1)", []float64{3, 1}, []int{4}},
	} {
		panels = append(panels, New(step.title,
			Plane(step.w, 0, Shade()),
			Classes(cmuX, cmuY),
			Ring(cmuX, step.at),
			Arrow(0, 0, step.w[0], step.w[1], "w"),
		))
	}
	return Tile(2, panels...).SameAxes()
}

// Theodoridis, example 3.2: the four points and the final line of the reward
// and punishment form, w = (-1, 1, 0).
func theodoridis() figure {
	x := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
	return New("reward and punishment, after 7 steps",
		Plane([]float64{-1, 1}, 0, Name("−x₁ + x₂ = 0")),
		Classes(x, []int{1, 1, 2, 2}, Name("ω₁", "ω₂")),
	).Equal()
}

var epochErrors = []float64{0.62, 0.21, 0.09, 0.05, 0.03, 0.012, 0.008, 0.004, 0.0008, 0}

func epochs() figure {
	linear := New("linear", Line(nil, epochErrors, Name("train"), Size(5)), Line(nil, []float64{0.4, 0.2, 0.11, 0.09, 0.08, 0.1, 0.09, 0.12, 0.1, 0.14}, Name("test"), Dashed())).
		Labels("epoch", "error (%)")
	log := New("logarithmic", Line(nil, epochErrors, Name("train"), Size(5)), Line(nil, []float64{0.4, 0.2, 0.11, 0.09, 0.08, 0.1, 0.09, 0.12, 0.1, 0.14}, Name("test"), Dashed())).
		Labels("epoch", "error (%)").LogY()
	return Tile(2, linear, log)
}

// The signed distance of x = (2, 2) from x₁ + 2x₂ - 2 = 0 is 4/√5.
func distance() figure {
	w, b := []float64{1, 2}, -2.0
	return New("signed distance",
		Plane(w, b, Shade(), Name("w·x + b = 0")),
		Arrow(2, 0, 2.5, 1, "w/2"),
		Perpendicular(w, b, []float64{2, 2}, "(w·x + b)/‖w‖ = 4/√5"),
		Points([]float64{2}, []float64{2}, Colour(Vermilion), Size(7)),
		Note(2.25, 2.05, "x"),
		Note(-0.4, 2.4, "w·x + b > 0", Colour(Vermilion)),
		Note(-0.4, 0, "w·x + b < 0", Colour(Blue)),
	)
}

// digits returns n images of 28×28 pixels: rings in even rows, bars in odd rows, of
// different sizes.
func digits(n int) *mat.Dense {
	x := mat.NewDense(n, 784, nil)
	for k := range n {
		for i := range 28 {
			for j := range 28 {
				u, v := float64(j)-13.5, float64(i)-13.5
				d := math.Abs(math.Hypot(u, v*0.8) - 5 - float64(k%5))
				if k%2 == 1 {
					d = math.Abs(u + 0.1*float64(k)*v)
					if math.Abs(v) > 10 {
						d = 9
					}
				}
				x.Set(k, 28*i+j, math.Max(0, 1-d/3))
			}
		}
	}
	return x
}

// weights returns the difference of the mean ring and the mean bar.
func weights() []float64 {
	x := digits(20)
	w := make([]float64, 784)
	for k := range 20 {
		for j := range w {
			w[j] += x.At(k, j) * float64(2*(k%2)-1) / 10
		}
	}
	return w
}

func weightImage() figure {
	return New("weights after training", Image(weights(), 28, Bar("weight of the pixel")))
}

func digitSheet() figure {
	var captions []string
	for k := range 10 {
		captions = append(captions, []string{"y = 0", "y = 1"}[k%2])
	}
	return New("ten digits", Digits(digits(10), 28, 28, 5, Captions(captions...)))
}

func hinge(m float64) float64 { return math.Max(0, 1-m) }

func zeroOne(m float64) float64 {
	if m < 0 {
		return 1
	}
	return 0
}

func losses() figure {
	return New("",
		Curve(hinge, Name("hinge: max(0, 1 − m)")),
		Curve(zeroOne, Name("0/1: ∑_{i} 1[m_{i} < 0]"), Steps()),
		Curve(func(m float64) float64 { return math.Log1p(math.Exp(-m)) / math.Ln2 }, Name("logistic: log₂(1 + e^{−m})"), Dashed()),
	).Labels("margin m = y (w·x + b), x ∈ ℝ²", "loss")
}

// crowd has three classes that fill the axes, which forces the legend outside.
func crowd() figure {
	x, y := mat.NewDense(200, 2, nil), make([]int, 200)
	for i := range 200 {
		x.Set(i, 0, math.Mod(float64(i)*0.618034, 1))
		x.Set(i, 1, float64(i)/200)
		y[i] = i * 7 % 5
	}
	return New("", Classes(x, y))
}

// figure is the interface that figures and panels share.
type figure interface {
	Drawing
	PNG(dpi int) []byte
	SVG() []byte
	PDF() []byte
	Extent() (w, h vg.Length)
	Alt() string
}

// resized returns the figure for a column of width w.
func resized(d figure, w vg.Length) figure {
	if f, ok := d.(*Figure); ok {
		return f.Resized(w)
	}
	return d.(*Panels).Resized(w)
}

var figures = []struct {
	name string
	draw func() figure
}{
	{"cmu", cmu},
	{"theodoridis", theodoridis},
	{"epochs", epochs},
	{"distance", distance},
	{"weights", weightImage},
	{"digits", digitSheet},
	{"losses", losses},
	{"crowd", crowd},
	{"annulus", annulus},
	{"regions", threeRegions},
	{"posterior", posterior},
	{"confusions", confusions},
	{"grams", grams},
	{"margins", margins},
	{"crowded-margin", crowdedMargin},
	{"feature-map", featureMap},
	{"projection", projection},
	{"helix", helix},
	{"bars", barCharts},
	{"histograms", histograms},
	{"bands", bands},
	{"end-labels", endLabels},
	{"hog", hog},
	{"validations", validations},
	{"searches", searches},
	{"rankings", rankings},
	{"surfaces", surfaces},
}

// The figures match the golden pictures. On up to a thousandth of the pixels, colours may
// differ by more than 2 of 255, because rounding errors differ between processors.
func TestGolden(t *testing.T) {
	tier.Long(t)
	for _, f := range figures {
		t.Run(f.name, func(t *testing.T) {
			got := f.draw().PNG(72)
			path := filepath.Join("testdata", f.name+".png")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, f.name, got, want)
		})
	}
}

func compare(t *testing.T, name string, got, want []byte) {
	t.Helper()
	a, err := png.Decode(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	b, err := png.Decode(bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	bad := 0
	diff := image.NewGray(a.Bounds())
	if a.Bounds() == b.Bounds() {
		for y := range a.Bounds().Dy() {
			for x := range a.Bounds().Dx() {
				if d := apart(a.At(x, y), b.At(x, y)); d > 2 {
					bad++
					diff.SetGray(x, y, color.Gray{Y: uint8(min(255, 50+4*d))})
				}
			}
		}
		if bad*1000 <= a.Bounds().Dx()*a.Bounds().Dy() {
			return
		}
	}
	dir, err := os.MkdirTemp("", "marginalia-figure-")
	if err != nil {
		t.Fatal(err)
	}
	var d bytes.Buffer
	if err := png.Encode(&d, diff); err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string][]byte{"got": got, "want": want, "diff": d.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name+"-"+file+".png"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Errorf("%s: size %v, want %v; %d pixels differ: see %s; go test -update accepts the new picture",
		name, a.Bounds().Size(), b.Bounds().Size(), bad, dir)
}

func apart(a, b color.Color) int {
	r, g, bl, _ := a.RGBA()
	r2, g2, bl2, _ := b.RGBA()
	d := func(x, y uint32) int { return max(int(x>>8)-int(y>>8), int(y>>8)-int(x>>8)) }
	return max(d(r, r2), d(g, g2), d(bl, bl2))
}

// Drawing must not change the figure or globals, and must not depend on the order of a map
// or on the number of processors.
func TestSameBytes(t *testing.T) {
	tier.Long(t) // TestParallel draws what goroutines share
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, f := range figures {
		once := f.draw()
		svg, file := once.SVG(), once.PNG(30)
		runs := []int{2} // a new drawing on one processor
		if tier.IsLong(t) {
			runs = slices.Repeat([]int{0, 1, 2, 3}, 5)
		}
		for _, run := range runs {
			runtime.GOMAXPROCS(1 + run%2)
			d := once
			if run > 1 {
				d = f.draw()
			}
			if !bytes.Equal(d.SVG(), svg) {
				t.Fatalf("%s: SVG differs from one drawing to the next", f.name)
			}
			if !bytes.Equal(d.PNG(30), file) {
				t.Fatalf("%s: PNG differs from one drawing to the next", f.name)
			}
		}
	}
}
