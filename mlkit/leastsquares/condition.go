package leastsquares

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/gram"
)

// choleskyFactor is the Cholesky factor of a positive definite matrix S.
type choleskyFactor struct{ *gram.Cholesky }

// factorise returns the Cholesky factor of S and an estimate of its condition number in
// the 1-norm. If S is not finite, or not positive definite to rounding error, it returns
// no factor and +Inf.
func factorise(ctx context.Context, S *mat.SymDense) (*choleskyFactor, float64, error) {
	raw := S.RawSymmetric()
	sums := make([]float64, raw.N)
	for i := range raw.N {
		for j, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N] {
			sums[i] += math.Abs(v)
			if j > 0 {
				sums[i+j] += math.Abs(v)
			}
		}
	}
	if !check.Finite(floats.Sum(sums)) {
		return nil, math.Inf(1), nil
	}
	c, ok, err := gram.NewCholesky(ctx, S, 0)
	if !ok || err != nil {
		return nil, math.Inf(1), err
	}
	f := &choleskyFactor{c}
	return f, floats.Max(sums) * f.inverseNorm(raw.N), nil
}

// inverseNorm estimates the 1-norm of S⁻¹ (n×n) by a few products with it (William Hager,
// "Condition estimates", 1984; Nicholas Higham, "Accuracy and Stability of Numerical
// Algorithms", 2002, algorithm 15.4).
func (f *choleskyFactor) inverseNorm(n int) float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 / float64(n)
	}
	estimate := 0.0
	for range 5 {
		y := append([]float64(nil), x...)
		f.Solve(y)
		norm := floats.Norm(y, 1)
		if !(norm > estimate) {
			break
		}
		estimate = norm
		for i, v := range y {
			y[i] = math.Copysign(1, v)
		}
		f.Solve(y)
		largest := 0
		for i, v := range y {
			if math.Abs(v) > math.Abs(y[largest]) {
				largest = i
			}
		}
		if math.Abs(y[largest]) <= floats.Dot(y, x) {
			break
		}
		clear(x)
		x[largest] = 1
	}
	for i := range x {
		x[i] = (1 + float64(i)/float64(max(1, n-1))) * float64(1-2*(i%2))
	}
	f.Solve(x)
	return max(estimate, 2*floats.Norm(x, 1)/3/float64(n))
}

// solve overwrites B with S⁻¹B, column by column.
func (f *choleskyFactor) solve(B *mat.Dense) {
	_, M := B.Dims()
	for k := range M {
		column := mat.Col(nil, k, B)
		f.Solve(column)
		B.SetCol(k, column)
	}
}
