package svm

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// Many samples take the fast path, and so do few samples with many features.
func TestMany(t *testing.T) {
	for _, c := range []struct {
		n, d int
		want bool
	}{{10000, 2, true}, {9999, 2, false}, {512, 2048, true}, {512, 2047, false}} {
		if p := (&linearProblem{X: mat.NewDense(c.n, c.d, nil)}); p.many() != c.want {
			t.Errorf("%d×%d is many: %v, want %v", c.n, c.d, p.many(), c.want)
		}
	}
}

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
	X, y := twoGaussians(manyRows+37, 7, 5)
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

// Columns that are combinations of others make the Hessian 1 in three directions and 10¹⁰
// in the others. The rounding error of float32 exceeds 1 there, so the Hessian is not
// positive definite, and Newton uses float64 from the first step.
func TestNewtonRoughGivenUp(t *testing.T) {
	X, y := twoGaussians(2*manyRows, 6, 7)
	X.Scale(1e3, X)
	for i := range y {
		for j := range 3 {
			X.Set(i, 3+j, X.At(i, j)+float64(j+1)/3*X.At(i, (j+1)%3))
		}
	}
	bound := testkit.Try(bounds(1, nil, false, y, nil)).Or(t)
	r := newNewton(Newton{Bias: mlkit.NoBias}, newLinearProblem(X, y, bound, SquaredHinge, mlkit.NoBias))
	r.model(0)
	if r.direction(context.Background()) != nil {
		t.Fatal("the Hessian in float32 is definite: the samples test nothing")
	}
	if !r.step(context.Background()) || r.rough > 0 {
		t.Errorf("no step, or %d steps more with float32", r.rough)
	}
	if _, err := (Newton{Bias: mlkit.NoBias, Tol: 1e-6}).Fit(X, y); err != nil {
		t.Error(err)
	}
}
