package kernel

import (
	"context"
	"fmt"
	"math"

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
	// on the origins of φ and y. False means b = 0.
	Intercept bool
}

// RidgeModel is what a Ridge has learnt; its score is the prediction. Its Coef are
// the αᵢ, its X all samples.
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
	m := &RidgeModel{Expansion{Kernel: Any{k}, X: Matrix{Cols: X.RawMatrix().Cols}}}
	alpha := append([]float64(nil), y...)
	if r.Intercept {
		m.B = mean(y)
		floats.AddConst(-m.B, alpha)
	}
	K, err := GramContext(ctx, k, X)
	if ctx.Err() != nil {
		return m, cancelledRidge(ctx, m, alpha)
	}
	if err != nil {
		return nil, err
	}
	var c Centering
	if r.Intercept {
		c = NewCentering(K)
		K = c.Gram(K)
	}
	// (K + λI)α = y
	lambda := orElse(r.Lambda, 1)
	U, ok, err := newCholesky(ctx, K, lambda)
	if err != nil {
		return m, cancelledRidge(ctx, m, alpha)
	}
	if ok {
		U.solve(alpha)
	}
	if !ok || floats.HasNaN(alpha) || !finite(floats.Norm(alpha, 1)) {
		return nil, fmt.Errorf("kernel: Ridge: K + λI with λ = %v is not positive definite; raise Lambda, or see with Mercer whether the kernel is one", lambda)
	}
	m.Coef = alpha
	m.X = copyOf(X)
	if r.Intercept {
		// The α sum to 0, so of the centred kernel the means of K remain.
		m.B -= floats.Dot(alpha, c.Means)
	}
	return m, nil
}

// cancelledRidge is the error of a fit whose equations, with what is left of y on their
// right side, are not solved.
func cancelledRidge(ctx context.Context, m *RidgeModel, left []float64) error {
	return &mlkit.NotConvergedError{
		Algorithm: "kernel: Ridge",
		Residual:  floats.Norm(left, math.Inf(1)),
		Reason:    fmt.Sprintf("%v; nothing but b is learnt, the equations are not solved", ctx.Err()),
		Model:     m, Err: ctx.Err(),
	}
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

// mean returns the mean of y, without an overflow.
func mean(y []float64) float64 {
	sum, n := 0.0, float64(len(y))
	for _, v := range y {
		sum += v / n
	}
	return sum
}
