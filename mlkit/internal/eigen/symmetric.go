package eigen

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
)

// DenseLimit is the largest order for a full dense decomposition, which takes cubic time.
// Above it, eigenpairs come from Lanczos's method.
var DenseLimit = 250

// LargestOf returns up to count eigenvalues of K in descending order and their oriented
// eigenvectors of length 1.
func LargestOf(ctx context.Context, K *mat.SymDense, count int) ([]float64, [][]float64, error) {
	n := K.SymmetricDim()
	count = min(count, n)
	if n > DenseLimit && count < n/4 {
		pairs, err := Solver{}.Largest(ctx, n, count, Times(K))
		if err != nil {
			return nil, nil, fmt.Errorf("the largest eigenvalues: %w", err)
		}
		return pairs.Values, pairs.Vectors, nil
	}
	values, vectors, err := Full(ctx, K)
	if err != nil {
		return nil, nil, fmt.Errorf("the eigenvalues: %w", err)
	}
	return values[:count], vectors[:count], nil
}

// Times returns the function x ↦ Kx.
func Times(K *mat.SymDense) func(dst, x []float64) {
	raw := K.RawSymmetric()
	if raw.N >= gram.SymmetricFrom {
		return func(dst, x []float64) { simd.SymmetricMul(dst, raw.Data, raw.Stride, x) }
	}
	return func(dst, x []float64) {
		blas64.Symv(1, raw, blas64.Vector{N: len(x), Data: x, Inc: 1}, 0, blas64.Vector{N: len(dst), Data: dst, Inc: 1})
	}
}

// NormInf returns ‖K‖∞, the largest row sum of |Kᵢⱼ|, which bounds the eigenvalues. The
// only error is the context's.
func NormInf(ctx context.Context, K *mat.SymDense) (float64, error) {
	raw := K.RawSymmetric()
	sums := make([]float64, raw.N)
	for i := range raw.N {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for j, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N] {
			v = math.Abs(v)
			sums[i] += v
			if j > 0 {
				sums[i+j] += v
			}
		}
	}
	norm := 0.0
	for _, s := range sums {
		norm = math.Max(norm, s) // math.Max keeps NaN
	}
	return norm, nil
}

// Noise returns the threshold at or below which an eigenvalue counts as 0. The matrix A has
// n eigenvalues, largest is the largest of them, and norm is ‖A‖∞.
func Noise(largest float64, n int, norm float64) float64 {
	const epsilon = 0x1p-52
	return math.Max(1e-12*largest, float64(n)*epsilon*norm)
}
