package kernelized

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/kernel"
)

// Ridge is kernel ridge regression (Craig Saunders, Alexander Gammerman and Volodya Vovk,
// "Ridge regression learning algorithm in dual variables", 1998), penalised least squares
// in the space of φ:
//
//	min Σ (yᵢ - w·φ(xᵢ) - b)² + λ‖w‖²
//
// Without b, the solution is w = Σ αᵢφ(xᵢ) with (K + λI)α = y. CMU lists this as
// "kernelizable algorithms: regression". With Linear it is ridge regression.
//
// The scores of the samples are right to 1/500 of the standard deviation of y, or Fit
// returns an error: a sum of large k(xᵢ, x) that nearly cancel, as those of a polynomial
// kernel do if the columns are not standardised, leaves little but rounding.
//
// A fit takes O(n²d + n³) time and O(n²) memory.
type Ridge struct {
	// Kernel is k; nil means Linear{}.
	Kernel kernel.Kernel

	// Lambda is λ > 0; 0 means 1.
	Lambda float64

	// Bias is FreeBias or NoBias. With FreeBias the fitted function does not depend on the
	// origins of φ and y or, with Linear, of X.
	Bias mlkit.Bias
}

// RidgeModel is the result of a Ridge; its score is the prediction. Its Coef are the αᵢ
// and its X all samples, minus Shift if there is one.
type RidgeModel struct {
	Expansion
}

var _ mlkit.Scorer = (*RidgeModel)(nil)

// Fit learns the targets y[i] of the rows of X (n×d).
//
// It returns an error if X, y or a field of r is invalid. If K + λI is not positive definite
// since k has no φ, the error wraps a *kernel.MercerError. If λ vanishes next to K in
// rounding, it is a *mlkit.NotConvergedError: its model solves the equations as well as
// float64 can, without the directions of φ that rounding hides, and its Residual bounds the
// weighted root mean square by which the scores of the samples are wrong.
func (r Ridge) Fit(X *mat.Dense, y []float64) (*RidgeModel, error) {
	return r.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with a weight sᵢ ≥ 0 for the squared error of each sample.
// One of weight 0 is left out of the model's X. At least one weight must be positive. The α
// then solve (K + λS⁻¹)α = y with S = diag(s). As nothing else is known before the end, the
// model of a fit that the context ends is b alone, and its Residual the largest |yᵢ - b|.
func (r Ridge) FitWith(o mlkit.Options, X *mat.Dense, y []float64) (*RidgeModel, error) {
	ctx, weights := o.ContextOrBackground(), o.Weights
	k := kernel.OrLinear(r.Kernel)
	if err := check.Positive("kernelized", "Ridge.Lambda", r.Lambda, "1"); err != nil {
		return nil, err
	}
	if r.Bias != mlkit.FreeBias && r.Bias != mlkit.NoBias {
		return nil, fmt.Errorf("kernelized: Ridge.Bias = %v, want FreeBias or NoBias", r.Bias)
	}
	if err := checkBoth(k, X); err != nil {
		return nil, err
	}
	if err := checkTargets(X, y); err != nil {
		return nil, err
	}
	if weights != nil {
		var err error
		if X, y, weights, err = weighted(X, y, weights); err != nil {
			return nil, err
		}
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(y))
	}
	e := &equations{
		kernel: k, lambda: cmp.Or(r.Lambda, 1), free: r.Bias == mlkit.FreeBias,
		X: X, y: y, weights: weights,
	}
	m, err := e.solve(ctx)
	if err != nil && ctx.Err() != nil {
		m = e.constant()
		return m, &mlkit.NotConvergedError{
			Algorithm: "kernelized: Ridge", Residual: floats.Norm(e.differences(), math.Inf(1)),
			Reason: fmt.Sprintf("%v; nothing but b is learnt, the equations are not solved", ctx.Err()),
			Model:  m, Err: ctx.Err(),
		}
	}
	return m, err
}

// weighted checks the weights and returns the rows of X, y and weights with positive
// weight.
func weighted(X *mat.Dense, y, weights []float64) (*mat.Dense, []float64, []float64, error) {
	if err := check.Weights("kernelized", len(y), weights); err != nil {
		return nil, nil, nil, err
	}
	var rows []int
	var targets, positive []float64
	for i, v := range weights {
		if v > 0 {
			rows, targets, positive = append(rows, i), append(targets, y[i]), append(positive, v)
		}
	}
	if !check.Finite(floats.Sum(positive)) {
		return nil, nil, nil, errors.New("kernelized: the sum of the weights overflows, want smaller ones")
	}
	return copyRows(X, rows).Dense(), targets, positive, nil
}

// checkTargets checks that y has one finite number for each row of X.
func checkTargets(X *mat.Dense, y []float64) error {
	if n, _ := X.Dims(); len(y) != n {
		return fmt.Errorf("kernelized: len(y) = %d, want %d, one target for each row of X", len(y), n)
	}
	for i, v := range y {
		if !check.Finite(v) {
			return fmt.Errorf("kernelized: y[%d] = %v, want a finite number", i, v)
		}
	}
	return nil
}

// mean returns the weighted mean of y without overflow. It is y[0] if all are equal.
func mean(y, weights []float64) float64 {
	total, m, left := floats.Sum(weights), 0.0, 0.0
	for i, v := range y {
		m += v * (weights[i] / total)
	}
	// The mean of what is left is far smaller, and so is its rounding. Halves don't overflow.
	for i, v := range y {
		left += (v/2 - m/2) * (weights[i] / total)
	}
	return m + 2*left
}
