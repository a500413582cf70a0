package smo

import "gonum.org/v1/gonum/mat"

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
	if s.Rows != nil {
		i = s.Rows[i]
	}
	return s.X.RawRowView(i)
}

// Dense returns the samples as a matrix, which may be X itself.
func (s Samples) Dense() *mat.Dense {
	if s.Rows == nil {
		return s.X
	}
	n, d := s.Dims()
	Z := mat.NewDense(n, d, nil)
	for i := range n {
		Z.SetRow(i, s.Row(i))
	}
	return Z
}
