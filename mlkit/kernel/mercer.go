package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
)

// psdTol is the tolerance for negative eigenvalues, relative to ‖K‖∞: about a thousand
// times the rounding error of a Gram matrix and its eigenvalues.
const psdTol = 1e-10

// MercerError is the error of a kernel that is not positive semidefinite. Σ cᵢcⱼ
// k(xᵢ, xⱼ) < 0 on some samples, so k is not the inner product of any φ (Cornell, section
// 4).
type MercerError struct {
	Eigenvalue float64   // the smallest eigenvalue λ of the Gram matrix, equal to that sum
	Vector     []float64 // its eigenvector c, of length 1, one element per sample
	Norm       float64   // ‖K‖∞, the largest Σⱼ|Kᵢⱼ|: λ < -1e-10 Norm
}

func (e *MercerError) Error() string {
	return fmt.Sprintf("kernel: the Gram matrix has the eigenvalue %v, want none below -%g·‖K‖∞ = %v: no φ has this kernel as its inner product",
		e.Eigenvalue, psdTol, -psdTol*e.Norm)
}

// Mercer tests Mercer's condition on the rows of X (n×d): the Gram matrix must have no
// negative eigenvalue. If it has one, the *MercerError contains the proof. Success on
// some samples does not prove the condition for others.
//
// Eigenvalues down to -1e-10 ‖K‖∞ count as 0, to allow for rounding error. Mercer also
// returns the errors of Gram.
func Mercer(k Kernel, X *mat.Dense) error {
	return MercerContext(context.Background(), k, X)
}

// MercerContext is Mercer with a context. It returns the context's error soon after ctx
// is done.
func MercerContext(ctx context.Context, k Kernel, X *mat.Dense) error {
	K, err := GramContext(ctx, k, X)
	if err != nil {
		return err
	}
	return checkGram(ctx, K)
}

// CheckDefinite is Mercer for a given Gram matrix K. It also returns an error if K is
// empty or not finite.
func CheckDefinite(K *mat.SymDense) error { return checkGram(context.Background(), K) }

func checkGram(ctx context.Context, K *mat.SymDense) error {
	if K == nil || K.IsEmpty() {
		return errors.New("kernel: K is empty, want a Gram matrix")
	}
	norm, err := normInf(ctx, K)
	if err != nil {
		return err
	}
	if !check.Finite(norm) {
		return fmt.Errorf("kernel: K has the norm %v, want finite elements", norm)
	}
	return checkDefinite(ctx, K, norm)
}

// checkDefinite is CheckDefinite with a tolerance relative to norm.
func checkDefinite(ctx context.Context, K *mat.SymDense, norm float64) error {
	n := K.SymmetricDim()
	if n <= denseLimit {
		values, vectors, err := eigen.Full(ctx, K)
		if err != nil {
			return fmt.Errorf("kernel: the eigenvalues of the Gram matrix: %w", err)
		}
		return definite(values[n-1], vectors[n-1], norm)
	}
	// K + tI has a Cholesky factor if and only if no eigenvalue is below -t. Search for
	// the smallest eigenvalue only if the factorisation fails, when it stands apart:
	// among thousands next to 0, Lanczos's method takes too long to find it.
	scratch, err := copySym(ctx, K)
	if err != nil {
		return err
	}
	_, ok, err := newCholesky(ctx, scratch, psdTol*norm)
	if ok || err != nil {
		return err
	}
	pairs, err := eigen.Solver{Tol: 1e-8, MaxProducts: 4 * denseLimit}.Smallest(ctx, n, 1, times(K))
	if pairs == nil || len(pairs.Values) == 0 || ctx.Err() != nil {
		return fmt.Errorf("kernel: the smallest eigenvalue: %w", err)
	}
	// A negative eigenvalue is proof, even if it is not the smallest to full precision.
	return definite(pairs.Values[0], pairs.Vectors[0], norm)
}

// definite returns a *MercerError if value is below -psdTol·norm.
func definite(value float64, vector []float64, norm float64) error {
	if value < -psdTol*norm {
		return &MercerError{Eigenvalue: value, Vector: vector, Norm: norm}
	}
	return nil
}

// denseLimit is the largest order for a full dense decomposition, which takes cubic time.
// Above it, eigenpairs come from Lanczos's method.
const denseLimit = 250

// largest returns up to count eigenvalues of K in descending order and their oriented
// eigenvectors of length 1.
func largest(ctx context.Context, K *mat.SymDense, count int) ([]float64, [][]float64, error) {
	n := K.SymmetricDim()
	count = min(count, n)
	if n > denseLimit && count < n/4 {
		pairs, err := eigen.Largest(ctx, n, count, times(K))
		if err != nil {
			return nil, nil, fmt.Errorf("kernel: the largest eigenvalues: %w", err)
		}
		return pairs.Values, pairs.Vectors, nil
	}
	values, vectors, err := eigen.Full(ctx, K)
	if err != nil {
		return nil, nil, fmt.Errorf("kernel: the eigenvalues of the Gram matrix: %w", err)
	}
	return values[:count], vectors[:count], nil
}

// copySym returns a copy of K. The only error is the context's.
func copySym(ctx context.Context, K *mat.SymDense) (*mat.SymDense, error) {
	raw := K.RawSymmetric()
	data, err := eigen.Zeros(ctx, raw.N*raw.N)
	if err != nil {
		return nil, err
	}
	for i := range raw.N {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		copy(data[i*raw.N+i:(i+1)*raw.N], raw.Data[i*raw.Stride+i:])
	}
	return mat.NewSymDense(raw.N, data), nil
}

// times returns the function x ↦ Kx.
func times(K *mat.SymDense) func(dst, x []float64) {
	raw := K.RawSymmetric()
	if raw.N >= gram.SymmetricFrom {
		return func(dst, x []float64) { simd.SymmetricMul(dst, raw.Data, raw.Stride, x) }
	}
	return func(dst, x []float64) {
		blas64.Symv(1, raw, blas64.Vector{N: len(x), Data: x, Inc: 1}, 0, blas64.Vector{N: len(dst), Data: dst, Inc: 1})
	}
}

// normInf returns ‖K‖∞, the largest row sum of |Kᵢⱼ|, which bounds the eigenvalues. The
// only error is the context's.
func normInf(ctx context.Context, K *mat.SymDense) (float64, error) {
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
