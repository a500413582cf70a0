package dcd

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/svm/internal/linear"
)

// values returns both objectives of s without b, from their definitions. All samples have the
// same C.
func values(s *linear.Solution, X *mat.Dense, y []int, C float64, squared bool) (primal, dual float64) {
	w := make([]float64, len(s.W))
	for i, a := range s.Alpha {
		x := X.RawRowView(i)
		floats.AddScaled(w, a*float64(y[i]), x)
		ξ := max(0, 1-float64(y[i])*floats.Dot(s.W, x))
		dual += a
		if squared {
			primal += C * ξ * ξ
			dual -= a * a / 4 / C
		} else {
			primal += C * ξ
		}
	}
	return primal + floats.Dot(s.W, s.W)/2, dual - floats.Dot(w, w)/2
}

// If float32 samples are too coarse, float64 ones are used: for a gap below their
// rounding error, and for norms outside the range of float32.
func TestRoughGivenUp(t *testing.T) {
	X, y := samples.Clouds(linear.ManyRows, 6, 2, 7)
	for i := range y {
		y[i] = 1 - 2*y[i]
	}
	for _, c := range []struct {
		scale, C, tol float64
		squared       bool
		rough         [2]bool // before and after
	}{
		{1, 1e-3, 1e-4, false, [2]bool{true, true}},
		{1, 1e-3, 1e-13, false, [2]bool{true, false}},
		{1, 1e-3, 1e-13, true, [2]bool{true, true}}, // its gap is quadratic in the error
		{1e-40, 1e77, 1e-4, false, [2]bool{}},
		{1e-40, 1e77, 1e-4, true, [2]bool{}},
	} {
		scaled := mat.NewDense(len(y), 6, nil)
		scaled.Scale(c.scale, X)
		r := testkit.Try(New(linear.New(scaled, y, slices.Repeat([]float64{c.C}, len(y)), c.squared, mlkit.NoBias), nil)).Or(t)
		r.Tol, r.MaxIter = c.tol, 10000
		fast := r.passes.(*fastPasses)
		before := fast.rough != nil
		s, ended := r.Solve(context.Background())
		if ended != linear.Done {
			t.Errorf("scale %v, squared %v, Tol %v: ended %v after %d passes", c.scale, c.squared, c.tol, ended, r.Passes)
			continue
		}
		if after := fast.rough != nil; [2]bool{before, after} != c.rough {
			t.Errorf("scale %v, squared %v, Tol %v: in float32 before and after: %v, %v, want %v", c.scale, c.squared, c.tol, before, after, c.rough)
		}
		primal, dual := values(s, scaled, y, c.C, c.squared)
		// Tol, plus rounding error of two sums of 10,000 terms.
		if !(primal-dual <= (c.tol+1e-12)*primal) {
			t.Errorf("scale %v, squared %v: values %v and %v, want them within %v", c.scale, c.squared, primal, dual, c.tol)
		}
	}
}

// Rows in float32 are left after three measurements in a row without progress, which is a
// smaller gap, or one smaller by a tenth if the pass has seen it within tolerance. A
// measurement with progress starts the count anew.
func TestFloat32Patience(t *testing.T) {
	testkit.Set(t, &linear.ManyRows, 1)
	X, y := irises(t)
	for _, c := range []struct {
		name  string
		near  bool
		gaps  []float64
		rough bool // at the end
	}{
		{"falls slowly", false, []float64{1, 0.99, 0.98, 0.97, 0.96}, true},
		{"stalls", false, []float64{1, 1, 1, 1}, false},
		{"stalls twice at first", false, []float64{1, 1, 1, 0.9, 0.9, 0.9}, true},
		{"near, falls", true, []float64{1, 0.8, 0.6, 0.5, 0.4}, true},
		{"near, falls slowly", true, []float64{1, 0.99, 0.98, 0.97}, false},
		{"near, falls in the end", true, []float64{1, 0.99, 0.98, 0.8, 0.79, 0.78}, true},
	} {
		r := testkit.Try(New(linear.New(X, y, slices.Repeat([]float64{1}, len(y)), false, mlkit.FreeBias), nil)).Or(t)
		p := r.passes.(*fastPasses)
		for _, gap := range c.gaps {
			p.near = c.near
			p.tooLarge(r, gap)
		}
		if rough := p.rough != nil; rough != c.rough {
			t.Errorf("%s: in float32: %v, want %v", c.name, rough, c.rough)
		}
	}
}

// Each 24th of the range of numbers gives another of the 24 permutations of four.
func TestPermute(t *testing.T) {
	seen := map[[4]int32]bool{}
	for k := range uint64(24) {
		order := [4]int32{0, 1, 2, 3}
		permute(order[:], k*(math.MaxUint64/24)+math.MaxUint64/48)
		seen[order] = true
	}
	if len(seen) != 24 {
		t.Errorf("%d orders, want 24", len(seen))
	}
}
