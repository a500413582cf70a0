package newton

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/svm/internal/linear"
)

// The line search finds the minimum on the line: the objective is higher on both sides of
// it, for any start.
func TestSearch(t *testing.T) {
	iris := testkit.Try(datasets.Iris().Binary(1, 2)).Or(t)
	other := 0
	for _, start := range [][]float64{{0, 0, 0, 0, 0}, {10, -20, 5, 1, 3}, {-1, -1, 2, 2, -7}, {0.1, 0, 0, 0, 40}} {
		p := linear.New(iris.X, iris.Y, slices.Repeat([]float64{10}, 100), true, mlkit.FreeBias)
		r := New(p, &linear.Solution{Hyperplane: mlkit.Hyperplane{W: start[:4], B: start[4]}})
		Δ := r.direction(context.Background())
		if Δ == nil {
			t.Fatal("no direction")
		}
		change := linear.Add(Δ[4], r.Products(Δ[:4]))
		at := func(t float64) float64 {
			v, scores := make([]float64, 5), make([]float64, 100)
			floats.AddScaledTo(v, r.v, t, Δ)
			floats.AddScaledTo(scores, r.scores, t, change)
			return r.Primal(v[:4], v[4], scores)
		}
		best := r.search(Δ, change)
		if best != 1 {
			other++
		}
		for _, h := range []float64{0.9, 0.999, 1.001, 1.1} {
			if at(h*best) <= at(best) {
				t.Errorf("from %v: the objective is %v at t = %v and %v at %v times that", start, at(best), best, at(h*best), h)
			}
		}
	}
	if other == 0 {
		t.Error("all steps are Newton's own, too few to see anything")
	}
}

// Columns that are combinations of others make the Hessian 1 in three directions and 10¹⁰
// in the others. The rounding error of float32 exceeds 1 there, so the Hessian is not
// positive definite, and Newton uses float64 from the first step.
func TestRoughGivenUp(t *testing.T) {
	X, y := samples.Clouds(2*linear.ManyRows, 6, 2, 8)
	X.Scale(1e3, X)
	for i := range y {
		y[i] = 1 - 2*y[i]
		for j := range 3 {
			X.Set(i, 3+j, X.At(i, j)+float64(j+1)/3*X.At(i, (j+1)%3))
		}
	}
	p := linear.New(X, y, slices.Repeat([]float64{1}, len(y)), true, mlkit.NoBias)
	r := New(p, nil)
	r.solution(0)
	if r.direction(context.Background()) != nil {
		t.Fatal("the Hessian in float32 is definite: the samples test nothing")
	}
	if rough := r.sums.(*fastSums).rough; !r.step(context.Background()) || rough <= 0 || r.sums.(*fastSums).rough > 0 {
		t.Errorf("no step, or %d steps more with float32, %d before", r.sums.(*fastSums).rough, rough)
	}
	r = New(p, nil)
	r.Tol, r.MaxIter = 1e-6, 100
	if s, ended := r.Solve(context.Background()); ended != linear.Done {
		t.Errorf("ended %v after %d steps, gap %v of %v", ended, s.Iterations, s.Gap, s.Primal)
	}
}
