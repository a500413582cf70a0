package svm

import (
	"marginalia/mlkit"
	"marginalia/mlkit/internal/simd"
)

// manyRows is the number of samples from which the algorithms for the linear kernel use
// vector instructions and DualDescent shrinks. Smaller fits take milliseconds, and keep
// the same bits on every processor of an architecture.
const manyRows = 10000

// many reports whether there are at least manyRows samples.
func (p *linearProblem) many() bool { return len(p.y) >= manyRows }

// products returns w·xᵢ for each row.
func (p *linearProblem) products(w []float64) []float64 {
	if !p.many() {
		return mlkit.Hyperplane{W: w}.Scores(nil, p.X)
	}
	dst, raw := make([]float64, len(p.y)), p.X.RawMatrix()
	simd.Products(dst, raw.Data, raw.Stride, w)
	return dst
}

// combination returns Σ cᵢxᵢ.
func (p *linearProblem) combination(c []float64) []float64 {
	raw := p.X.RawMatrix()
	w := make([]float64, raw.Cols)
	simd.Combine(w, raw.Data, raw.Stride, c)
	return w
}
