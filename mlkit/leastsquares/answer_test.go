package leastsquares

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// A fit looks at its answer: weights moved so far that the scores move by 1/100 of the spread
// of y no longer solve the equations, and those of the solver do. Samples far from 0, with
// weights and a ridge, hide neither.
func TestAnswerIsChecked(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 0))
	for _, offset := range []float64{0, 1e6} {
		for _, scale := range []float64{1e-6, 1, 1e6} {
			for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias} {
				for _, ridge := range []float64{0, 1} {
					const n, d = 30, 3
					X := samples.Gaussian(random, n, d)
					y, weights := make([]float64, n), make([]float64, n)
					for i := range n {
						for j, v := range X.RawRowView(i) {
							X.Set(i, j, scale*(v+offset))
						}
						y[i], weights[i] = 5+random.NormFloat64(), math.Exp(random.NormFloat64())
					}
					l := Regression{Bias: bias, Lambda: ridge * scale * scale}
					p := problemOf(t, l, X, mat.NewDense(n, 1, y), weights)
					f := testkit.Try(p.fit(context.Background())).Or(t)
					V := f.V
					for _, moved := range []float64{0, 0.01} {
						f.V, f.squares = mat.DenseCopyOf(V), nil
						norms := testkit.Try(p.errors(context.Background(), f, mat.NewDense(d, 1, nil))).Or(t)
						varies, _ := p.spread()
						f.V.Set(1, 0, V.At(1, 0)+moved*varies[0]/norms[1])
						f.squares = nil
						err := finished(t, p, f).unsolved("Regression", nil)
						if errors.As(err, new(*mlkit.NotConvergedError)) != (moved > 0) {
							t.Errorf("offset %g, scale %g, %v, λ = %g, moved by %g: %v", offset, scale, bias, l.Lambda, moved, err)
						}
					}
				}
			}
		}
	}
}

// Powers of a column, each given twice, with a ridge that is nothing to most of them: the fit
// may say that rounding spoils it, and what it advises then helps.
func TestAdviceOfAnUnsolvedFit(t *testing.T) {
	random := rand.New(rand.NewPCG(45, 0))
	const n, powers = 10, 6
	y := make([]float64, n)
	for i := range y {
		y[i] = random.NormFloat64()
	}
	for _, largest := range []float64{1, 1e3, 1e6} {
		X, standardised := mat.NewDense(n, 2*powers, nil), mat.NewDense(n, 2*powers, nil)
		for j := range 2 * powers {
			column := make([]float64, n)
			for i := range column {
				column[i] = math.Pow(largest*float64(i+1)/n, float64(j%powers+1))
			}
			X.SetCol(j, column)
			mean, deviation := stat.PopMeanStdDev(column, nil)
			floats.AddConst(-mean, column)
			floats.Scale(1/deviation, column)
			standardised.SetCol(j, column)
		}
		for _, ridge := range []float64{1e-10, 1, 1e8} {
			for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias} {
				l := Regression{Lambda: ridge, Bias: bias}
				_, err := l.Fit(X, y)
				if err != nil && !strings.Contains(err.Error(), "standardise the columns of X") {
					t.Errorf("powers of numbers up to %g, λ = %g, %v: %v", largest, ridge, bias, err)
				}
				if _, err := l.Fit(standardised, y); err != nil {
					t.Errorf("powers of numbers up to %g, standardised, λ = %g, %v: %v", largest, ridge, bias, err)
				}
			}
		}
	}
}
