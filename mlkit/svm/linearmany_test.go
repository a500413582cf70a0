package svm

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/svm/internal/linear"
)

// valuesOf returns both objectives of a model, and Σ αᵢyᵢ, from their definitions.
func valuesOf(m *LinearModel, X *mat.Dense, y []int, bound []float64, loss Loss, bias mlkit.Bias) (primal, dual, balance float64) {
	_, d := X.Dims()
	w := make([]float64, d)
	for i, a := range m.Alpha {
		s := m.B
		for j := range d {
			s += m.W[j] * X.At(i, j)
			w[j] += a * float64(y[i]) * X.At(i, j)
		}
		ξ := max(0, 1-float64(y[i])*s)
		dual += a
		if loss == SquaredHinge {
			primal += bound[i] * ξ * ξ
			if a > 0 {
				dual -= a * a / 4 / bound[i]
			}
		} else {
			primal += bound[i] * ξ
		}
		balance += a * float64(y[i])
	}
	for j := range d {
		primal += m.W[j] * m.W[j] / 2
		dual -= w[j] * w[j] / 2
	}
	if bias == mlkit.PenalizedBias {
		primal += m.B * m.B / 2
		dual -= balance * balance / 2
	}
	return primal, dual, balance
}

// With many rows, too, both objectives are right and the multipliers are feasible, so the
// minimum lies between them (weak duality). Newton finds the same minimum.
func TestManyRows(t *testing.T) {
	testkit.NoRace(t)
	X, y := twoGaussians(linear.ManyRows+37, 7, 5)
	// No step sets the multipliers of zero rows and of rows of weight 0.
	weights := slices.Repeat([]float64{1}, len(y))
	for i := range 50 {
		X.SetRow(20*i, make([]float64, 7))
		weights[20*i+7] = 0
	}
	const tol = 1e-5
	costs := []float64{0.02}
	if testkit.IsLong(t) {
		costs = append(costs, 1e-3)
	}
	for _, loss := range []Loss{Hinge, SquaredHinge} {
		for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias, mlkit.NoBias} {
			if !testkit.IsLong(t) && (loss == Hinge) != (bias == mlkit.FreeBias) {
				continue // one combination of each loss and each bias is enough
			}
			for _, C := range costs {
				bound := testkit.Try(bounds(C, nil, false, y, weights)).Or(t)
				steps := 0
				c := DualDescent{C: C, Loss: loss, Bias: bias, Tol: tol, Seed: 3}
				plain, err := c.FitWith(mlkit.Options{Weights: weights}, X, y)
				if err != nil {
					t.Fatalf("loss %d, bias %d, C %v: %v", loss, bias, C, err)
				}
				c.Trace = func(LinearStep) bool { steps++; return true }
				m, err := c.FitWith(mlkit.Options{Weights: weights}, X, y)
				if err != nil || steps == 0 || !slices.Equal(m.Alpha, plain.Alpha) || !slices.Equal(m.W, plain.W) || m.B != plain.B {
					t.Errorf("loss %d, bias %d, C %v: another model with a trace, %v", loss, bias, C, err)
				}
				for i, a := range m.Alpha {
					if a < 0 || loss == Hinge && a > bound[i] || bound[i] == 0 && a != 0 {
						t.Fatalf("loss %d, bias %d, C %v: α_%d = %v, bound %v", loss, bias, C, i, a, bound[i])
					}
				}
				primal, dual, balance := valuesOf(m, X, y, bound, loss, bias)
				if !(math.Abs(primal-m.Primal) <= 1e-10*primal && math.Abs(dual-m.Dual) <= 1e-10*primal && primal-dual <= 1.001*tol*primal) {
					t.Errorf("loss %d, bias %d, C %v: values %v and %v, said to be %v and %v", loss, bias, C, primal, dual, m.Primal, m.Dual)
				}
				if bias == mlkit.FreeBias && math.Abs(balance) > 1e-9*float64(len(y))*C {
					t.Errorf("loss %d, C %v: Σ αᵢyᵢ = %v", loss, C, balance)
				}
				if loss == Hinge {
					continue
				}
				n, err := Newton{C: C, Bias: bias, Tol: 1e-10}.FitWith(mlkit.Options{Weights: weights}, X, y)
				if err != nil || !(m.Dual <= n.Primal && n.Primal <= m.Primal*(1+1e-9)) {
					t.Errorf("bias %d, C %v: Newton comes to %v, %v", bias, C, n.Primal, err)
				}
				nPrimal, nDual, _ := valuesOf(n, X, y, bound, loss, bias)
				if !(math.Abs(nPrimal-n.Primal) <= 1e-10*nPrimal && math.Abs(nDual-n.Dual) <= 1e-10*nPrimal) {
					t.Errorf("bias %d, C %v: Newton's values are %v and %v, said to be %v and %v", bias, C, nPrimal, nDual, n.Primal, n.Dual)
				}
			}
		}
	}
}

// The context, the limit and the trace end a fit of many rows, with consistent
// multipliers and objectives.
func TestManyRowsEnds(t *testing.T) {
	X, y := twoGaussians(linear.ManyRows, 5, 6)
	c := DualDescent{Tol: 1e-12, MaxIter: 15}
	for name, fit := range map[string]func() (*LinearModel, error){
		"limited": func() (*LinearModel, error) { return c.Fit(X, y) },
		"stopped": func() (*LinearModel, error) {
			c := c
			c.MaxIter, c.Trace = 1000, func(s LinearStep) bool { return false }
			return c.Fit(X, y)
		},
		"cancelled": func() (*LinearModel, error) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			c := c
			c.MaxIter, c.Trace = 1000, func(s LinearStep) bool { cancel(); return true }
			return c.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
	} {
		m, err := fit()
		var e *mlkit.NotConvergedError
		if m == nil || (name != "stopped") != errors.As(err, &e) || errors.Is(err, context.Canceled) != (name == "cancelled") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		bound := testkit.Try(bounds(1, nil, false, y, nil)).Or(t)
		primal, dual, _ := valuesOf(m, X, y, bound, Hinge, mlkit.FreeBias)
		near(t, name+": primal", m.Primal, primal, 1e-9*primal)
		near(t, name+": dual", m.Dual, dual, 1e-9*primal)
	}
}
