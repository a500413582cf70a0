package kernel

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/gram"
)

// psdTol is the tolerance for negative eigenvalues, relative to ‖G‖∞: about a thousand
// times the rounding error of a Gram matrix and its eigenvalues.
const psdTol = 1e-10

// MercerError is the error of a kernel that is not positive semidefinite. Σ cᵢcⱼ
// k(xᵢ, xⱼ) < 0 on some samples, so k is not the inner product of any φ (Cornell, section
// 4).
type MercerError struct {
	Eigenvalue  float64   // the smallest eigenvalue λ of the Gram matrix, equal to that sum
	Eigenvector []float64 // its eigenvector c, of length 1, one element per sample
	Norm        float64   // ‖G‖∞, the largest Σⱼ|Gᵢⱼ|: λ < -1e-10 Norm
}

func (e *MercerError) Error() string {
	return fmt.Sprintf("kernel: the Gram matrix has the eigenvalue %v, want none below -%g·‖G‖∞ = %v: no φ has this kernel as its inner product",
		e.Eigenvalue, psdTol, -psdTol*e.Norm)
}

// Mercer tests Mercer's condition on the rows of X (n×d): the Gram matrix must have no
// negative eigenvalue. If it has one, the *MercerError contains the proof. Success on
// some samples does not prove the condition for others.
//
// Eigenvalues down to -1e-10 ‖G‖∞ count as 0, to allow for rounding error. Mercer also
// returns the errors of Gram.
func Mercer(k Kernel, X *mat.Dense) error {
	G, err := Gram(k, X)
	if err != nil {
		return err
	}
	return CheckDefinite(G)
}

// CheckDefinite is Mercer for a given Gram matrix G. It also returns an error if G is
// empty or not finite.
func CheckDefinite(G *mat.SymDense) error { return checkGram(context.Background(), G) }

func checkGram(ctx context.Context, G *mat.SymDense) error {
	if G == nil || G.IsEmpty() {
		return errors.New("kernel: G is empty, want a Gram matrix")
	}
	norm, err := eigen.NormInf(ctx, G)
	if err != nil {
		return err
	}
	if !check.Finite(norm) {
		return fmt.Errorf("kernel: G has the norm %v, want finite elements", norm)
	}
	return CheckDefiniteTo(ctx, G, norm)
}

// CheckDefiniteTo is CheckDefinite with a context and a tolerance of 1e-10 norm, where norm
// is that of a Gram matrix from which G was computed, such as by centring.
func CheckDefiniteTo(ctx context.Context, G *mat.SymDense, norm float64) error {
	n := G.SymmetricDim()
	if n <= eigen.DenseLimit {
		values, vectors, err := eigen.Full(ctx, G)
		if err != nil {
			return fmt.Errorf("kernel: the eigenvalues of the Gram matrix: %w", err)
		}
		return Definite(values[n-1], vectors[n-1], norm)
	}
	// G + tI has a Cholesky factor if and only if no eigenvalue is below -t. Search for
	// the smallest eigenvalue only if the factorisation fails, when it stands apart:
	// among thousands next to 0, Lanczos's method takes too long to find it.
	_, ok, err := gram.NewFactor(ctx, G, psdTol*norm)
	if ok || err != nil {
		return err
	}
	pairs, err := eigen.Solver{Tol: 1e-8, MaxProducts: 1000}.Smallest(ctx, n, 1, eigen.Times(G))
	if pairs == nil || len(pairs.Values) == 0 || ctx.Err() != nil {
		return fmt.Errorf("kernel: the smallest eigenvalue: %w", err)
	}
	// A negative eigenvalue is proof, even if it is not the smallest to full precision.
	return Definite(pairs.Values[0], pairs.Vectors[0], norm)
}

// Definite returns a *MercerError if value, an eigenvalue of G with the eigenvector vector,
// is below -1e-10 norm.
func Definite(value float64, vector []float64, norm float64) error {
	if value < -psdTol*norm {
		return &MercerError{Eigenvalue: value, Eigenvector: vector, Norm: norm}
	}
	return nil
}

// KnownMercer reports whether k is known to be a Mercer kernel, so its Gram matrices need
// no test.
func KnownMercer(k Kernel) bool {
	switch k := k.(type) {
	case Linear, RBF, Laplace, Chi2:
		return true
	case Polynomial:
		return k.Coef0 >= 0
	case Sum:
		return allKnownMercer(k)
	case Product:
		return allKnownMercer(k)
	case Scaled:
		return KnownMercer(OrLinear(k.Kernel))
	case Any:
		return KnownMercer(k.Kernel)
	}
	return false
}

func allKnownMercer(ks []Kernel) bool {
	for _, k := range ks {
		if !KnownMercer(k) {
			return false
		}
	}
	return true
}
