package leastsquares

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// However strong the ridge, b is not penalised: w goes to 0 and b to the mean of the
// targets, 4 by hand, to the last digits.
func TestStrongRidge(t *testing.T) {
	X, y := mat.NewDense(4, 2, []float64{0, 1, 1, 3, 2, -1, 4, 0}), []float64{1, 2, 5, 8}
	for _, method := range []Solver{ByPseudoinverse, ByNormalEquations} {
		for _, ridge := range []float64{1e8, 1e20, 1e40} {
			m := fitted(t, Regression{Lambda: ridge, Solver: method}.Fit, X, y)
			samples.Near(t, "w", m.W, []float64{0, 0}, 100/ridge)
			samples.Near(t, "b", []float64{m.B}, []float64{4}, 1e-13+200/ridge)
		}
	}
}

// However strong the ridge, w keeps its digits. If columns are orthogonal to each other
// and to the constant, w = Σ (x - x̄)y/(Σ (x - x̄)² + λ), by hand.
func TestStrongRidgeDigits(t *testing.T) {
	X, y := mat.NewDense(8, 2, nil), []float64{1, 2, 5, 8, -3, 0.5, 2, 4}
	products := make([]float64, 2)
	for i := range 8 {
		x := []float64{3 * float64(1-2*(i%2)), 0.25 * float64(1-2*(i/2%2))}
		X.SetRow(i, x)
		floats.AddScaled(products, y[i], x)
	}
	for _, l := range []Regression{{}, {Solver: ByNormalEquations}} {
		for _, l.Lambda = range []float64{1, 1e4, 1e8, 1e16} {
			m := fitted(t, l.Fit, X, y)
			for j, square := range []float64{72, 0.5} {
				if want := products[j] / (square + l.Lambda); math.Abs(m.W[j]/want-1) > 2e-15 {
					t.Errorf("%+v: w[%d] = %v, want %v", l, j, m.W[j], want)
				}
			}
		}
	}
}

// Let u and v have the same length and be orthogonal to each other and to the constant.
// Columns u and u + εv, scaled to length 1, give XᵀX the condition number 4/ε². The
// normal equations keep half as many digits as the pseudoinverse, and are refused beyond
// 10¹⁴.
func TestNormalDigits(t *testing.T) {
	for _, c := range []struct {
		eps     float64
		refused bool
	}{{0x1p-10, false}, {0x1p-20, false}, {0x1p-25, true}, {0x1p-30, true}} {
		X, y := mat.NewDense(8, 2, nil), make([]float64, 8)
		for i := range 8 {
			u, v := float64(1-2*(i%2)), float64(1-2*(i/2%2))
			X.SetRow(i, []float64{u, u + c.eps*v})
			y[i] = 2*u - (u + c.eps*v) + 3
		}
		m, err := Regression{Solver: ByNormalEquations}.Fit(X, y)
		if (err != nil) != c.refused {
			t.Errorf("ε = %g: %v, want an error: %v", c.eps, err, c.refused)
		}
		if err == nil {
			samples.Near(t, "w", m.W, []float64{2, -1}, 1e-14/c.eps/c.eps)
			samples.Near(t, "b", []float64{m.B}, []float64{3}, 1e-12)
		}
		exact := fitted(t, Regression{}.Fit, X, y)
		samples.Near(t, "w by the pseudoinverse", exact.W, []float64{2, -1}, 1e-14/c.eps)
		if math.Abs(exact.B-3) > 1e-12 {
			t.Errorf("b by the pseudoinverse is %v, want 3", exact.B)
		}
	}
}

// A cancelled fit has learnt only b, the mean of the targets; through the origin it has
// learnt nothing.
func TestCancelledBias(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	X, y := mat.NewDense(3, 1, []float64{1, 2, 4}), []float64{1, 2, 6}
	for bias, want := range map[mlkit.Bias]float64{mlkit.FreeBias: 3, mlkit.NoBias: 0} {
		m, err := Regression{Bias: bias}.FitWith(mlkit.Options{Context: ctx}, X, y)
		if err == nil || m == nil || math.Abs(m.B-want) > 1e-15 || m.W[0] != 0 {
			t.Errorf("%v: %+v, %v, want w = 0 and b = %v", bias, m, err, want)
		}
	}
}

// Classifier gives the model of FitTargets on targets 1 and 0, one per class, with the same
// errors, for one block of rows and for several.
func TestClassesAreTargets(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 18))
	for _, n := range []int{12, 700} {
		X, Y, y := samples.Gaussian(random, n, 3), mat.NewDense(n, 3, nil), make([]int, n)
		for i := range n {
			y[i] = 10 * (i % 3)
			X.Set(i, i%3, X.At(i, i%3)+1)
			Y.Set(i, i%3, 1)
		}
		m := fitted(t, Classifier{}.Fit, X, y)
		want := fitted(t, Regression{}.FitTargets, X, Y)
		samples.Near(t, "b", m.B, want.B, 1e-12)
		for k, w := range m.W {
			samples.Near(t, "w", w, want.W[k], 1e-12)
			square := 0.0
			for i := range n {
				e := Y.At(i, k) - m.Discriminants(nil, X.RawRowView(i))[k]
				square += e * e
			}
			samples.Near(t, "MSE", []float64{m.MSE[k], want.MSE[k]}, []float64{square / float64(n), square / float64(n)}, 1e-12)
		}
	}
}

// Singular values of at most max(n, d)·2⁻⁵² times the largest are 0, where n is the
// number of rows of X, not of the triangle it is reduced to. For n = 4096 that is 2⁻⁴⁰.
// Two columns that differ by 2⁻⁴⁴ of their length have, scaled to length 1, the singular
// values √2 and 2⁻⁴⁴/√2. In its own unit a column is never too small.
func TestDefaultTolerance(t *testing.T) {
	const n = 4096
	for _, c := range []struct {
		base, small float64
		rank        int
	}{{1, 0x1p-44, 1}, {1, 0x1p-36, 2}, {0, 0x1p-44, 2}, {0, 0x1p-1000, 2}} {
		X, y := mat.NewDense(n, 2, nil), make([]float64, n)
		for i := range n {
			X.SetRow(i, []float64{1, c.base + c.small*float64(1-2*(i%2))})
			y[i] = 1
		}
		m, err := Regression{Bias: mlkit.NoBias}.Fit(X, y)
		if err != nil || m.Rank != c.rank {
			t.Errorf("columns 1 and %g ± %g: rank %d, %v, want %d", c.base, c.small, m.Rank, err, c.rank)
		}
	}
}

// The range of the column exceeds the largest float64. In units of 1.7·10³⁰⁸ the samples are
// -1, 1, 1, 1 with targets 1, 2, 2, 2, so w = 1/2 and b = 3/2.
func TestRangeOverflows(t *testing.T) { onBothPaths(t, rangeOverflows) }

func rangeOverflows(t *testing.T, _ ...string) {
	const unit = 1.7e308
	X := mat.NewDense(4, 1, []float64{-unit, unit, unit, unit})
	for _, method := range []Solver{ByPseudoinverse, ByNormalEquations} {
		m := fitted(t, Regression{Solver: method}.Fit, X, []float64{1, 2, 2, 2})
		samples.Near(t, "w in units, b", []float64{m.W[0] * unit, m.B}, []float64{0.5, 1.5}, 1e-14)
	}
}
