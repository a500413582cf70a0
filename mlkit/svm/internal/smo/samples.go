package smo

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

// Samples is a selection of rows of a matrix, which nothing here modifies.
type Samples struct {
	X    *mat.Dense
	Rows []int // nil means all
}

// Dims returns the numbers of samples and of features.
func (s Samples) Dims() (n, d int) {
	n, d = s.X.Dims()
	if s.Rows != nil {
		n = len(s.Rows)
	}
	return n, d
}

// Row returns sample i, not a copy.
func (s Samples) Row(i int) []float64 {
	return s.X.RawRowView(s.Number(i))
}

// Number returns the row of X that sample i is.
func (s Samples) Number(i int) int { return rows.Number(i, s.Rows) }

// Dense returns the samples as a matrix, which may be X itself.
func (s Samples) Dense() *mat.Dense {
	return rows.Select(s.X, s.Rows)
}
