package kernel

import (
	"cmp"
	"math"

	"marginalia/mlkit/internal/check"
)

// RBF is the radial basis function or Gaussian kernel,
//
//	k(x, z) = exp(-γ‖x-z‖²)
//
// with γ = 1/(2σ²) (CMU, "Kernels: more examples") or γ = 1/α (Cornell, section 4.1). Its
// φ has infinitely many components; Fourier approximates it with finitely many.
type RBF struct {
	Gamma float64 `json:"gamma"` // γ > 0; 0 means 1/2, which is σ = 1
}

// Eval returns exp(-γ‖x-z‖²), exactly 1 if x = z.
func (k RBF) Eval(x, z []float64) float64 {
	return math.Exp(-cmp.Or(k.Gamma, 0.5) * squaredDistance(x, z))
}

// Check returns an error if Gamma is out of range.
func (k RBF) Check() error { return check.Positive("kernel", "RBF.Gamma", k.Gamma, "1/2") }

// Laplace is the Laplace kernel,
//
//	k(x, z) = exp(-γ‖x-z‖)
//
// CMU ("Kernels: more examples") writes it as exp(-‖x-z‖/(2σ²)), so γ = 1/(2σ²) as for
// RBF. A scale parameter s, as in exp(-‖x-z‖/s), means γ = 1/s.
type Laplace struct {
	Gamma float64 `json:"gamma"` // γ > 0; 0 means 1/2, which is CMU's σ = 1

	// Taxicab uses the norm Σ|xⱼ-zⱼ|, like scikit-learn's laplacian_kernel; the kernel is
	// then a product of one-dimensional kernels. False means the Euclidean norm, as in
	// CMU.
	Taxicab bool `json:"taxicab"`
}

// Eval returns exp(-γ‖x-z‖), exactly 1 if x = z.
func (k Laplace) Eval(x, z []float64) float64 {
	var distance float64
	if k.Taxicab {
		sameLength(x, z)
		for j, v := range x {
			distance += math.Abs(v - z[j])
		}
	} else {
		distance = math.Sqrt(squaredDistance(x, z))
	}
	return math.Exp(-cmp.Or(k.Gamma, 0.5) * distance)
}

// Check returns an error if Gamma is out of range.
func (k Laplace) Check() error { return check.Positive("kernel", "Laplace.Gamma", k.Gamma, "1/2") }

// Chi2 is the χ² kernel of two histograms with nonnegative elements,
//
//	k(h, g) = exp(-γ Σ (hⱼ-gⱼ)²/(hⱼ+gⱼ))
//
// where a bin that is empty in both contributes 0. Cornell (section 4.1) writes it as
// exp(-χ²/α) with χ² half that sum, so γ = 1/(2α).
type Chi2 struct {
	Gamma float64 `json:"gamma"` // γ > 0; 0 means 1/2, which is Cornell's α = 1
}

// Eval returns k(h, g), exactly 1 if h = g, and NaN if an element is negative.
func (k Chi2) Eval(h, g []float64) float64 {
	sameLength(h, g)
	sum := 0.0
	for j, v := range h {
		switch u := g[j]; {
		case v < 0 || u < 0:
			return math.NaN()
		case v != u:
			sum += (v - u) * ((v - u) / (v + u)) // the square may overflow
		}
	}
	return math.Exp(-cmp.Or(k.Gamma, 0.5) * sum)
}

// Check returns an error if Gamma is out of range.
func (k Chi2) Check() error { return check.Positive("kernel", "Chi2.Gamma", k.Gamma, "1/2") }

// squaredDistance returns ‖x-z‖². It uses four partial sums, since each addition to a sum
// has to wait for the previous one.
func squaredDistance(x, z []float64) float64 {
	sameLength(x, z)
	z = z[:len(x)]
	var s0, s1, s2, s3 float64
	j := 0
	for ; j+4 <= len(x); j += 4 {
		d0, d1, d2, d3 := x[j]-z[j], x[j+1]-z[j+1], x[j+2]-z[j+2], x[j+3]-z[j+3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; j < len(x); j++ {
		d := x[j] - z[j]
		s0 += d * d
	}
	return (s0 + s1) + (s2 + s3)
}

func sameLength(x, z []float64) {
	if len(x) != len(z) {
		panic("kernel: two samples differ in length")
	}
}
