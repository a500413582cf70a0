package svm

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// A step sets a multiplier to its optimum with the others fixed: then the gradient G of
// the dual is 0, or points out of the bounds.
func TestOneStep(t *testing.T) { onBothPaths(t, oneStep) }

func oneStep(t *testing.T) {
	X, y := irises(t, 1, 2)
	for _, loss := range []Loss{Hinge, SquaredHinge} {
		for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias, mlkit.NoBias} {
			const C = 0.5
			bound := testkit.Try(bounds(C, nil, false, y, nil)).Or(t)
			r, err := newDescent(DualDescent{Loss: loss, Bias: bias}, newLinearProblem(X, y, bound, loss, bias))
			if err != nil {
				t.Fatal(err)
			}
			if p, ok := r.passes.(*fastPasses); ok {
				p.rough = nil // the derivative below is that of rows in float64
			}
			for i := range y {
				r.passes.steps(r, []int32{int32(i)})
				x := X.RawRowView(i)
				G := r.b
				for j, v := range x {
					G += r.w[j] * v
				}
				G = float64(y[i])*G - 1
				if loss == SquaredHinge {
					G += r.samples[i].Alpha / (2 * C)
				}
				a := r.samples[i].Alpha
				switch {
				case math.Abs(G) < 1e-12,
					a == 0 && G > 0,
					a == C && G < 0 && loss == Hinge:
				default:
					t.Fatalf("loss %d, bias %d: after a step α_%d = %v, with the derivative %v", loss, bias, i, a, G)
				}
			}
		}
	}
}

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

// For any start, b = b₀ + β² Σ αᵢyᵢ, rows of weight 0 have multiplier 0, and the solution
// is that of a cold start.
func TestStartKeepsBias(t *testing.T) {
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
			bound := testkit.Try(bounds(c.C, nil, false, y, weights)).Or(t)
			r := testkit.Try(newDescent(c, newLinearProblem(X, y, bound, loss, bias))).Or(t)
			balance := 0.0
			for _, q := range r.samples {
				balance += q.Alpha * q.Y
			}
			for i, a := range warm.Alpha {
				if weights[i] == 0 && a != 0 {
					t.Errorf("loss %d, bias %d: α_%d = %v of a row of weight 0", loss, bias, i, a)
				}
			}
			if want := r.b0 + r.beta2*balance; math.Abs(r.b-want) > 1e-9 {
				t.Errorf("loss %d, bias %d: b = %v, want b₀ + β² Σ αᵢyᵢ = %v", loss, bias, r.b, want)
			}
		}
	}
}
