package svm

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// The context, the limit and the trace end a fit of many rows, with consistent
// multipliers and objectives.
func TestManyRowsEnds(t *testing.T) {
	X, y := twoGaussians(manyRows, 5, 6)
	c := DualDescent{Tol: 1e-12, MaxIter: 15}
	for name, fit := range map[string]func() (*LinearModel, error){
		"limited": func() (*LinearModel, error) { return c.Fit(X, y) },
		"stopped": func() (*LinearModel, error) {
			c := c
			c.MaxIter, c.Trace = 1000, func(s LinearStep) bool { return false }
			return c.Fit(X, y)
		},
		"cancelled": func() (*LinearModel, error) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			c := c
			c.MaxIter, c.Trace = 1000, func(s LinearStep) bool { cancel(); return true }
			return c.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
	} {
		m, err := fit()
		var e *mlkit.NotConvergedError
		if m == nil || (name != "stopped") != errors.As(err, &e) || errors.Is(err, context.Canceled) != (name == "cancelled") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		bound := testkit.Try(bounds(1, nil, false, y, nil)).Or(t)
		primal, dual, _ := valuesOf(m, X, y, bound, Hinge, mlkit.FreeBias)
		near(t, name+": primal", m.Primal, primal, 1e-9*primal)
		near(t, name+": dual", m.Dual, dual, 1e-9*primal)
	}
}

// If float32 samples are too coarse, float64 ones are used: for a gap below their
// rounding error, and for norms outside the range of float32.
func TestRoughGivenUp(t *testing.T) {
	X, y := twoGaussians(manyRows, 6, 7)
	for _, c := range []struct {
		scale, C, tol float64
		loss          Loss
		rough         [2]bool // before and after
	}{
		{1, 1e-3, 1e-4, Hinge, [2]bool{true, true}},
		{1, 1e-3, 1e-13, Hinge, [2]bool{true, false}},
		{1, 1e-3, 1e-13, SquaredHinge, [2]bool{true, true}}, // its gap is quadratic in the error
		{1e-40, 1e77, 1e-4, Hinge, [2]bool{}},
		{1e-40, 1e77, 1e-4, SquaredHinge, [2]bool{}},
	} {
		scaled, loss := mat.NewDense(manyRows, 6, nil), c.loss
		scaled.Scale(c.scale, X)
		d := DualDescent{C: c.C, Loss: loss, Bias: mlkit.NoBias, Tol: c.tol}
		bound := testkit.Try(bounds(d.C, nil, false, y, nil)).Or(t)
		d.MaxIter = dualDescentPasses
		r := testkit.Try(newDescent(d, newLinearProblem(scaled, y, bound, loss, d.Bias))).Or(t)
		fast := r.passes.(*fastPasses)
		before := fast.rough != nil
		m, err := r.run(context.Background())
		if err != nil {
			t.Errorf("scale %v, loss %d, Tol %v: %v", c.scale, loss, c.tol, err)
			continue
		}
		if after := fast.rough != nil; [2]bool{before, after} != c.rough {
			t.Errorf("scale %v, loss %d, Tol %v: in float32 before and after: %v, %v, want %v", c.scale, loss, c.tol, before, after, c.rough)
		}
		primal, dual, _ := valuesOf(m, scaled, y, bound, loss, d.Bias)
		// Tol, plus rounding error of two sums of 10,000 terms.
		if !(primal-dual <= (c.tol+1e-12)*primal) {
			t.Errorf("scale %v, loss %d: values %v and %v, want them within %v", c.scale, loss, primal, dual, c.tol)
		}
	}
}

// Rows in float32 are left after three measurements in a row without progress, which is a
// smaller gap, or one smaller by a tenth if the pass has seen it within tolerance. A
// measurement with progress starts the count anew.
func TestFloat32Patience(t *testing.T) {
	testkit.Set(t, &manyRows, 1)
	X, y := irises(t, 1, 2)
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
		bound := testkit.Try(bounds(1, nil, false, y, nil)).Or(t)
		r := testkit.Try(newDescent(DualDescent{}, newLinearProblem(X, y, bound, Hinge, mlkit.FreeBias))).Or(t)
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

// Trace is called after passes 1 to 10 and every tenth pass before the last, whenever the
// gap is measured.
func TestTraceOfPasses(t *testing.T) {
	X, y := irises(t, 1, 2)
	onBothPaths(t, func(t *testing.T) {
		var got, want []int
		m, err := DualDescent{C: 0.1, Tol: 1e-6, Bias: mlkit.PenalizedBias, Trace: func(s LinearStep) bool {
			got = append(got, s.Iteration)
			return true
		}}.Fit(X, y)
		if err != nil || m.Iterations <= 30 {
			t.Fatalf("%d passes, %v, want some more", m.Iterations, err)
		}
		for pass := 1; pass < m.Iterations; pass++ {
			if pass <= 10 || pass%10 == 0 {
				want = append(want, pass)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("traced %v of %d passes", got, m.Iterations)
		}
	})
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
