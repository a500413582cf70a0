package feature_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"testing"

	"marginalia/datasets"
	"marginalia/mlkit/feature"
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

// Dalal and Triggs, section 6.4 and figure 5: a 64×128 window with cells of 8×8
// and blocks of 2×2 has 7×15 blocks, 3780 features.
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

// A ramp along a direction has one gradient everywhere. With nine bins, centred at
// 10°, 30°, …, a gradient at 0° is shared by the bins at 170° and 10°, one at 90°
// belongs to the bin at 90° alone, and one at 45° is shared by those at 30° and 50°
// as 1 to 3. The block is one cell: the votes divided by their length, cut at 0.2
// and divided again.
func TestHOGRamps(t *testing.T) {
	h, err := feature.NewHOG(6, 6, 6, 1, 9)
	if err != nil {
		t.Fatal(err)
	}
	signed := h
	signed.Signed = true // centres at 20°, 60°, …: 180° is one of them, bin 4
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

// In one cell of one pixel between two others the vote is seen before it is cut:
// the gradient (3, 3) at 45° gives a quarter to the bin at 30° and three quarters
// to that at 50°; both are cut to 0.2, and so equal.
func TestHOGCut(t *testing.T) {
	h, err := feature.NewHOG(3, 3, 3, 1, 9)
	if err != nil {
		t.Fatal(err)
	}
	got := h.TransformSample(nil, []float64{0, 0, 0, 0, 0, 3, 0, 3, 0})
	one, err := feature.NewHOG(3, 3, 1, 1, 9)
	if err != nil {
		t.Fatal(err)
	}
	centre := one.TransformSample(nil, []float64{0, 0, 0, 0, 0, 3, 0, 3, 0})[4*9:][:9]
	for bin, v := range centre {
		want := 0.0
		if bin == 1 || bin == 2 {
			want = math.Sqrt2 / 2
		}
		if math.Abs(v-want) > 1e-8 {
			t.Errorf("centre, bin %d = %v, want %v", bin, v, want)
		}
	}
	if len(got) != 9 {
		t.Errorf("%d features of one cell, want 9", len(got))
	}
}

// A flip of the image from left to right flips blocks and cells and takes bin b to
// 8-b; light does not matter; an even image has no features.
func TestHOGSymmetry(t *testing.T) {
	const side, cell, cells, bins = 29, 7, 4, 9 // one column is left out, at the right
	h, err := feature.NewHOG(28, 28, cell, 2, bins)
	if err != nil {
		t.Fatal(err)
	}
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
	// A column more at the right changes the gradients along the border only.
	wide, err := feature.NewHOG(28, side, cell, 2, bins)
	if err != nil || wide.Dim() != 3*3*4*bins || wide.Width/cell != cells {
		t.Errorf("%d features of 28×29 pixels, %v", wide.Dim(), err)
	}
}

// Good features are "invariant to perturbations of the signal" (EE-559): nearest
// neighbours tell digits apart that are shifted by a pixel better by HOG than by
// their pixels.
func TestHOGDigits(t *testing.T) {
	digits := datasets.Digits()
	h, err := feature.NewHOG(8, 8, 2, 2, 9)
	if err != nil {
		t.Fatal(err)
	}
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
		m := &feature.KNNModel{K: 3, Classes: feature.Classes(digits.Y[:800]), X: X, Y: digits.Y[:800]}
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
