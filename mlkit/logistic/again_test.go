package logistic

import (
	"math"
	"math/rand/v2"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// Newton's method has the samples where it begins again at w = 0 after L-BFGS on a float32 copy, as
// in draw 35 of the second half. In draw 1 conjugate gradients find a step that leads nowhere, and
// the Hessian a better one.
func TestAgainOfMany(t *testing.T) {
	testkit.Set(t, &manyRows, 1)
	testkit.Set(t, &roughly, true)
	rnd := rand.New(rand.NewPCG(13, 7))
	draws := testkit.Size(t, 60, 400)
	for draw := range 2 * draws {
		if draw == draws {
			rnd = rand.New(rand.NewPCG(13, 14))
		}
		X := hostile(rnd)
		n, _ := X.Dims()
		y := make([]int, n)
		M := 2 + rnd.IntN(2)
		for i := range y {
			y[i] = rnd.IntN(M)
		}
		y[0], y[n-1] = 0, 1
		strength := math.Pow(10, 4*rnd.NormFloat64())
		newton, err := Regression{L2: strength}.Fit(X, y)
		if err != nil {
			continue
		}
		last := -1
		m, err := Regression{L2: strength, Solver: LBFGS}.FitWith(mlkit.Options{Report: func(p mlkit.Progress) {
			if p.Done < last {
				t.Errorf("draw %d: it reports %d iterations after %d", draw, p.Done, last)
			}
			last = p.Done
		}}, X, y)
		if err != nil && m.Objective >= newton.Objective || m.Objective > newton.Objective+1e-5*max(1, newton.Objective) {
			t.Errorf("draw %d: objective %v, err = %v, and Newton's method reaches %v", draw, m.Objective, err, newton.Objective)
		}
	}
}
