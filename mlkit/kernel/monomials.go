package kernel

import (
	"cmp"
	"fmt"
	"math"

	"marginalia/mlkit/internal/rows"

	"gonum.org/v1/gonum/mat"
)

// Monomials is the explicit φ of a Polynomial kernel. Its components are the monomials of
// degree d in the n features, and φ(x)·φ(z) = (γ x·z + c)ᵈ exactly (CMU, "Kernels:
// example"). If c > 0, the constant √c is an additional feature, which brings in the
// monomials of lower degree.
//
// φ is not unique (CMU, "Note"). Unordered, x₁x₂ and x₂x₁ share one component, scaled by
// the square root of the number of orders. Ordered, they are two:
//
//	unordered: (x₁, x₂) ↦ (x₁², √2x₁x₂, x₂²)
//	ordered:   (x₁, x₂) ↦ (x₁², x₁x₂, x₂x₁, x₂²)
//
// The components are in lexicographic order of their features, with the constant last.
// feature.CountMonomials returns their number.
type Monomials struct {
	Kernel  Polynomial // the zero value is (x·z)²; Coef0 ≥ 0
	Ordered bool       // one component per order of the factors
}

// MonomialMap is the φ of Monomials for samples with a given number of features.
// Component t of φ(x) is Coef[t] times the product of the features Factors[t].
type MonomialMap struct {
	D        int       `json:"features"` // n, the number of features
	Constant float64   `json:"constant"` // √c, which counts as feature n; 0 means none
	Factors  [][]int   `json:"factors"`  // the features of each monomial, repeated for powers
	Coef     []float64 `json:"coef"`
}

// maxMonomials is the largest number of components that For allows.
const maxMonomials = 1 << 24

// For returns φ for samples with n features. It returns an error if φ has more than 2²⁴
// components or more than 2²⁸ factors in total, if a parameter of the kernel is out of
// range, or if c < 0, since there is no φ then.
func (m Monomials) For(n int) (*MonomialMap, error) {
	k := m.Kernel
	if err := k.Check(); err != nil {
		return nil, err
	}
	if k.Coef0 < 0 {
		return nil, fmt.Errorf("kernel: Monomials.Kernel.Coef0 = %v, want at least 0, since √c is a feature", k.Coef0)
	}
	if n < 1 {
		return nil, fmt.Errorf("kernel: Monomials.For(%d): want at least one feature", n)
	}
	d, features := k.degree(), n
	if k.Coef0 > 0 {
		features++
	}
	count := m.count(features, d)
	if count > maxMonomials {
		return nil, fmt.Errorf("kernel: Monomials.For(%d): φ has %.15g components, want at most %d; use the kernel", n, count, maxMonomials)
	}
	if count*float64(d) > maxMap {
		return nil, fmt.Errorf("kernel: Monomials.For(%d): φ has %.15g monomials of degree %d, want at most %d factors in all; use the kernel", n, count, d, maxMap)
	}
	φ := &MonomialMap{D: n, Constant: math.Sqrt(k.Coef0)}
	gamma := math.Sqrt(cmp.Or(k.Gamma, 1))
	for factors := make([]int, d); factors != nil; factors = m.next(factors, features) {
		coef := 1.0
		for _, j := range factors {
			if j < n {
				coef *= gamma
			}
		}
		if !m.Ordered {
			coef *= math.Sqrt(orders(factors))
		}
		φ.Factors = append(φ.Factors, append([]int(nil), factors...))
		φ.Coef = append(φ.Coef, coef)
	}
	return φ, nil
}

// count returns the number of monomials of degree d, exact below 2⁵³. It avoids math/big,
// which feature.CountMonomials uses, because every notebook cell with a kernel would link
// it.
func (m Monomials) count(features, d int) float64 {
	if m.Ordered {
		return math.Pow(float64(features), float64(d))
	}
	count, rest := 1.0, max(d, features-1)
	for t := 1; t <= min(d, features-1) && count <= math.MaxFloat64; t++ {
		count = count * float64(rest+t) / float64(t) // an integer after each factor
	}
	return count
}

// next advances factors to the next ones in lexicographic order and returns them, or nil
// after the last. Unordered factors never descend.
func (m Monomials) next(factors []int, features int) []int {
	for t := len(factors) - 1; t >= 0; t-- {
		if factors[t]++; factors[t] < features {
			for u := t + 1; u < len(factors); u++ {
				factors[u] = 0
				if !m.Ordered {
					factors[u] = factors[t]
				}
			}
			return factors
		}
	}
	return nil
}

// orders returns the number of distinct orders of the ascending factors, d!/(a₁!a₂!…),
// where j occurs aⱼ times.
func orders(factors []int) float64 {
	count, run := 1.0, 0.0
	for t, j := range factors {
		if t > 0 && j == factors[t-1] {
			run++
		} else {
			run = 1
		}
		count *= float64(t+1) / run // an integer after each factor
	}
	return math.Round(count)
}

// Inputs returns d, the number of features of a sample.
func (φ *MonomialMap) Inputs() int { return φ.D }

// Dim returns the number of components.
func (φ *MonomialMap) Dim() int { return len(φ.Coef) }

// TransformSample sets dst to φ(x) and returns dst, a new slice if dst is nil. It panics
// unless x has length n and dst length Dim.
func (φ *MonomialMap) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("kernel", φ, dst, x)
	for t, factors := range φ.Factors {
		v := φ.Coef[t]
		for _, j := range factors {
			if j < φ.D {
				v *= x[j]
			} else {
				v *= φ.Constant
			}
		}
		dst[t] = v
	}
	return dst
}

// Transform sets each row of dst to φ of that row of X and returns dst, a new matrix if
// dst is nil. It panics unless X has as many columns as φ has features and dst has one
// row per row of X and Dim columns.
func (φ *MonomialMap) Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return rows.Transform("kernel", φ, dst, X)
}

// maxMap is the largest number of factors in a map.
const maxMap = 1 << 28
