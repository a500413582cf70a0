package linear

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
	"marginalia/mlkit/mlkittest"
)

func TestLeastSquaresRefused(t *testing.T) {
	X, y := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 7}), []float64{1, 2, 3}
	nan, inf := math.NaN(), math.Inf(1)
	huge := mat.NewDense(3, 2, []float64{1e308, 1e308, 1e308, -1e308, 1e308, 5})
	normal := LeastSquares{Method: ByNormalEquations}
	for _, c := range []struct {
		l    LeastSquares
		X    *mat.Dense
		y    []float64
		want string
	}{
		{LeastSquares{Bias: -1}, X, y, "linear: LeastSquares.Bias = Bias(-1), want FreeBias or NoBias"},
		{LeastSquares{Bias: mlkit.RadiusBias}, X, y, "linear: LeastSquares.Bias = RadiusBias, want FreeBias or NoBias"},
		{LeastSquares{Ridge: -2}, X, y, "linear: LeastSquares.Ridge = -2, want a finite number, at least 0"},
		{LeastSquares{Ridge: inf}, X, y, "linear: LeastSquares.Ridge = +Inf, want a finite number, at least 0"},
		{LeastSquares{Method: 4}, X, y, "linear: LeastSquares.Method = 4, want ByPseudoinverse or ByNormalEquations"},
		{LeastSquares{Tolerance: nan}, X, y, "linear: LeastSquares.Tolerance = NaN, want a number in [0, 1)"},
		{LeastSquares{}, nil, y, "linear: X is nil, want an n×d matrix, one sample a row"},
		{LeastSquares{}, X, y[:2], "linear: len(y) = 2, want 3, one target for each row of X"},
		{LeastSquares{}, X, []float64{1, inf, 2}, "linear: y[1] = +Inf, want a finite number"},
		{normal, mat.NewDense(3, 2, []float64{1, 0, 3, 0, 5, 0}), y,
			"linear: LeastSquares: XᵀX is singular, since column 1 of X is 0, want independent columns; leave it out, or use ByPseudoinverse"},
		{normal, mat.NewDense(3, 2, []float64{1, 7, 3, 7, 5, 7}), y,
			"linear: LeastSquares: XᵀX is singular, since column 1 of X is constant, want independent columns; leave it out, or use ByPseudoinverse"},
		{normal, mat.NewDense(4, 2, []float64{1, 2, 3, 6, 5, 10, 0, 0}), []float64{1, 2, 3, 4},
			"linear: LeastSquares: XᵀX is singular, or nearly so, want independent columns of X, without a constant one beside the bias; leave some out, or use ByPseudoinverse or Ridge"},
		{normal, huge, y, "linear: LeastSquares: XᵀX is singular, since column 0 of X is constant, want independent columns; leave it out, or use ByPseudoinverse"},
		{LeastSquares{Bias: ThroughOrigin}, mat.NewDense(3, 1, []float64{5e-324, 0, 0}), y, "linear: LeastSquares: the solution is out of range, want elements of X and y nearer to 1; scale them"},
		{LeastSquares{}, X, []float64{1e200, -1e200, 1e200}, "linear: LeastSquares: the errors overflow, want elements of X and y nearer to 1; scale them"},
	} {
		if m, err := c.l.Fit(c.X, c.y); m != nil || err == nil || err.Error() != c.want {
			t.Errorf("%+v: err = %v, want %s", c.l, err, c.want)
		}
	}
	for _, c := range []struct {
		Y    *mat.Dense
		want string
	}{
		{nil, "linear: Y is nil, want a matrix, one row of targets for each row of X"},
		{new(mat.Dense), "linear: Y is 0×0, want 3 rows, one for each row of X, and at least one column"},
		{mat.NewDense(2, 1, nil), "linear: Y is 2×1, want 3 rows, one for each row of X, and at least one column"},
		{mat.NewDense(3, 2, []float64{1, 2, 3, nan, 5, 6}), "linear: Y[1][1] = NaN, want a finite number"},
	} {
		if m, err := (LeastSquares{}).FitTargets(X, c.Y); m != nil || err == nil || err.Error() != c.want {
			t.Errorf("err = %v, want %s", err, c.want)
		}
	}
	if _, _, err := NormalEquations(X, y[:1], ExtendedByOne); err == nil || err.Error() != "linear: len(y) = 1, want 3, one target for each row of X" {
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
	for _, l := range []LeastSquares{{}, {Method: ByNormalEquations}} {
		for _, blocks := range []int{0, 2} {
			m, err := l.FitContext(&samples.LateContext{Context: context.Background(), Calls: blocks}, X, y)
			var left *mlkit.NotConvergedError
			if !errors.As(err, &left) || !errors.Is(err, context.Canceled) || left.Model != m {
				t.Errorf("%v, %d blocks: %+v, %v", l.Method, blocks, m, err)
				continue
			}
			mean, variance := stat.PopMeanVariance(y, nil)
			residual := math.Max(floats.Max(y)-mean, mean-floats.Min(y))
			if !reflect.DeepEqual(m.W, make([]float64, 3)) || m.Rank != 0 ||
				math.Abs(m.B-mean) > 1e-15 || math.Abs(m.MSE-variance) > 1e-14 || math.Abs(left.Residual-residual) > 1e-15 {
				t.Errorf("%v, %d blocks: %+v, residual %v, want mean %v, variance %v, residual %v", l.Method, blocks, m, left.Residual, mean, variance, residual)
			}
		}
		done, cancel := context.WithCancel(context.Background())
		cancel()
		labels := make([]int, 1000)
		for i := range labels {
			labels[i] = 1 - 2*(i%2)
		}
		c := LeastSquaresClassifier(l)
		if m, err := c.FitContext(done, X, labels); m == nil || !errors.Is(err, context.Canceled) {
			t.Errorf("two classes: %+v, %v", m, err)
		}
		if m, err := c.FitClassesContext(done, X, labels); m == nil || !errors.Is(err, context.Canceled) {
			t.Errorf("classes: %+v, %v", m, err)
		}
		if m, err := l.FitTargetsContext(done, X, X); m == nil || !errors.Is(err, context.Canceled) {
			t.Errorf("targets: %+v, %v", m, err)
		}
	}
}

// 40000 rows of 100 columns take long enough to cancel a fit midway.
func TestLeastSquaresContext(t *testing.T) {
	const n, d = 40000, 100
	X, y := mat.NewDense(n, d, nil), make([]float64, n)
	random := rand.New(rand.NewPCG(25, 26))
	for i := range n {
		for j := range d {
			X.Set(i, j, random.Float64())
		}
	}
	for _, method := range []LeastSquaresMethod{ByPseudoinverse, ByNormalEquations} {
		if err := mlkittest.TestContext(func(ctx context.Context) (*LeastSquaresModel, error) {
			return LeastSquares{Method: method}.FitContext(ctx, X, y)
		}); err != nil {
			t.Errorf("%v: %v", method, err)
		}
	}
}

func TestLeastSquaresMethodString(t *testing.T) {
	if s := fmt.Sprint(ByPseudoinverse, ByNormalEquations, LeastSquaresMethod(5)); s != "ByPseudoinverse ByNormalEquations LeastSquaresMethod(5)" {
		t.Errorf("methods are %s", s)
	}
}
