package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// Ridge is kernel ridge regression (Craig Saunders, Alexander Gammerman and Volodya
// Vovk, "Ridge regression learning algorithm in dual variables", 1998): least squares
// with a penalty in the space of φ,
//
//	min Σ (yᵢ - w·φ(xᵢ) - b)² + λ‖w‖²
//
// whose w is Σ αᵢφ(xᵢ) with (K + λI)α = y. It is what CMU names among "kernelizable
// algorithms: regression". With Linear it is ridge regression.
//
// A fit takes O(n²d + n³) time and O(n²) memory.
type Ridge struct {
	// Kernel is k; nil means Linear{}.
	Kernel Kernel

	// Lambda is λ > 0; 0 means 1.
	Lambda float64

	// Intercept learns b, without a penalty; what is fitted then does not depend
	// on the origins of φ and y, nor with Linear on that of X. False means b = 0.
	Intercept bool
}

// RidgeModel is what a Ridge has learnt; its score is the prediction. Its Coef are
// the αᵢ, its X all samples, less a Shift if there is one.
type RidgeModel struct {
	Expansion
}

var _ mlkit.Scorer = (*RidgeModel)(nil)

// Fit learns the targets y[i] of the rows of X (n×d).
//
// Its errors name what is wrong with X, y or r, and say if K + λI is not positive
// definite, because k is not a Mercer kernel or λ is lost beside K in rounding.
func (r Ridge) Fit(X *mat.Dense, y []float64) (*RidgeModel, error) {
	return r.FitContext(context.Background(), X, y)
}

// FitContext is Fit that ends soon after ctx is done, with a
// *mlkit.NotConvergedError that wraps the context's error. Since nothing is learnt
// before the end, its model is b alone, and its Residual the largest |yᵢ - b|.
func (r Ridge) FitContext(ctx context.Context, X *mat.Dense, y []float64) (*RidgeModel, error) {
	return r.FitWeighted(ctx, X, y, nil)
}

// FitWeighted is FitContext with a weight sᵢ ≥ 0 for each sample's square in the sum:
// a sample of weight 2 counts as two, one of weight 0 not at all, and is not in the
// model's X. Nil weights are 1. At least one weight is above 0.
//
// The α are then those of (K + λS⁻¹)α = y with S = diag(s).
func (r Ridge) FitWeighted(ctx context.Context, X *mat.Dense, y, weights []float64) (*RidgeModel, error) {
	k := OrLinear(r.Kernel)
	if err := checkPositive("Ridge.Lambda", r.Lambda, "1"); err != nil {
		return nil, err
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
	m := &RidgeModel{Expansion{Kernel: Any{k}, X: Matrix{Cols: X.RawMatrix().Cols}}}
	alpha := append([]float64(nil), y...)
	if r.Intercept {
		m.B = mean(y, weights)
		floats.AddConst(-m.B, alpha)
	}
	residual := floats.Norm(alpha, math.Inf(1))
	err := r.solve(ctx, m, X, alpha, weights)
	if err != nil && ctx.Err() != nil {
		return m, &mlkit.NotConvergedError{
			Algorithm: "kernel: Ridge", Residual: residual,
			Reason: fmt.Sprintf("%v; nothing but b is learnt, the equations are not solved", ctx.Err()),
			Model:  m, Err: ctx.Err(),
		}
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// solve makes α of alpha, the targets less b, and sets them and the rest of m. After
// an error m is as it was.
func (r Ridge) solve(ctx context.Context, m *RidgeModel, X *mat.Dense, alpha, weights []float64) error {
	var shift []float64
	var err error
	if r.Intercept {
		if shift, err = nearby(ctx, m.Kernel.Kernel, X); err != nil {
			return err
		}
		if X, err = relative(ctx, X, shift); err != nil {
			return err
		}
	}
	K, err := GramContext(ctx, m.Kernel.Kernel, X)
	if err != nil {
		return err
	}
	var c Centering
	if r.Intercept {
		if c, err = newCentering(ctx, K, weights); err != nil {
			return err
		}
		if err := c.centre(ctx, K); err != nil {
			return err
		}
	}
	// (√S K √S + λI)β = √S y and α = √S β, which is finite for the smallest weights
	// too.
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
	lambda := orElse(r.Lambda, 1)
	U, ok, err := newCholesky(ctx, K, lambda)
	if err != nil {
		return err
	}
	if ok {
		U.solve(alpha)
	}
	if !ok || !finite(floats.Norm(alpha, 1)) { // which a NaN is not either
		return fmt.Errorf("kernel: Ridge: K + λI with λ = %v is not positive definite; raise Lambda, or see with Mercer whether the kernel is one", lambda)
	}
	if weights != nil {
		floats.Mul(alpha, roots)
	}
	m.Coef = alpha
	m.X, m.Shift = copyOf(X), shift
	if r.Intercept {
		// The α sum to 0, so of the centred kernel the means of K remain.
		m.B -= floats.Dot(alpha, c.Means)
	}
	return nil
}

// weighted checks the weights and returns the rows of X, y and weights whose weight
// is above 0.
func weighted(X *mat.Dense, y, weights []float64) (*mat.Dense, []float64, []float64, error) {
	if len(weights) != len(y) {
		return nil, nil, nil, fmt.Errorf("kernel: len(weights) = %d, want %d, one for each row of X", len(weights), len(y))
	}
	var rows []int
	var targets, positive []float64
	for i, v := range weights {
		if !(v >= 0 && finite(v)) {
			return nil, nil, nil, fmt.Errorf("kernel: weights[%d] = %v, want a finite number of at least 0", i, v)
		}
		if v > 0 {
			rows, targets, positive = append(rows, i), append(targets, y[i]), append(positive, v)
		}
	}
	if len(rows) == 0 {
		return nil, nil, nil, errors.New("kernel: the weights are all 0, want at least one above")
	}
	if !finite(floats.Sum(positive)) {
		return nil, nil, nil, errors.New("kernel: the sum of the weights overflows, want smaller ones")
	}
	return copyRows(X, rows).Dense(), targets, positive, nil
}

// checkTargets checks that y has one finite number for each row of X.
func checkTargets(X *mat.Dense, y []float64) error {
	if n, _ := X.Dims(); len(y) != n {
		return fmt.Errorf("kernel: len(y) = %d, want %d, one target for each row of X", len(y), n)
	}
	for i, v := range y {
		if !finite(v) {
			return fmt.Errorf("kernel: y[%d] = %v, want a finite number", i, v)
		}
	}
	return nil
}

// mean returns the mean of y with the given weights, all 1 if nil, without an
// overflow.
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
