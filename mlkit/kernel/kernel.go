package kernel

import (
	"cmp"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// A Kernel is a function of two samples that equals the inner product of their images in
// some space: there is a φ with k(x, z) = φ(x)·φ(z) (CMU, "Kernels: definition"). By
// Mercer's condition, such a φ exists if and only if k is symmetric and no Gram matrix,
// of any samples, has a negative eigenvalue (Cornell, section 4). Mercer tests this on
// given samples.
//
// Eval must be pure and safe for concurrent use. It panics if x and z differ in length,
// but not because of their values.
type Kernel interface {
	Eval(x, z []float64) float64
}

// Check returns an error if k is nil or has a parameter out of range. It calls the
// kernel's method Check() error, if any. All kernels of this package have one; it is
// optional for others.
func Check(k Kernel) error {
	if k == nil {
		return errors.New("kernel: the kernel is nil, want one such as Linear{} or RBF{}")
	}
	if c, ok := k.(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}

// CheckSamples returns an error if a row of X (n×d) is outside the domain of k, that is,
// if X has a negative element and k contains a Chi2.
func CheckSamples(k Kernel, X *mat.Dense) error {
	if !wantsHistograms(k) {
		return nil
	}
	n, _ := X.Dims()
	for i := range n {
		for j, v := range X.RawRowView(i) {
			if v < 0 {
				return fmt.Errorf("kernel: X[%d][%d] = %v, want no negative number, since Chi2 compares histograms", i, j, v)
			}
		}
	}
	return nil
}

// ProductForm is a kernel as a function of inner products, for code that evaluates many
// at once: exp(-γ(x·x + z·z - 2x·z)) if Gauss is true, otherwise (γ x·z + c)ᵈ.
type ProductForm struct {
	Gauss  bool    // whether it is exp(-γ‖x - z‖²)
	Gamma  float64 // γ
	Coef0  float64 // c
	Degree int     // d ≥ 1
}

// OfProducts returns k as a function of inner products. It reports false unless k is a
// Linear, Polynomial or RBF, possibly within an Any.
func OfProducts(k Kernel) (ProductForm, bool) {
	switch k := k.(type) {
	case Any:
		return OfProducts(k.Kernel)
	case Linear:
		return ProductForm{Gamma: 1, Degree: 1}, true
	case Polynomial:
		return ProductForm{Gamma: cmp.Or(k.Gamma, 1), Coef0: k.Coef0, Degree: k.degree()}, true
	case RBF:
		return ProductForm{Gauss: true, Gamma: cmp.Or(k.Gamma, 0.5)}, true
	}
	return ProductForm{}, false
}

// GammaOfSigma returns γ = 1/(2σ²), the Gamma of an RBF or Laplace with CMU's σ.
func GammaOfSigma(sigma float64) float64 { return 1 / (2 * sigma * sigma) }
