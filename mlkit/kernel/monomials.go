package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Monomials is the φ of a Polynomial kernel, written out: its components are the
// monomials of degree d in the n features, and φ(x)·φ(z) = (γ x·z + c)ᵈ exactly (CMU,
// "Kernels: example"). If c > 0 there is one feature more, the constant √c, so the
// monomials of lower degree come with it.
//
// The space is not unique (CMU, "Note"). Unordered, x₁x₂ and x₂x₁ are one component,
// times the root of the number of its orders; ordered, they are two:
//
//	unordered: (x₁, x₂) ↦ (x₁², √2x₁x₂, x₂²)
//	ordered:   (x₁, x₂) ↦ (x₁², x₁x₂, x₂x₁, x₂²)
//
// Components are in lexicographic order of their features, the constant last. Their
// number is feature.CountMonomials.
type Monomials struct {
	Kernel  Polynomial // the zero value is (x·z)²; Coef0 ≥ 0
	Ordered bool       // one component for each order of the factors
}

// MonomialMap is a φ for samples of a given length: component t of φ(x) is Coef[t]
// times the product of the features Factors[t].
type MonomialMap struct {
	Features int       `json:"features"` // n, the length of a sample
	Constant float64   `json:"constant"` // √c, the feature after them, or 0 for none
	Factors  [][]int   `json:"factors"`  // the features of each monomial, with repetition
	Coef     []float64 `json:"coef"`
}

// maxMonomials is the largest number of components that For will write out.
const maxMonomials = 1 << 24

// For returns φ for samples of length n. It is an error if it has more than 2²⁴
// components, or 2²⁸ factors in all of them, or if the kernel has a parameter out of
// range or c < 0, for which there is no φ.
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
	φ := &MonomialMap{Features: n, Constant: math.Sqrt(k.Coef0)}
	gamma := math.Sqrt(orElse(k.Gamma, 1))
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

// count returns the number of monomials of degree d, exactly if it is below 2⁵³:
// math/big, as in feature.CountMonomials, would be linked into every cell with a kernel.
func (m Monomials) count(features, d int) float64 {
	if m.Ordered {
		return math.Pow(float64(features), float64(d))
	}
	count, rest := 1.0, max(d, features-1)
	for t := 1; t <= min(d, features-1) && count <= math.MaxFloat64; t++ {
		count = count * float64(rest+t) / float64(t) // after each factor a whole number
	}
	return count
}

// next returns the factors that follow in lexicographic order, never descending
// unless the orders count, or nil.
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

// orders returns the number of different orders of ascending factors,
// d!/(a₁!a₂!…), where aⱼ is how often j occurs.
func orders(factors []int) float64 {
	count, run := 1.0, 0.0
	for t, j := range factors {
		if t > 0 && j == factors[t-1] {
			run++
		} else {
			run = 1
		}
		count *= float64(t+1) / run // after each factor a whole number
	}
	return math.Round(count)
}

// Dim returns the number of components.
func (φ *MonomialMap) Dim() int { return len(φ.Coef) }

// TransformSample sets dst to φ(x) and returns dst, a new slice if dst is nil. It
// panics unless x and dst have the right lengths.
func (φ *MonomialMap) TransformSample(dst, x []float64) []float64 {
	dst = mapped(dst, x, φ.Dim(), φ.Features)
	for t, factors := range φ.Factors {
		v := φ.Coef[t]
		for _, j := range factors {
			if j < φ.Features {
				v *= x[j]
			} else {
				v *= φ.Constant
			}
		}
		dst[t] = v
	}
	return dst
}

// Transform sets the rows of dst to φ of the rows of X (n×d) and returns dst, a new
// matrix if dst is nil. It panics unless X has the right number of columns, and dst
// the shape n×Dim.
func (φ *MonomialMap) Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return transform(φ, dst, X)
}
