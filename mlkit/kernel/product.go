package kernel

import (
	"cmp"
	"fmt"
	"math"

	"marginalia/mlkit/internal/check"

	"gonum.org/v1/gonum/floats"
)

// Linear is k(x, z) = x·z, Cornell's trivial kernel: φ is the identity.
type Linear struct{}

// Eval returns x·z.
func (Linear) Eval(x, z []float64) float64 { return floats.Dot(x, z) }

// Check returns nil.
func (Linear) Check() error { return nil }

// Polynomial is k(x, z) = (γ x·z + c)ᵈ. With γ = 1 it is CMU's (x·z)ᵈ for c = 0 and
// (1 + x·z)ᵈ for c = 1. The zero value is CMU's example (x·z)², which has
// φ(x) = (x₁², x₂², √2x₁x₂) in the plane; Monomials has the general φ.
//
// It is a Mercer kernel if c ≥ 0.
type Polynomial struct {
	Degree int     `json:"degree"` // d > 0; 0 means 2
	Gamma  float64 `json:"gamma"`  // γ > 0; 0 means 1
	Coef0  float64 `json:"coef0"`  // c, any number
}

// Eval returns (γ x·z + c)ᵈ.
func (k Polynomial) Eval(x, z []float64) float64 {
	return power(cmp.Or(k.Gamma, 1)*floats.Dot(x, z)+k.Coef0, k.degree())
}

func (k Polynomial) degree() int {
	if k.Degree == 0 {
		return 2
	}
	return k.Degree
}

// Check returns an error if a parameter is out of range.
func (k Polynomial) Check() error {
	if k.Degree < 0 {
		return fmt.Errorf("kernel: Polynomial.Degree = %d, want a positive number, or 0 for 2", k.Degree)
	}
	if err := check.Positive("kernel", "Polynomial.Gamma", k.Gamma, "1"); err != nil {
		return err
	}
	return check.FiniteParameter("kernel", "Polynomial.Coef0", k.Coef0)
}

// power returns vᵈ for d > 0 by repeated squaring. It is exact for small integers.
func power(v float64, d int) float64 {
	p := 1.0
	for ; d > 1; d /= 2 {
		if d%2 == 1 {
			p *= v
		}
		v *= v
	}
	return p * v
}

// Sigmoid is k(x, z) = tanh(γ x·z + c), the activation function of a neural network. For
// most γ and c it is not a Mercer kernel, as Mercer shows on suitable samples.
type Sigmoid struct {
	Gamma float64 `json:"gamma"` // γ > 0; 0 means 1
	Coef0 float64 `json:"coef0"` // c, any number
}

// Eval returns tanh(γ x·z + c).
func (k Sigmoid) Eval(x, z []float64) float64 {
	return math.Tanh(cmp.Or(k.Gamma, 1)*floats.Dot(x, z) + k.Coef0)
}

// Check returns an error if a parameter is out of range.
func (k Sigmoid) Check() error {
	if err := check.Positive("kernel", "Sigmoid.Gamma", k.Gamma, "1"); err != nil {
		return err
	}
	return check.FiniteParameter("kernel", "Sigmoid.Coef0", k.Coef0)
}
