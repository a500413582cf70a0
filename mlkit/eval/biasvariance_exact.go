package eval

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// maxExactRows limits the training samples of ExactBiasVariance, which fits 2ⁿ models.
const maxExactRows = 16

// ExactBiasVariance computes the decomposition at the rows of T for any fit, without
// sampling. The samples are always X, of at most 16 rows, and the noise of each target is
// +Sigma or -Sigma. It fits all 2ⁿ training sets, and averages over both targets at each
// test point.
func ExactBiasVariance[M mlkit.Scorer](ctx context.Context, p Process, fit func(X *mat.Dense, y []float64) (M, error), X, T *mat.Dense) (Decomposition, error) {
	if fit == nil {
		return Decomposition{}, errNoFit
	}
	f, truth, err := p.truths(X, T)
	if err != nil {
		return Decomposition{}, err
	}
	if len(f) > maxExactRows {
		return Decomposition{}, fmt.Errorf("eval: X has %d rows, want at most %d, since 2ⁿ models are fitted", len(f), maxExactRows)
	}
	if m := maxNumbers >> len(f); len(truth) > m {
		return Decomposition{}, fmt.Errorf("eval: T has %d rows, want at most %d, since 2ⁿ models with n = %d predict each", len(truth), m, len(f))
	}
	predicted := make([][]float64, 1<<len(f))
	err = forEach(ctx, len(predicted), 0, func(i int) error {
		y := make([]float64, len(f))
		for k := range y {
			y[k] = f[k] - p.Sigma
			if i>>k&1 == 1 {
				y[k] = f[k] + p.Sigma
			}
		}
		var err error
		predicted[i], err = predictions(fit, mat.DenseCopyOf(X), y, T)
		if err != nil {
			return fmt.Errorf("eval: training set %d: %w", i, err)
		}
		return nil
	})
	if err != nil {
		return Decomposition{}, err
	}
	d := decompose(truth, p.Sigma*p.Sigma, predicted)
	d.MSE = meanSquare(predicted, func(j int, g float64) float64 {
		above, below := truth[j]+p.Sigma-g, truth[j]-p.Sigma-g
		return (above*above + below*below) / 2
	})
	return d, nil
}

// SmootherBiasVariance computes the decomposition at the rows of T for samples X and a
// fit with predictions linear in the targets, g(x) = Σ lᵢ(x)yᵢ: least squares, ridge and
// kernel ridge regression with a fixed penalty, nearest neighbours. For noise of any
// distribution
//
//	Bias(x) = Σ lᵢ(x)f(xᵢ) - f(x),  Variance(x) = s² Σ lᵢ(x)²
//
// (Hastie, Tibshirani and Friedman, "The Elements of Statistical Learning", 2009, section
// 7.3). The lᵢ come from n fits, to targets that are 1 in one row and 0 in the others. It
// returns an error if the fit is not linear. MSE is the sum; Runs is n.
func SmootherBiasVariance[M mlkit.Scorer](ctx context.Context, p Process, fit func(X *mat.Dense, y []float64) (M, error), X, T *mat.Dense) (Decomposition, error) {
	if fit == nil {
		return Decomposition{}, errNoFit
	}
	f, truth, err := p.truths(X, T)
	if err != nil {
		return Decomposition{}, err
	}
	if m := maxNumbers / len(f); len(truth) > m {
		return Decomposition{}, fmt.Errorf("eval: T has %d rows, want at most %d, since %d models predict each, one for each row of X", len(truth), m, len(f))
	}
	l := make([][]float64, len(f))
	err = forEach(ctx, len(l), 0, func(i int) error {
		unit := make([]float64, len(f))
		unit[i] = 1
		var err error
		l[i], err = predictions(fit, mat.DenseCopyOf(X), unit, T)
		if err != nil {
			return fmt.Errorf("eval: y of 1 in row %d: %w", i, err)
		}
		return nil
	})
	if err != nil {
		return Decomposition{}, err
	}
	direct, err := predictions(fit, mat.DenseCopyOf(X), f, T)
	if err != nil {
		return Decomposition{}, fmt.Errorf("eval: %w", err)
	}
	d := Decomposition{Noise: p.Sigma * p.Sigma, Points: make([]PointDecomposition, len(truth)), Runs: len(f)}
	largest := floats.Norm(f, math.Inf(1))
	for j := range truth {
		point := PointDecomposition{Truth: truth[j]}
		size := 0.0 // scale of the rounding error: an lᵢ has its error even where the target is 0
		for i := range l {
			point.Mean += l[i][j] * f[i]
			point.Variance += p.Sigma * p.Sigma * l[i][j] * l[i][j]
			size += math.Abs(l[i][j]) * largest
		}
		point.Bias = point.Mean - point.Truth
		if !(math.Abs(point.Mean-direct[j]) <= 1e-6*size) {
			return Decomposition{}, fmt.Errorf("eval: fit is not linear in y: the prediction for row %d of T is %v, and %v as Σ lᵢyᵢ; want the same, or use ExactBiasVariance", j, direct[j], point.Mean)
		}
		d.Points[j] = point
	}
	d.average()
	d.MSE = d.Sum()
	return d, nil
}
