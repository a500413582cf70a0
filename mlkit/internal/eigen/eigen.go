// Package eigen finds a few eigenpairs of a large symmetric operator, of which
// it needs only the product with a vector:
//
//	pairs, err := eigen.Largest(ctx, n, 3, func(dst, x []float64) {
//		mulVec(dst, x) // dst = A·x
//	})
//
// The method is Lanczos with full reorthogonalisation and thick restarts (Kesheng
// Wu and Horst Simon, "Thick-restart Lanczos method for large symmetric eigenvalue
// problems", SIAM J. Matrix Anal. Appl. 22(2), 2000; the projected matrix is kept
// whole, as in G. W. Stewart, "A Krylov-Schur algorithm for large eigenproblems",
// 2001). A Krylov space holds one vector only of each eigenspace, so after the
// wanted pairs are found the search goes on, orthogonally to all of them, until
// the best pair that is left is known to be no better: multiple eigenvalues come
// with their multiplicity.
//
// Everything follows from a seed, and nothing runs in parallel here: the same
// operator gives the same bits.
package eigen

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit"
)

// Pairs are eigenvalues and eigenvectors.
type Pairs struct {
	Values    []float64   // the wanted end of the spectrum first
	Vectors   [][]float64 // Vectors[i] belongs to Values[i]: unit length, mutually orthogonal, oriented as by Orient
	Residuals []float64   // ‖A·v - λv‖ of each pair, computed from the pair itself
	Norm      float64     // the largest |eigenvalue| that was seen: about ‖A‖
	Products  int         // how often the operator was applied
}

// Solver holds what can be chosen.
type Solver struct {
	// Tol bounds each residual: ‖A·v - λv‖ ≤ Tol·‖A‖. Zero means 1e-10. The error of
	// an eigenvalue is then at most Tol·‖A‖, and of the order of its square over
	// the gap.
	Tol float64

	// MaxProducts limits the products with the operator. Zero means 20000.
	MaxProducts int

	// Known holds eigenvectors that are known beforehand, orthonormal, each of
	// length n. They are left out: the pairs are those of the space orthogonal to
	// them.
	Known [][]float64

	// Seed starts the random vectors.
	Seed uint64
}

// Largest is Solver{}.Largest.
func Largest(ctx context.Context, n, k int, apply func(dst, x []float64)) (*Pairs, error) {
	return Solver{}.Largest(ctx, n, k, apply)
}

// Smallest is Solver{}.Smallest.
func Smallest(ctx context.Context, n, k int, apply func(dst, x []float64)) (*Pairs, error) {
	return Solver{}.Smallest(ctx, n, k, apply)
}

// Largest returns the k algebraically largest eigenvalues of a symmetric operator
// on vectors of length n, the largest first, with their eigenvectors. The
// function apply sets dst to A·x; it must not change x, nor keep either.
//
// If MaxProducts is used up first, the error is a *mlkit.NotConvergedError, whose
// Residual is the largest residual, and the best pairs known are returned beside it;
// they may be fewer than k. If ctx ends first there are none beside it, as their
// residuals would take k products more. It is an error if
// k is not between 1 and n - len(Known), or if apply gives a number that is not
// finite.
func (s Solver) Largest(ctx context.Context, n, k int, apply func(dst, x []float64)) (*Pairs, error) {
	if k < 1 || k > n-len(s.Known) {
		return nil, fmt.Errorf("eigen: k = %d pairs, want 1 to %d, the dimension of the space", k, n-len(s.Known))
	}
	for i, v := range s.Known {
		if len(v) != n {
			return nil, fmt.Errorf("eigen: Known[%d] has length %d, want %d", i, len(v), n)
		}
	}
	if !(s.Tol >= 0 && s.Tol < 1) || s.MaxProducts < 0 {
		return nil, fmt.Errorf("eigen: Tol = %v, MaxProducts = %d, want neither negative, and Tol below 1", s.Tol, s.MaxProducts)
	}
	l := newLanczos(s, ctx, n, apply)
	err := l.search(k)
	if err != nil && l.ended == "" {
		return nil, err
	}
	pairs := l.pairs(k)
	if l.bad {
		return nil, errNotFinite
	}
	if err != nil {
		return pairs, &mlkit.NotConvergedError{
			Algorithm:  "eigen: Lanczos",
			Iterations: l.products,
			Residual:   floats.Max(append([]float64{0}, pairs.Residuals...)),
			Reason:     l.ended,
			Model:      pairs,
			Err:        ctx.Err(),
		}
	}
	return pairs, nil
}

// Smallest is Largest for the other end of the spectrum: the k smallest
// eigenvalues, the smallest first.
func (s Solver) Smallest(ctx context.Context, n, k int, apply func(dst, x []float64)) (*Pairs, error) {
	pairs, err := s.Largest(ctx, n, k, func(dst, x []float64) {
		apply(dst, x)
		floats.Scale(-1, dst)
	})
	if pairs != nil {
		floats.Scale(-1, pairs.Values)
	}
	return pairs, err
}

// Orient changes the sign of v so that its component of the largest size is
// positive: of those that are within a millionth of the largest the first, so
// that rounding does not choose.
func Orient(v []float64) {
	largest := floats.Norm(v, math.Inf(1))
	for _, c := range v {
		if math.Abs(c) >= largest*(1-1e-6) {
			if c < 0 {
				floats.Scale(-1, v)
			}
			return
		}
	}
}

// pairs returns the best k of the pairs found, with their true residuals.
func (l *lanczos) pairs(k int) *Pairs {
	if l.ctx.Err() != nil && l.ended != "" {
		return &Pairs{Norm: math.Ldexp(l.norm, -l.exponent), Products: l.products}
	}
	slices.SortStableFunc(l.found, func(a, b pair) int { return cmp.Compare(b.value, a.value) })
	p := &Pairs{}
	av := make([]float64, l.n)
	for _, f := range l.found[:min(k, len(l.found))] {
		Orient(f.vector)
		l.mul(av, f.vector)
		floats.AddScaled(av, -f.value, f.vector)
		p.Values = append(p.Values, math.Ldexp(f.value, -l.exponent))
		p.Vectors = append(p.Vectors, f.vector)
		p.Residuals = append(p.Residuals, math.Ldexp(floats.Norm(av, 2), -l.exponent))
	}
	p.Norm, p.Products = math.Ldexp(l.norm, -l.exponent), l.products
	return p
}
