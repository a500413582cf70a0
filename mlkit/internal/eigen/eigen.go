// Package eigen finds a few eigenpairs of a large symmetric operator A, given only the
// product of A with a vector:
//
//	pairs, err := eigen.Solver{}.Largest(ctx, n, 3, func(dst, x []float64) {
//		mulVec(dst, x) // dst = A·x
//	})
//
// The method is Lanczos with full reorthogonalisation and thick restarts (Kesheng Wu
// and Horst Simon, "Thick-restart Lanczos method for large symmetric eigenvalue
// problems", SIAM J. Matrix Anal. Appl. 22(2), 2000; the projected matrix is stored in
// full, as in G. W. Stewart, "A Krylov-Schur algorithm for large eigenproblems", 2001).
// A Krylov space contains only one vector of each eigenspace. So once the wanted pairs
// are found, the search continues in their orthogonal complement until the best
// remaining pair is no better: multiple eigenvalues come with their multiplicity.
//
// Full computes all eigenpairs of a dense matrix.
//
// All random vectors follow from the seed, and nothing here runs in parallel: the same
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

// Pairs holds eigenvalues and eigenvectors.
type Pairs struct {
	Values    []float64   // the wanted end of the spectrum first
	Vectors   [][]float64 // Vectors[i] belongs to Values[i]: unit length, mutually orthogonal, oriented as by Orient
	Residuals []float64   // ‖A·v - λv‖ of each pair, computed explicitly
	Norm      float64     // estimate of ‖A‖ by the search
	Products  int         // how many times the operator was applied
}

// Solver holds the settings of a search. The zero value has the defaults.
type Solver struct {
	// Tol is the tolerance for each residual: ‖A·v - λv‖ ≤ Tol·‖A‖. 0 means the
	// default, 1e-10. The error of an eigenvalue is then at most Tol·‖A‖, and of the
	// order of (Tol·‖A‖)² divided by its gap to the others.
	Tol float64

	// MaxProducts limits the products with the operator. 0 means the default, 20000.
	MaxProducts int

	// Known holds eigenvectors known in advance, orthonormal and of length n. The
	// search is restricted to their orthogonal complement.
	Known [][]float64

	// Seed is the seed of the random vectors.
	Seed uint64
}

// Largest returns the k algebraically largest eigenvalues of a symmetric operator A on
// vectors of length n, largest first, with their eigenvectors. apply sets dst to A·x;
// it must not modify x or keep either slice.
//
// Largest returns an error if k is not between 1 and n - len(Known), if Tol,
// MaxProducts or Known is invalid, or if apply returns a number that is not finite. If
// the search uses up MaxProducts, the error is a *mlkit.NotConvergedError whose
// Residual is the largest residual, and the best pairs so far, possibly fewer than k,
// are returned with it. If ctx is done first, the error has the same type and the
// result has no pairs, since their residuals would take k more products.
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

// Smallest is Largest for the other end of the spectrum: it returns the k smallest
// eigenvalues, smallest first.
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

// Orient flips the sign of v, if necessary, so that its component of largest magnitude
// is positive. If several are within a millionth of the largest, the first decides, so
// that rounding errors don't.
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

// pairs returns the best k pairs found, with residuals computed explicitly.
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
