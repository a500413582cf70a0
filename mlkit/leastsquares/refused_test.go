package leastsquares

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
)

func TestLeastSquaresRefused(t *testing.T) {
	X, y := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 7}), []float64{1, 2, 3}
	nan, inf := math.NaN(), math.Inf(1)
	huge := mat.NewDense(3, 2, []float64{1e308, 1e308, 1e308, -1e308, 1e308, 5})
	normal := Regression{Solver: ByNormalEquations}
	for _, c := range []struct {
		l    Regression
		X    *mat.Dense
		y    []float64
		want string
	}{
		{Regression{Bias: -1}, X, y, "leastsquares: Regression.Bias = Bias(-1), want FreeBias or NoBias"},
		{Regression{Bias: mlkit.RadiusBias}, X, y, "leastsquares: Regression.Bias = RadiusBias, want FreeBias or NoBias"},
		{Regression{Lambda: -2}, X, y, "leastsquares: Regression.Lambda = -2, want a finite number, at least 0"},
		{Regression{Lambda: inf}, X, y, "leastsquares: Regression.Lambda = +Inf, want a finite number, at least 0"},
		{Regression{Solver: 4}, X, y, "leastsquares: Regression.Solver = 4, want ByPseudoinverse or ByNormalEquations"},
		{Regression{RankTol: nan}, X, y, "leastsquares: Regression.RankTol = NaN, want a number in [0, 1)"},
		{Regression{}, nil, y, "leastsquares: X is nil, want an n×d matrix, one sample a row"},
		{Regression{}, X, y[:2], "leastsquares: len(y) = 2, want 3, one target for each row of X"},
		{Regression{}, X, []float64{1, inf, 2}, "leastsquares: y[1] = +Inf, want a finite number"},
		{normal, mat.NewDense(3, 2, []float64{1, 0, 3, 0, 5, 0}), y,
			"leastsquares: Regression: XᵀX is singular, since column 1 of X is 0, want independent columns; leave it out, or use ByPseudoinverse"},
		{normal, mat.NewDense(3, 2, []float64{1, 7, 3, 7, 5, 7}), y,
			"leastsquares: Regression: XᵀX is singular, since column 1 of X is constant, want independent columns; leave it out, or use ByPseudoinverse"},
		{normal, mat.NewDense(4, 2, []float64{1, 2, 3, 6, 5, 10, 0, 0}), []float64{1, 2, 3, 4},
			"leastsquares: Regression: XᵀX is singular, or nearly so, want independent columns of X, without a constant one beside the bias; leave some out, or use ByPseudoinverse or Lambda > 0"},
		{normal, huge, y, "leastsquares: Regression: XᵀX is singular, since column 0 of X is constant, want independent columns; leave it out, or use ByPseudoinverse"},
		{Regression{Bias: mlkit.NoBias}, mat.NewDense(3, 1, []float64{5e-324, 0, 0}), y, "leastsquares: Regression: the solution is out of range, want elements of X and y nearer to 1; scale them"},
		{Regression{}, X, []float64{1e200, -1e200, 1e200}, "leastsquares: Regression: the errors overflow, want elements of X and y nearer to 1; scale them"},
	} {
		if m, err := c.l.Fit(c.X, c.y); m != nil || err == nil || err.Error() != c.want {
			t.Errorf("%+v: err = %v, want %s", c.l, err, c.want)
		}
	}
	for _, c := range []struct {
		Y    *mat.Dense
		want string
	}{
		{nil, "leastsquares: Y is nil, want a matrix, one row of targets for each row of X"},
		{new(mat.Dense), "leastsquares: Y is 0×0, want 3 rows, one for each row of X, and at least one column"},
		{mat.NewDense(2, 1, nil), "leastsquares: Y is 2×1, want 3 rows, one for each row of X, and at least one column"},
		{mat.NewDense(3, 2, []float64{1, 2, 3, nan, 5, 6}), "leastsquares: Y[1][1] = NaN, want a finite number"},
	} {
		if m, err := (Regression{}).FitTargets(X, c.Y); m != nil || err == nil || err.Error() != c.want {
			t.Errorf("err = %v, want %s", err, c.want)
		}
	}
	if _, _, err := NormalEquations(X, y[:1], mlkit.FreeBias); err == nil || err.Error() != "leastsquares: len(y) = 1, want 3, one target for each row of X" {
		t.Errorf("err = %v", err)
	}
	if _, _, err := NormalEquations(X, y, 5); err == nil {
		t.Error("no error of NormalEquations with a wrong bias")
	}
}

// A fit cancelled before it begins, or between two blocks, has learnt the mean of the
// targets.
func TestLeastSquaresCancelled(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 20))
	X := samples.Gaussian(random, 1000, 3)
	y := make([]float64, 1000)
	for i := range y {
		y[i] = random.NormFloat64()
	}
	for _, l := range []Regression{{}, {Solver: ByNormalEquations}} {
		for _, blocks := range []int{0, 2} {
			m, err := l.FitWith(mlkit.Options{Context: &samples.LateContext{Context: context.Background(), Calls: blocks}}, X, y)
			var left *mlkit.NotConvergedError
			if !errors.As(err, &left) || !errors.Is(err, context.Canceled) || left.Model != m {
				t.Errorf("%v, %d blocks: %+v, %v", l.Solver, blocks, m, err)
				continue
			}
			mean, variance := stat.PopMeanVariance(y, nil)
			residual := math.Max(floats.Max(y)-mean, mean-floats.Min(y))
			if !reflect.DeepEqual(m.W, make([]float64, 3)) || m.Rank != 0 ||
				math.Abs(m.B-mean) > 1e-15 || math.Abs(m.MSE-variance) > 1e-14 || math.Abs(left.Residual-residual) > 1e-15 {
				t.Errorf("%v, %d blocks: %+v, residual %v, want mean %v, variance %v, residual %v", l.Solver, blocks, m, left.Residual, mean, variance, residual)
			}
		}
	}
}

func TestLeastSquaresSolverString(t *testing.T) {
	if s := fmt.Sprint(ByPseudoinverse, ByNormalEquations, Solver(5)); s != "ByPseudoinverse ByNormalEquations Solver(5)" {
		t.Errorf("solvers are %s", s)
	}
}
