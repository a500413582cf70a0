package logistic

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// Where Newton's method begins again at w = 0 after L-BFGS on a float32 copy, as in draw 35, it has the samples too.
func TestAgainOfMany(t *testing.T) {
	testkit.Set(t, &manyRows, 1)
	testkit.Set(t, &roughly, true)
	rnd := rand.New(rand.NewPCG(13, 14))
	for draw := range 100 {
		n, d := 2+rnd.IntN(12), 1+rnd.IntN(5)
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for j := range d {
			scale, shift := math.Pow(10, 20*rnd.NormFloat64()), math.Pow(10, 5*rnd.NormFloat64())
			kind := rnd.IntN(4)
			for i := range n {
				v := (rnd.NormFloat64() + shift) * scale
				switch {
				case kind == 0:
					v = math.Round(rnd.NormFloat64())
				case kind == 1 && j > 0:
					v = 3 * X.At(i, j-1)
				case kind == 2 && rnd.IntN(3) > 0:
					v = shift
				}
				X.Set(i, j, v)
			}
		}
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
