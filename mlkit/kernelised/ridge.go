package kernelised

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/cholesky"
	"marginalia/mlkit/internal/origin"
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
// It returns an error if X, y or a field of r is invalid, or if K + λI is not positive
// definite: k is not a Mercer kernel, or λ vanishes next to K in rounding.
func (r Ridge) Fit(X *mat.Dense, y []float64) (*RidgeModel, error) {
	return r.FitContext(context.Background(), X, y)
}

// FitContext is Fit with a context. Soon after ctx is done it returns a
// *mlkit.NotConvergedError that wraps the context's error. As nothing else is known
// before the end, its model is b alone and its Residual the largest |yᵢ - b|.
func (r Ridge) FitContext(ctx context.Context, X *mat.Dense, y []float64) (*RidgeModel, error) {
	return r.FitWeightedContext(ctx, X, y, nil)
}

// FitWeighted is Fit with a weight sᵢ ≥ 0 for the squared error of each sample. A
// sample of weight 2 counts twice. One of weight 0 is ignored and left out of the model's
// X. Nil weights are all 1. At least one weight must be positive.
//
// The α then solve (K + λS⁻¹)α = y with S = diag(s).
func (r Ridge) FitWeighted(X *mat.Dense, y, weights []float64) (*RidgeModel, error) {
	return r.FitWeightedContext(context.Background(), X, y, weights)
}

// FitWeightedContext is FitWeighted with a context, as FitContext is Fit.
func (r Ridge) FitWeightedContext(ctx context.Context, X *mat.Dense, y, weights []float64) (*RidgeModel, error) {
	k := kernel.OrLinear(r.Kernel)
	if err := check.Positive("kernelised", "Ridge.Lambda", r.Lambda, "1"); err != nil {
		return nil, err
	}
	if r.Bias != mlkit.FreeBias && r.Bias != mlkit.NoBias {
		return nil, fmt.Errorf("kernelised: Ridge.Bias = %v, want FreeBias or NoBias", r.Bias)
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
	m := &RidgeModel{Expansion{Kernel: kernel.Any{Kernel: k}, X: Matrix{Cols: X.RawMatrix().Cols}}}
	alpha := append([]float64(nil), y...)
	if r.Bias == mlkit.FreeBias {
		m.B = mean(y, weights)
		floats.AddConst(-m.B, alpha)
	}
	residual := floats.Norm(alpha, math.Inf(1))
	err := r.solve(ctx, m, X, alpha, weights)
	if err != nil && ctx.Err() != nil {
		return m, &mlkit.NotConvergedError{
			Algorithm: "kernelised: Ridge", Residual: residual,
			Reason: fmt.Sprintf("%v; nothing but b is learnt, the equations are not solved", ctx.Err()),
			Model:  m, Err: ctx.Err(),
		}
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// solve overwrites alpha, which holds the targets minus b, with α and sets the fields of
// m. After an error m is unchanged.
func (r Ridge) solve(ctx context.Context, m *RidgeModel, X *mat.Dense, alpha, weights []float64) error {
	var shift []float64
	var err error
	if r.Bias == mlkit.FreeBias {
		if shift, err = nearby(ctx, m.Kernel.Kernel, X); err != nil {
			return err
		}
		if X, err = origin.Relative(ctx, X, shift); err != nil {
			return err
		}
	}
	K, err := kernel.GramContext(ctx, m.Kernel.Kernel, X)
	if err != nil {
		return err
	}
	var c kernel.Centring
	if r.Bias == mlkit.FreeBias {
		if c, err = kernel.NewWeightedCentring(ctx, K, weights); err != nil {
			return err
		}
		if err := c.Centre(ctx, K); err != nil {
			return err
		}
	}
	// Solve (√S K √S + λI)β = √S y, then α = √S β: finite even for tiny weights.
	roots := make([]float64, len(weights))
	for i, s := range weights {
		roots[i] = math.Sqrt(s)
	}
	if weights != nil {
		raw := K.RawSymmetric()
		for i, root := range roots {
			if err := ctx.Err(); err != nil {
				return err
			}
			row := raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N]
			floats.Mul(row, roots[i:])
			floats.Scale(root, row)
		}
		floats.Mul(alpha, roots)
	}
	lambda := cmp.Or(r.Lambda, 1)
	U, ok, err := cholesky.New(ctx, K, lambda)
	if err != nil {
		return err
	}
	if ok {
		U.Solve(alpha)
	}
	if !ok || !check.Finite(floats.Norm(alpha, 1)) { // NaN is not finite either
		return fmt.Errorf("kernelised: Ridge: K + λI with λ = %v is not positive definite; raise Lambda, or see with Mercer whether the kernel is one", lambda)
	}
	if weights != nil {
		floats.Mul(alpha, roots)
	}
	m.Coef = alpha
	m.X, m.Shift = copyOf(X), shift
	if r.Bias == mlkit.FreeBias {
		// The α sum to 0, so only the means of K remain from centring the kernel.
		m.B -= floats.Dot(alpha, c.Means)
	}
	return nil
}

// weighted checks the weights and returns the rows of X, y and weights with positive
// weight.
func weighted(X *mat.Dense, y, weights []float64) (*mat.Dense, []float64, []float64, error) {
	if err := check.Weights("kernelised", len(y), weights); err != nil {
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
		return nil, nil, nil, errors.New("kernelised: the sum of the weights overflows, want smaller ones")
	}
	return copyRows(X, rows).Dense(), targets, positive, nil
}

// checkTargets checks that y has one finite number for each row of X.
func checkTargets(X *mat.Dense, y []float64) error {
	if n, _ := X.Dims(); len(y) != n {
		return fmt.Errorf("kernelised: len(y) = %d, want %d, one target for each row of X", len(y), n)
	}
	for i, v := range y {
		if !check.Finite(v) {
			return fmt.Errorf("kernelised: y[%d] = %v, want a finite number", i, v)
		}
	}
	return nil
}

// mean returns the weighted mean of y without overflow. Nil weights are all 1.
func mean(y, weights []float64) float64 {
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(y))
	}
	sum, total := 0.0, floats.Sum(weights)
	for i, v := range y {
		sum += v * (weights[i] / total)
	}
	return sum
}
