package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
)

// psdTol is how far below 0, in parts of ‖K‖∞, an eigenvalue counts as negative:
// some thousand times what rounding does to a Gram matrix and to its eigenvalues.
const psdTol = 1e-10

// MercerError is the error of a kernel that is not positive semidefinite: on some
// samples Σ cᵢcⱼ k(xᵢ, xⱼ) < 0, so no φ has k as its inner product (Cornell, section
// 4).
type MercerError struct {
	Eigenvalue float64   // the smallest eigenvalue λ of the Gram matrix, the value of that sum
	Vector     []float64 // its eigenvector c, of length 1, one number for each sample
	Norm       float64   // ‖K‖∞, the largest Σⱼ|Kᵢⱼ|: λ < -1e-10 Norm
}

func (e *MercerError) Error() string {
	return fmt.Sprintf("kernel: the Gram matrix has the eigenvalue %v, want none below -%g·‖K‖∞ = %v: no φ has this kernel as its inner product",
		e.Eigenvalue, psdTol, -psdTol*e.Norm)
}

// Mercer tests Mercer's condition on the rows of X (n×d): that the Gram matrix has
// no negative eigenvalue. A *MercerError has the proof that it fails. That it holds
// on some samples does not prove it for others.
//
// Eigenvalues down to -1e-10 ‖K‖∞ count as 0, since rounding makes such. Other
// errors are those of Gram.
func Mercer(k Kernel, X *mat.Dense) error {
	return MercerContext(context.Background(), k, X)
}

// MercerContext is Mercer that ends with the context's error soon after ctx is done.
func MercerContext(ctx context.Context, k Kernel, X *mat.Dense) error {
	K, err := GramContext(ctx, k, X)
	if err != nil {
		return err
	}
	return checkGram(ctx, K)
}

// CheckDefinite is Mercer for a Gram matrix K that is at hand. An empty K is an
// error, and one that is not finite.
func CheckDefinite(K *mat.SymDense) error { return checkGram(context.Background(), K) }

func checkGram(ctx context.Context, K *mat.SymDense) error {
	if K == nil || K.IsEmpty() {
		return errors.New("kernel: K is empty, want a Gram matrix")
	}
	norm, err := normInf(ctx, K)
	if err != nil {
		return err
	}
	if !finite(norm) {
		return fmt.Errorf("kernel: K has the norm %v, want finite elements", norm)
	}
	return checkDefinite(ctx, K, norm)
}

// checkDefinite is CheckDefinite, with eigenvalues measured by norm.
func checkDefinite(ctx context.Context, K *mat.SymDense, norm float64) error {
	n := K.SymmetricDim()
	if n <= denseLimit {
		values, vectors, err := eigen.Full(ctx, K)
		if err != nil {
			return fmt.Errorf("kernel: the eigenvalues of the Gram matrix: %w", err)
		}
		return definite(values[n-1], vectors[n-1], norm)
	}
	// K + tI has a Cholesky factor if and only if no eigenvalue is below -t. The
	// smallest is looked for only where it stands apart: of thousands next to 0
	// Lanczos's method does not find the smallest in a reasonable time.
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
	// Whether or not it is the smallest to all digits, a negative one is proof.
	return definite(pairs.Values[0], pairs.Vectors[0], norm)
}

// definite returns a *MercerError if the eigenvalue is negative, measured by norm.
func definite(value float64, vector []float64, norm float64) error {
	if value < -psdTol*norm {
		return &MercerError{Eigenvalue: value, Vector: vector, Norm: norm}
	}
	return nil
}

// denseLimit is the order above which eigenpairs come from Lanczos's method and not
// from all of a dense decomposition, whose time grows with the cube.
const denseLimit = 250

// largest returns the largest eigenvalues of K, at most count, the largest first,
// and their eigenvectors, of length 1 and oriented.
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

// copySym returns a copy of K, or the context's error.
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

// times returns x ↦ Kx.
func times(K *mat.SymDense) func(dst, x []float64) {
	raw := K.RawSymmetric()
	if raw.N >= gram.SymmetricFrom {
		return func(dst, x []float64) { simd.SymmetricMul(dst, raw.Data, raw.Stride, x) }
	}
	return func(dst, x []float64) {
		blas64.Symv(1, raw, blas64.Vector{N: len(x), Data: x, Inc: 1}, 0, blas64.Vector{N: len(dst), Data: dst, Inc: 1})
	}
}

// normInf returns ‖K‖∞, the largest sum of |Kᵢⱼ| in a row, which bounds all
// eigenvalues, or the context's error.
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
		norm = math.Max(norm, s) // which keeps a NaN
	}
	return norm, nil
}
