package svm

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// By hand: without b, a sample at 0 has slack 1 for every w. It costs C, and its
// multiplier is the largest possible: α = C for Σ ξ, and 2Cξ = 2C for Σ ξ².
func TestSampleAtOrigin(t *testing.T) {
	X, y := mat.NewDense(3, 1, []float64{0, 1, -1}), []int{+1, +1, -1}
	for loss, want := range map[Loss]float64{Hinge: 3, SquaredHinge: 6} {
		m, err := DualDescent{C: 3, Loss: loss, Bias: mlkit.NoBias, Tol: 1e-9}.Fit(X, y)
		if err != nil || math.Abs(m.Alpha[0]-want) > 1e-6 {
			t.Errorf("loss %d: α = %v, %v, want %v of the first", loss, m.Alpha, err, want)
		}
	}
}

// From the solution with other weights, rows of weight 0 get the multiplier 0, and the solution
// is that of a cold start.
func TestStartOfOtherWeights(t *testing.T) {
	X, y := irises(t, 1, 2)
	weights := slices.Repeat([]float64{1}, len(y))
	for i := range 20 {
		weights[5*i] = 0
	}
	for _, loss := range []Loss{Hinge, SquaredHinge} {
		for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias, mlkit.NoBias} {
			c := DualDescent{C: 0.1, Loss: loss, Bias: bias, Tol: 1e-7, MaxIter: 100000}
			all := testkit.Try(c.Fit(X, y)).Or(t)
			cold := testkit.Try(c.FitWith(mlkit.Options{Weights: weights}, X, y)).Or(t)
			c.Start = all
			warm, err := c.FitWith(mlkit.Options{Weights: weights}, X, y)
			if err != nil {
				t.Fatalf("loss %d, bias %d: %v", loss, bias, err)
			}
			near(t, "primal", warm.Primal, cold.Primal, 1e-6)
			for i, a := range warm.Alpha {
				if weights[i] == 0 && a != 0 {
					t.Errorf("loss %d, bias %d: α_%d = %v of a row of weight 0", loss, bias, i, a)
				}
			}
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
