package svm

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
)

// If X has at least manyRows rows or manyNumbers elements, the algorithms for the linear kernel
// use vector instructions and DualDescent shrinks. Smaller fits take milliseconds, and keep the
// same bits on every processor of an architecture.
var manyRows, manyNumbers = 10000, 1 << 20

// many reports whether X has at least manyRows samples or manyNumbers elements.
func (p *linearProblem) many() bool {
	n, d := p.X.Dims()
	return n >= manyRows || n*d >= manyNumbers
}

// fastSums use vector instructions.
type fastSums struct{ plainSums }

func (f fastSums) products(w []float64) []float64 {
	raw := f.X.RawMatrix()
	dst := make([]float64, raw.Rows)
	simd.Products(dst, raw.Data, raw.Stride, w)
	return dst
}

func (f fastSums) combination(c []float64) []float64 {
	raw := f.X.RawMatrix()
	w := make([]float64, raw.Cols)
	simd.Combine(w, raw.Data, raw.Stride, c)
	return w
}

func (fastSums) hinge(first, second float64, ξ, δ, C []float64, t float64) (float64, float64) {
	a, b := simd.Hinge(ξ, δ, C, t)
	return first - 2*a, second + 2*b
}

func (f fastSums) outer(ctx context.Context, H *mat.SymDense, n int, z func(dst []float64, k int), rough bool) bool {
	if n < gram.OuterFrom {
		return f.plainSums.outer(ctx, H, n, z, rough)
	}
	d := H.SymmetricDim()
	sum, err := gram.Outer(ctx, n, d, func(int) func(k int) []float64 {
		row := make([]float64, d)
		return func(k int) []float64 {
			z(row, k)
			return row
		}
	}, rough)
	if err == nil {
		H.AddSym(H, sum)
	}
	return err == nil
}
