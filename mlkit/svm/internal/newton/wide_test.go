package newton

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/svm/internal/linear"
)

// Columns of zeros change neither the steps nor the solution, but with more columns than
// samples Newton's direction comes from a system of another size. It must be the same
// direction, at the start, near the solution and where no sample has slack, for each bias, also
// far from the origin, with vector instructions and without.
func TestWide(t *testing.T) {
	for _, from := range []float64{0, wideMultiplications} {
		testkit.Set(t, &wideMultiplications, from)
		rng := rand.New(rand.NewPCG(9, 9))
		for trial := range 60 {
			n, d := 6+rng.IntN(30), 1+rng.IntN(4)
			X, y, C := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
			far := 100 * float64(trial%2)
			for i := range n {
				y[i] = 1 - 2*(i%2)
				C[i] = 3 * (float64(rng.IntN(4)) + 0.5*float64(i%2))
				for j := range d {
					X.Set(i, j, far+float64(y[i])+2*rng.NormFloat64())
				}
			}
			C[0], C[1] = 3, 3
			wide := mat.NewDense(n, n+3, nil)
			wide.Slice(0, n, 0, d).(*mat.Dense).Copy(X)
			bias := []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias, mlkit.NoBias}[trial%3]
			for _, at := range []float64{0, 0.1, 1e3} {
				v := make([]float64, n+4)
				for j := range d {
					v[j] = at * rng.NormFloat64() / (1 + far)
				}
				steepest := 0.0 // ‖∇F‖; far from the origin Δ is what is left when most of it cancels
				direction := func(X *mat.Dense) []float64 {
					_, d := X.Dims()
					r := New(linear.New(X, y, C, true, bias), nil)
					copy(r.v[:d], v)
					copy(r.scores, r.Products(r.v[:d]))
					gradient, _ := r.gradient()
					steepest = floats.Norm(gradient, 2)
					return r.direction(context.Background())
				}
				want, got := direction(X), direction(wide)
				if want == nil || got == nil {
					t.Fatalf("trial %d at %g: no direction: %v, %v", trial, at, want, got)
				}
				got = append(got[:d:d], append(got[n+3:], got[d:n+3]...)...)
				// Far from the origin many w and b have nearly the same scores, so b is compared
				// in them.
				change := func(Δ []float64) []float64 {
					w := Δ[:d]
					scores := linear.New(X, y, C, true, bias).Products(w)
					return append(linear.Add(Δ[d], scores), w...)
				}
				if floats.Norm(got[d+1:], 1) > 0 {
					t.Fatalf("trial %d, %v, from %g, at %g: Δ = %v, want %d zeros", trial, bias, from, at, got, n+3-d)
				}
				w, g := change(want), change(got)
				within := 1e-7*floats.Norm(w, 2) + 1e-13*steepest
				for i := range w {
					if !(math.Abs(g[i]-w[i]) <= within) {
						t.Fatalf("trial %d, %v, from %g, at %g: scores and w change by %v, want %v ± %.2g", trial, bias, from, at, g, w, within)
					}
				}
			}
			solve := func(X *mat.Dense) float64 {
				r := New(linear.New(X, y, C, true, bias), nil)
				r.Tol, r.MaxIter = 1e-9, 100
				s, ended := r.Solve(context.Background())
				if ended != linear.Done {
					t.Fatalf("trial %d: ended %v after %d steps", trial, ended, s.Iterations)
				}
				return s.Primal
			}
			if want, got := solve(X), solve(wide); !(math.Abs(got-want) <= 1e-8) {
				t.Errorf("trial %d: primal %v, want %v", trial, got, want)
			}
		}
	}
}

// If no sample has slack, F is the penalty alone, and Newton's direction is back to its minimum,
// 0; a free b stays.
func TestWideNoSlack(t *testing.T) {
	X, y := mat.NewDense(2, 3, []float64{1, 0, 0, -1, 0, 0}), []int{1, -1}
	for bias, want := range map[mlkit.Bias][]float64{
		mlkit.FreeBias: {-9, 0, -1, 0}, mlkit.PenalizedBias: {-9, 0, -1, -2}, mlkit.NoBias: {-9, 0, -1, 0},
	} {
		r := New(linear.New(X, y, []float64{1, 1}, true, bias), nil)
		r.v = []float64{9, 0, 1, 2}
		copy(r.scores, []float64{11, -7})
		if Δ := r.direction(context.Background()); !floats.Equal(Δ, want) {
			t.Errorf("%v: Δ = %v, want %v", bias, Δ, want)
		}
	}
}
