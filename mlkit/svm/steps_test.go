package svm

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// Newton may start from a hyperplane without slack, although the Hessian is singular in b
// there; it finds the same solution as from a cold start.
func TestNewtonWithoutSlack(t *testing.T) {
	X, y := irises(t, 0, 1)
	cold := testkit.Try(Newton{}.Fit(X, y)).Or(t)
	far := &LinearModel{Hyperplane: mlkit.Hyperplane{W: make([]float64, 4), B: 100 * cold.B}}
	floats.AddScaled(far.W, 100, cold.W)
	warm := testkit.Try(Newton{Start: far}.Fit(X, y)).Or(t)
	near(t, "primal", warm.Primal, cold.Primal, 1e-8)
	nearAll(t, "w", warm.W, cold.W, 1e-4)
}

// The line search finds the minimum on the line: the objective is higher on both sides of
// it, for any start.
func TestNewtonSearch(t *testing.T) {
	X, y := irises(t, 1, 2)
	bound := testkit.Try(bounds(10, nil, false, y, nil)).Or(t)
	other := 0
	for _, start := range [][]float64{{0, 0, 0, 0, 0}, {10, -20, 5, 1, 3}, {-1, -1, 2, 2, -7}, {0.1, 0, 0, 0, 40}} {
		r := &newton{linearProblem: newLinearProblem(X, y, bound, SquaredHinge, mlkit.FreeBias), v: start, scores: make([]float64, len(y))}
		copy(r.scores, add(start[4], r.sums.products(start[:4])))
		Δ := r.direction(context.Background())
		if Δ == nil {
			t.Fatal("no direction")
		}
		change := add(Δ[4], r.sums.products(Δ[:4]))
		at := func(t float64) float64 {
			v, scores := make([]float64, 5), make([]float64, len(y))
			floats.AddScaledTo(v, r.v, t, Δ)
			floats.AddScaledTo(scores, r.scores, t, change)
			return r.primal(v[:4], v[4], scores)
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

// The multipliers of SubgradientDescent and Pegasos match their hyperplane: w = Σ αᵢyᵢxᵢ with
// αᵢ ≥ 0 at the end of each pass.
func TestHingeMultipliers(t *testing.T) {
	X, y := irises(t, 1, 2)
	Z := standardised(X)
	check := func(name string, r *hinge) {
		t.Helper()
		w := make([]float64, 4)
		for i, a := range r.alpha {
			if a < 0 {
				t.Errorf("%s: α_%d = %v", name, i, a)
			}
			floats.AddScaled(w, a*r.y[i], Z.RawRowView(i))
		}
		if !floats.EqualApprox(w, r.w, 1e-9*(1+floats.Norm(w, 1))) || floats.Norm(w, 1) == 0 {
			t.Errorf("%s: w = %v, of the multipliers %v", name, r.w, w)
		}
	}
	for _, p := range []Pegasos{
		{Lambda: 0.01, BatchSize: 1, MaxIter: 3},
		{Lambda: 0.1, BatchSize: 7, MaxIter: 3},
		{Lambda: 0.01, BatchSize: 3, MaxIter: 3, Project: true},
		{Lambda: 0.01, BatchSize: 100, MaxIter: 1, Project: true}, // the first step, 1/(2λ), leads far out of the ball
	} {
		r := testkit.Try(newHinge("Pegasos", p.Lambda, map[int]float64{1: 2}, false, Z, y, nil, mlkit.FreeBias)).Or(t)
		if _, err := p.run(context.Background(), r); err == nil {
			t.Errorf("%+v: converged, though its tolerance is 0", p)
		}
		check("Pegasos", r)
		if length := math.Sqrt(2*p.Lambda) * floats.Norm(r.w, 2); p.Project && length > 1+1e-9 {
			t.Errorf("%+v: ‖w‖ is %v times the radius of the ball", p, length)
		}
	}
	r := testkit.Try(newHinge("SubgradientDescent", 0.05, nil, false, Z, y, nil, mlkit.FreeBias)).Or(t)
	for range 20 {
		r.descend(context.Background(), 0.7)
		check("SubgradientDescent", r)
	}
}
