package feature

import (
	"fmt"
	"math/rand/v2"

	"marginalia/mlkit/internal/rows"
)

// Polynomial maps a sample to all its monomials up to a total degree: (1, x, …, x^D)
// for one number (EE-559). Lower degrees come first; within one degree x₀² comes before
// x₀x₁, and that before x₁².
type Polynomial struct {
	D       int     `json:"d"`       // numbers in a sample
	Factors [][]int `json:"factors"` // Factors[k] holds the columns whose product is feature k, ascending; nil for the constant 1
}

// maxMonomials and maxFactors, the latter over all monomials, limit the memory that a
// mistyped argument can allocate.
const (
	maxMonomials = 10_000_000
	maxFactors   = 5 * maxMonomials
)

// NewPolynomial returns the map from samples of d numbers to their C(d+degree, degree)
// monomials of degree 0 to degree. It returns an error if d < 1 or degree < 0, or if
// there are more than ten million monomials or fifty million factors in all.
func NewPolynomial(d, degree int) (*Polynomial, error) {
	if d < 1 || d > maxMonomials || degree < 0 {
		return nil, fmt.Errorf("feature: monomials of %d numbers up to degree %d, want 1 to %d numbers and a degree ≥ 0", d, degree, maxMonomials)
	}
	// C(d+k, k) = C(d+k-1, k-1)·(d+k)/k, an integer at each step.
	count, factors := 1, 0
	for k := 1; k <= degree; k++ {
		lower := count
		count = count * (d + k) / k
		factors += k * (count - lower)
		if count > maxMonomials || factors > maxFactors {
			return nil, fmt.Errorf("feature: the monomials of %d numbers up to degree %d are more than %d, or have more than %d factors; use random products, or a kernel", d, degree, maxMonomials, maxFactors)
		}
	}
	p := &Polynomial{D: d, Factors: make([][]int, 1, count)}
	lower := p.Factors[:1]
	for range degree {
		var next [][]int
		for first := range d {
			// xⱼ times each monomial of the previous degree with factors x_l, l ≥ j,
			// only.
			for _, f := range lower {
				if len(f) == 0 || f[0] >= first {
					next = append(next, append([]int{first}, f...))
				}
			}
		}
		p.Factors = append(p.Factors, next...)
		lower = next
	}
	return p, nil
}

// Inputs returns D.
func (p *Polynomial) Inputs() int { return p.D }

// Dim returns the number of monomials.
func (p *Polynomial) Dim() int { return len(p.Factors) }

func (p *Polynomial) valid() error {
	if p == nil {
		return fmt.Errorf("feature: the Polynomial is nil, want one from NewPolynomial")
	}
	if p.D < 1 || len(p.Factors) == 0 {
		return fmt.Errorf("feature: a Polynomial of %d numbers with %d monomials, want at least one of each", p.D, len(p.Factors))
	}
	for k, factors := range p.Factors {
		for _, j := range factors {
			if j < 0 || j >= p.D {
				return fmt.Errorf("feature: Polynomial.Factors[%d] = %v, want columns from 0 to %d", k, factors, p.D-1)
			}
		}
	}
	return nil
}

// TransformSample sets dst to the monomials of x.
func (p *Polynomial) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("feature", p, dst, x)
	for k, factors := range p.Factors {
		v := 1.0
		for _, j := range factors {
			v *= x[j]
		}
		dst[k] = v
	}
	return dst
}

// Products appends products of pairs of its numbers to a sample,
//
//	Φ: x ↦ (x, x_u·x_v for each pair (u, v)).
//
// Two numbers with their only pair become (x_u, x_v, x_u·x_v), which solves xor. The
// 784 pixels of MNIST, "supplemented with the products of pairs of features taken at
// random", tell an 8 from the other digits (both EE-559).
type Products struct {
	D     int      `json:"d"`     // numbers in a sample
	Pairs [][2]int `json:"pairs"` // the columns to multiply
}

// NewProducts draws count distinct pairs of different columns out of d, each set of
// pairs with the same probability. The same seed gives the same pairs. NewProducts
// returns an error unless d is from 1 to 2³¹, and count from 0 to the number of pairs
// and at most ten million.
func NewProducts(d, count int, seed uint64) (*Products, error) {
	if d < 1 || d > 1<<31 {
		return nil, fmt.Errorf("feature: products of %d numbers, want 1 to 2³¹", d)
	}
	all := d * (d - 1) / 2
	if count < 0 || count > min(all, maxMonomials) {
		return nil, fmt.Errorf("feature: %d products of pairs of %d numbers, want 0 to %d", count, d, min(all, maxMonomials))
	}
	// Robert Floyd's sampling without replacement (in Jon Bentley, "Programming pearls:
	// a sample of brilliance", CACM 30(9), 1987), followed by a shuffle.
	rng := rand.New(rand.NewPCG(seed, 0x70726f6475637473))
	taken := make(map[int]bool, count)
	numbers := make([]int, 0, count)
	for top := all - count; top < all; top++ {
		number := rng.IntN(top + 1)
		if taken[number] {
			number = top
		}
		taken[number] = true
		numbers = append(numbers, number)
	}
	rng.Shuffle(count, func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	p := &Products{D: d, Pairs: make([][2]int, count)}
	for i, number := range numbers {
		p.Pairs[i] = pair(number)
	}
	return p, nil
}

// pair returns the pair u < v with the given number, in the order (0,1), (0,2), (1,2),
// (0,3), …; v is the largest with v(v-1)/2 ≤ number.
func pair(number int) [2]int {
	low, high := 1, 1<<31
	for low < high {
		if v := (low + high + 1) / 2; v*(v-1)/2 <= number {
			low = v
		} else {
			high = v - 1
		}
	}
	return [2]int{number - low*(low-1)/2, low}
}

// Inputs returns D.
func (p *Products) Inputs() int { return p.D }

// Dim returns D plus the number of pairs.
func (p *Products) Dim() int { return p.D + len(p.Pairs) }

func (p *Products) valid() error {
	if p == nil {
		return fmt.Errorf("feature: the Products are nil, want some from NewProducts")
	}
	if p.D < 1 {
		return fmt.Errorf("feature: Products of %d numbers, want at least one", p.D)
	}
	for k, pair := range p.Pairs {
		if min(pair[0], pair[1]) < 0 || max(pair[0], pair[1]) >= p.D {
			return fmt.Errorf("feature: Products.Pairs[%d] = %v, want columns from 0 to %d", k, pair, p.D-1)
		}
	}
	return nil
}

// TransformSample sets dst to x followed by the products.
func (p *Products) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("feature", p, dst, x)
	copy(dst, x)
	for k, uv := range p.Pairs {
		dst[p.D+k] = x[uv[0]] * x[uv[1]]
	}
	return dst
}
