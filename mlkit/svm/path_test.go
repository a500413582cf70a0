package svm

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
)

// Along a path of C, each fit begins at the solution for the previous C, with its multipliers
// in proportion. That takes fewer iterations in total than fits that begin at 0, and ends at the
// same optimum: the interval from the dual to the primal value, which contains it, is as
// short, and the two intervals overlap.
func TestPath(t *testing.T) {
	testkit.NoRace(t)
	X, y := irises(t, 1, 2)
	type fit = func(C float64, warm bool) (dual, primal float64, iterations int, err error)
	classifier := func(c Classifier) fit {
		var last []float64
		return func(C float64, warm bool) (float64, float64, int, error) {
			c := c
			c.C = C
			if warm {
				c.Start = last
			}
			m, err := c.Fit(X, y)
			if warm {
				last = doubled(m.Alpha)
			}
			return m.Dual, m.Primal, m.Iterations, err
		}
	}
	linear := func(with func(C float64, start *LinearModel) (*LinearModel, error)) fit {
		var last *LinearModel
		return func(C float64, warm bool) (float64, float64, int, error) {
			if !warm {
				m, err := with(C, nil)
				return m.Dual, m.Primal, m.Iterations, err
			}
			m, err := with(C, last)
			twice := *m
			twice.Alpha = doubled(m.Alpha)
			last = &twice
			return m.Dual, m.Primal, m.Iterations, err
		}
	}
	for name, f := range map[string]fit{
		"SMO":        classifier(Classifier{Tol: 1e-5}),
		"SMO, Gauss": classifier(Classifier{Tol: 1e-5, Kernel: kernel.RBF{Gamma: 0.5}}),
		"dual descent": linear(func(C float64, start *LinearModel) (*LinearModel, error) {
			return DualDescent{C: C, Start: start, Tol: 1e-5, MaxIter: 1e6}.Fit(X, y)
		}),
		"dual descent, squared": linear(func(C float64, start *LinearModel) (*LinearModel, error) {
			return DualDescent{C: C, Start: start, Loss: SquaredHinge, Tol: 1e-5, MaxIter: 1e6}.Fit(X, y)
		}),
		"Newton": linear(func(C float64, start *LinearModel) (*LinearModel, error) {
			return Newton{C: C, Start: start}.Fit(X, y)
		}),
	} {
		warm, cold := 0, 0
		for e := -5; e <= testkit.Size(t, 2, 5); e++ { // a fit takes longer with a larger C
			C := math.Ldexp(1, e)
			dual, primal, iterations, err := f(C, true)
			if err != nil {
				t.Fatalf("%s, C = %v: %v", name, C, err)
			}
			coldDual, coldPrimal, coldIterations, err := f(C, false)
			if err != nil {
				t.Fatalf("%s, C = %v, from 0: %v", name, C, err)
			}
			warm, cold = warm+iterations, cold+coldIterations
			if !(primal-dual <= 1e-4*primal && coldPrimal-coldDual <= 1e-4*coldPrimal && dual <= (1+1e-12)*coldPrimal && coldDual <= (1+1e-12)*primal) {
				t.Errorf("%s, C = %v: optimum from %v to %v, from 0 from %v to %v", name, C, dual, primal, coldDual, coldPrimal)
			}
		}
		t.Logf("%s: %d iterations, from 0 %d", name, warm, cold)
		if warm >= cold {
			t.Errorf("%s: %d iterations, from 0 %d, want fewer", name, warm, cold)
		}
	}
}

// doubled returns the multipliers for twice the C: those at their bound stay there.
func doubled(alpha []float64) []float64 {
	a := slices.Clone(alpha)
	floats.Scale(2, a)
	return a
}
