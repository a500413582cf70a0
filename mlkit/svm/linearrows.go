package svm

import (
	"marginalia/mlkit"
	"marginalia/mlkit/internal/simd"
)

// manyRows is the number of samples from which the algorithms with the linear kernel
// go over X by vectors, and DualDescent shrinks. Below it a fit takes milliseconds, and
// all types of processors of one architecture give the same bits.
const manyRows = 10000

// many reports whether there are manyRows.
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
