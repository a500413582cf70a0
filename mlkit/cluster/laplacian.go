package cluster

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/eigen"
)

// laplacian is the symmetric operator whose eigenvectors are computed. A sample without
// links is a component of its own. All vectors but the one in nullSpace are 0 there, so
// its degree does not matter.
type laplacian struct {
	kind    Laplacian
	w       weights
	degrees []float64 // dᵢ = Σⱼ w_ij; 1 for a sample without links
	root    []float64 // 1/√dᵢ
	scratch []float64
}

func newLaplacian(kind Laplacian, w weights) *laplacian {
	n := w.size()
	l := &laplacian{
		kind: kind, w: w, degrees: make([]float64, n),
		root: make([]float64, n), scratch: make([]float64, n),
	}
	for i := range n {
		_, weights := w.links(i)
		for _, weight := range weights {
			l.degrees[i] += weight
		}
		if l.degrees[i] == 0 {
			l.degrees[i] = 1
		}
		l.root[i] = 1 / math.Sqrt(l.degrees[i])
	}
	return l
}

// unnormalised sets dst to L·x = (D - W)·x.
func (l *laplacian) unnormalised(dst, x []float64) {
	l.w.mul(dst, x)
	for i, v := range x {
		dst[i] = l.degrees[i]*v - dst[i]
	}
}

// normalised sets dst to D^(-½)·W·D^(-½)·x.
func (l *laplacian) normalised(dst, x []float64) {
	floats.MulTo(l.scratch, l.root, x)
	l.w.mul(dst, l.scratch)
	floats.Mul(dst, l.root)
}

// nullSpace returns the eigenvectors of eigenvalue 0, which are known: one per component,
// 0 outside it. Inside, it is constant for D - W and proportional to √dᵢ for
// I - D^(-½)WD^(-½) (von Luxburg, propositions 2 and 4).
func (l *laplacian) nullSpace(component []int, count int) [][]float64 {
	vectors := make([][]float64, count)
	for c := range vectors {
		vectors[c] = make([]float64, len(component))
	}
	for i, c := range component {
		vectors[c][i] = 1
		if l.kind != Unnormalized {
			vectors[c][i] = math.Sqrt(l.degrees[i])
		}
	}
	for _, v := range vectors {
		floats.Scale(1/floats.Norm(v, 2), v)
	}
	return vectors
}

// maxProducts limits the products with W.
const maxProducts = 20000

// smallest returns the k smallest eigenvalues of the Laplacian and their eigenvectors, and
// reports each product. With an error it may return fewer, or none.
func (l *laplacian) smallest(ctx context.Context, report func(products int, residual float64), k int, component []int, count int, seed uint64) (values []float64, vectors [][]float64, err error) {
	vectors = l.nullSpace(component, count)
	values = make([]float64, count)
	if k > count {
		solver := eigen.Solver{MaxProducts: maxProducts, Known: vectors, Seed: seed}
		var p *eigen.Pairs
		n := len(component)
		products := 0
		counted := func(product func(dst, x []float64)) func(dst, x []float64) {
			return func(dst, x []float64) {
				product(dst, x)
				if products++; products <= maxProducts { // the residuals take some more
					report(products, math.NaN())
				}
			}
		}
		if l.kind == Unnormalized {
			p, err = solver.Smallest(ctx, n, k-count, counted(l.unnormalised))
		} else {
			p, err = solver.Largest(ctx, n, k-count, counted(l.normalised))
		}
		if p != nil {
			for i, v := range p.Values {
				if l.kind != Unnormalized {
					v = 1 - v
				}
				values = append(values, max(v, 0)) // negative only by rounding error
				vectors = append(vectors, p.Vectors[i])
			}
		}
	}
	if len(values) > k {
		values, vectors = values[:k], vectors[:k]
	}
	if l.kind == RandomWalk {
		// The eigenvectors of L·u = λD·u are u = D^(-½)·v.
		for _, v := range vectors {
			floats.Mul(v, l.root)
			floats.Scale(1/floats.Norm(v, 2), v)
			eigen.Orient(v)
		}
	}
	return values, vectors, err
}
