package feature_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/neighbors"
)

// A digit of MNIST: 4×4 cells of 7×7 pixels, 3×3 blocks of 2×2 cells, 9 bins.
func ExampleHOG() {
	hog, err := feature.NewHOG(28, 28, 7, 2, 9)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hog.Inputs(), hog.Dim())
	// Output: 784 324
}

// Dalal and Triggs, section 6.4 and figure 5: a 64×128 window with cells of 8×8 and
// blocks of 2×2 has 7×15 blocks and 3780 features.
func TestHOGSizes(t *testing.T) {
	h, err := feature.NewHOG(128, 64, 8, 2, 9)
	if err != nil || h.Dim() != 3780 {
		t.Errorf("%d features, %v, want 3780", h.Dim(), err)
	}
	for _, c := range [][5]int{{0, 8, 8, 1, 9}, {8, 8, 0, 1, 9}, {8, 8, 4, 0, 9}, {8, 8, 4, 2, 0}, {15, 16, 8, 2, 9}} {
		if _, err := feature.NewHOG(c[0], c[1], c[2], c[3], c[4]); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
}

// A ramp has the same gradient everywhere. With nine bins, centred at 10°, 30°, …, a
// gradient at 0° is shared by the bins at 170° and 10°, and one at 90° belongs to the
// bin at 90° alone. The block is one cell.
func TestHOGRamps(t *testing.T) {
	h := testkit.Try(feature.NewHOG(6, 6, 6, 1, 9)).Or(t)
	signed := h
	signed.Signed = true // centres at 20°, 60°, …: 180° is the centre of bin 4
	for _, c := range []struct {
		name   string
		h      feature.HOG
		dx, dy float64
		want   map[int]float64
	}{
		{"0°", h, 1, 0, map[int]float64{8: math.Sqrt2 / 2, 0: math.Sqrt2 / 2}},
		{"180°", h, -1, 0, map[int]float64{8: math.Sqrt2 / 2, 0: math.Sqrt2 / 2}},
		{"90°", h, 0, 1, map[int]float64{4: 1}},
		{"signed 180°", signed, -1, 0, map[int]float64{4: 1}},
		{"signed 0°", signed, 1, 0, map[int]float64{8: math.Sqrt2 / 2, 0: math.Sqrt2 / 2}},
	} {
		x := make([]float64, 36)
		for i := range 6 {
			for j := range 6 {
				x[6*i+j] = c.dx*float64(j) + c.dy*float64(i)
			}
		}
		for bin, got := range c.h.TransformSample(nil, x) {
			if math.Abs(got-c.want[bin]) > 1e-8 {
				t.Errorf("%s: bin %d = %v, want %v", c.name, bin, got, c.want[bin])
			}
		}
	}
}

// Mirroring the image left to right mirrors blocks and cells and takes bin b to 8-b.
// Lighting does not matter, and a constant image has no features.
func TestHOGSymmetry(t *testing.T) {
	const cell, bins = 7, 9
	h := testkit.Try(feature.NewHOG(28, 28, cell, 2, bins)).Or(t)
	rng := rand.New(rand.NewPCG(2, 2))
	x, flipped, lit, even := make([]float64, 784), make([]float64, 784), make([]float64, 784), make([]float64, 784)
	for i := range 28 {
		for j := range 28 {
			v := rng.Float64()
			x[28*i+j], flipped[28*i+27-j], lit[28*i+j], even[28*i+j] = v, v, 100*v+30, 0.5
		}
	}
	f, g, l := h.TransformSample(nil, x), h.TransformSample(nil, flipped), h.TransformSample(nil, lit)
	at := func(blockRow, blockCol, cellRow, cellCol, bin int) int {
		return (((blockRow*3+blockCol)*2+cellRow)*2+cellCol)*bins + bin
	}
	for br := range 3 {
		for bc := range 3 {
			for cr := range 2 {
				for cc := range 2 {
					for b := range bins {
						p, q := at(br, bc, cr, cc, b), at(br, 2-bc, cr, 1-cc, 8-b)
						if math.Abs(f[p]-g[q]) > 1e-12 {
							t.Fatalf("feature %d = %v, of the flipped image %d = %v", p, f[p], q, g[q])
						}
					}
				}
			}
		}
	}
	for k := range f {
		if math.Abs(f[k]-l[k]) > 1e-6 {
			t.Errorf("feature %d = %v, in other light %v", k, f[k], l[k])
		}
	}
	for k, v := range h.TransformSample(nil, even) {
		if v != 0 {
			t.Errorf("feature %d of an even image = %v, want 0", k, v)
		}
	}
}

// Pixels that do not fill a cell are left out, half of them on each side and an odd one at the
// bottom or at the right, except for the gradients next to them: with the values of the border
// they change nothing.
func TestHOGRest(t *testing.T) {
	const height, width, cell = 6, 9, 3
	rng := rand.New(rand.NewPCG(3, 3))
	image := mat.NewDense(height, width, nil)
	image.Apply(func(_, _ int, _ float64) float64 { return rng.Float64() }, image)
	exact := testkit.Try(feature.NewHOG(height, width, cell, 1, 9)).Or(t)
	want := exact.TransformSample(nil, image.RawMatrix().Data)
	for _, more := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2}, {2, 1}} {
		h := testkit.Try(feature.NewHOG(height+more[0], width+more[1], cell, 1, 9)).Or(t)
		var x []float64
		for i := range h.Height {
			for j := range h.Width {
				x = append(x, image.At(min(max(i-more[0]/2, 0), height-1), min(max(j-more[1]/2, 0), width-1)))
			}
		}
		if got := h.TransformSample(nil, x); !slices.Equal(got, want) {
			t.Errorf("%d×%d pixels: %v, want %v", h.Height, h.Width, got, want)
		}
	}
}

// Good features are "invariant to perturbations of the signal" (EE-559): on digits
// shifted by a pixel, nearest neighbours make fewer errors with HOG than with pixels.
func TestHOGDigits(t *testing.T) {
	testkit.Long(t)
	digits := datasets.Digits()
	h := testkit.Try(feature.NewHOG(8, 8, 2, 2, 9)).Or(t)
	var images, shifted [][]float64
	for i := range 1200 {
		x := digits.X.RawRowView(i)
		images = append(images, x)
		s := make([]float64, 64)
		for p := range s {
			if p%8 > 0 {
				s[p] = x[p-1]
			}
		}
		shifted = append(shifted, s)
	}
	errors := func(phi func([]float64) []float64) int {
		X := make([][]float64, 800)
		for i := range X {
			X[i] = phi(images[i])
		}
		m := &neighbors.Model{K: 3, Classes: feature.Classes(digits.Y[:800]), X: X, Y: digits.Y[:800]}
		wrong := 0
		for i := 800; i < 1200; i++ {
			if m.Predict(phi(shifted[i])) != digits.Y[i] {
				wrong++
			}
		}
		return wrong
	}
	pixels := errors(func(x []float64) []float64 { return x })
	hog := errors(func(x []float64) []float64 { return h.TransformSample(nil, x) })
	if hog*2 > pixels {
		t.Errorf("%d of 400 shifted digits wrong by HOG, %d by pixels, want at most half as many", hog, pixels)
	}
}

// A pixel that is not finite makes the cells around it NaN and no others, and Apply
// names the sample. Cells of 2×2 pixels share votes with their neighbours only, so of
// 4×4 cells the one in the opposite corner is unaffected.
func TestHOGNotFinite(t *testing.T) {
	h := testkit.Try(feature.NewHOG(8, 8, 2, 1, 9)).Or(t)
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		x := make([]float64, 64)
		for i := range x {
			x[i] = float64(i * i)
		}
		x[0], x[1], x[8] = v, v, v // includes a gradient Inf - Inf
		f := h.TransformSample(nil, x)
		if !math.IsNaN(floats.Sum(f[:9])) || math.IsNaN(floats.Sum(f[15*9:])) {
			t.Errorf("%v: the first cell is %v, the last %v; want NaN, and numbers", v, f[:9], f[15*9:])
		}
		if _, err := feature.Apply(h, mat.NewDense(1, 64, x)); err == nil || !strings.Contains(err.Error(), "X[0][0] = "+fmt.Sprint(v)) {
			t.Errorf("%v: error %v, want one that names X[0][0]", v, err)
		}
	}
}
