package dcd

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/svm/internal/linear"
)

// irises returns versicolor (-1) and virginica (+1).
func irises(t testing.TB) (*mat.Dense, []int) {
	t.Helper()
	d := testkit.Try(datasets.Iris().Binary(1, 2)).Or(t)
	return d.X, d.Y
}

// eachProblem calls test with the problem of the irises for each loss and each bias.
func eachProblem(t *testing.T, C []float64, test func(p *linear.Problem, y []int)) {
	t.Helper()
	X, y := irises(t)
	for _, squared := range []bool{false, true} {
		for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias, mlkit.NoBias} {
			test(linear.New(X, y, C, squared, bias), y)
		}
	}
}

// A step sets a multiplier to its optimum with the others fixed: then the gradient G of
// the dual is 0, or points out of the bounds.
func TestOneStep(t *testing.T) {
	t.Run("plain", oneStep)
	t.Run("fast", func(t *testing.T) {
		testkit.Set(t, &linear.ManyRows, 1)
		oneStep(t)
	})
}

func oneStep(t *testing.T) {
	const C = 0.5
	eachProblem(t, slices.Repeat([]float64{C}, 100), func(p *linear.Problem, y []int) {
		r := testkit.Try(New(p, nil)).Or(t)
		if p, ok := r.passes.(*fastPasses); ok {
			p.rough = nil // the derivative below is that of rows in float64
		}
		for i := range y {
			r.passes.steps(r, []int32{int32(i)})
			G := r.b
			for j, v := range p.X.RawRowView(i) {
				G += r.w[j] * v
			}
			G = float64(y[i])*G - 1
			if p.Squared {
				G += r.samples[i].Alpha / (2 * C)
			}
			a := r.samples[i].Alpha
			switch {
			case math.Abs(G) < 1e-12,
				a == 0 && G > 0,
				a == C && G < 0 && !p.Squared:
			default:
				t.Fatalf("squared %v, %v: after a step α_%d = %v, with the derivative %v", p.Squared, p.Bias, i, a, G)
			}
		}
	})
}

// For any start, b = b₀ + β² Σ αᵢyᵢ, also without the multipliers of rows of weight 0.
func TestStartKeepsBias(t *testing.T) {
	start := &linear.Solution{Hyperplane: mlkit.Hyperplane{W: make([]float64, 4), B: 3}}
	C := slices.Repeat([]float64{0.1}, 100)
	for i := range C {
		start.Alpha = append(start.Alpha, float64(i%7)/40)
		if i%5 == 0 {
			C[i] = 0
		}
	}
	eachProblem(t, C, func(p *linear.Problem, _ []int) {
		r := testkit.Try(New(p, start)).Or(t)
		balance := 0.0
		for i, q := range r.samples {
			balance += q.Alpha * q.Y
			want := float64((i+i/4+1)%7) / 40 // rows 0, 5, 10, … are left out
			if !p.Squared {
				want = min(want, 0.1)
			}
			if q.Alpha != want {
				t.Errorf("squared %v, %v: α_%d = %v, want %v", p.Squared, p.Bias, i, q.Alpha, want)
			}
		}
		if want := r.b0 + r.beta2*balance; math.Abs(r.b-want) > 1e-9 {
			t.Errorf("squared %v, %v: b = %v, want b₀ + β² Σ αᵢyᵢ = %v", p.Squared, p.Bias, r.b, want)
		}
		if p.Bias == mlkit.FreeBias && r.b != 3 {
			t.Errorf("squared %v: b = %v, want that of the start, 3", p.Squared, r.b)
		}
	})
}
