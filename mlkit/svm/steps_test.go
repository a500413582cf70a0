package svm

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

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

// A fit with more columns than samples ends with its context, too.
func TestNewtonWideCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	X := mat.NewDense(2, 3, []float64{1, 0, 0, -1, 0, 0})
	m, err := Newton{}.FitWith(mlkit.Options{Context: ctx}, X, []int{1, -1})
	if nc, ok := err.(*mlkit.NotConvergedError); !ok || nc.Err != context.Canceled || nc.Model != any(m) {
		t.Errorf("%v, %v", m, err)
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
			floats.AddScaled(w, a*r.Y[i], Z.RawRowView(i))
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
