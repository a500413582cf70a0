package linear

import (
	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/simd"
)

// If X has at least ManyRows rows or ManyNumbers elements, the algorithms use vector
// instructions and float32, and package dcd shrinks. Smaller fits take milliseconds, and keep
// the same bits on every processor of an architecture.
var ManyRows, ManyNumbers = 10000, 1 << 20

// Many reports whether X has at least ManyRows samples or ManyNumbers elements.
func (p *Problem) Many() bool {
	n, d := p.X.Dims()
	return n >= ManyRows || n*d >= ManyNumbers
}

// Products returns w·xᵢ for each sample.
func (p *Problem) Products(w []float64) []float64 {
	if !p.Many() {
		return mlkit.Hyperplane{W: w}.Scores(nil, p.X)
	}
	raw := p.X.RawMatrix()
	dst := make([]float64, raw.Rows)
	simd.Products(dst, raw.Data, raw.Stride, w)
	return dst
}

// Combination returns Σ cᵢxᵢ.
func (p *Problem) Combination(c []float64) []float64 {
	raw := p.X.RawMatrix()
	w := make([]float64, raw.Cols)
	if p.Many() {
		simd.Combine(w, raw.Data, raw.Stride, c)
		return w
	}
	for i, v := range c {
		if v != 0 {
			floats.AddScaled(w, v, p.X.RawRowView(i))
		}
	}
	return w
}
