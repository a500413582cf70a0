package svm

import "gonum.org/v1/gonum/mat"

// samples are some rows of a matrix.
type samples struct {
	X    *mat.Dense
	rows []int // nil for all
}

func (s samples) dims() (n, d int) {
	n, d = s.X.Dims()
	if s.rows != nil {
		n = len(s.rows)
	}
	return n, d
}

// row returns sample i, which is not to be changed.
func (s samples) row(i int) []float64 {
	if s.rows != nil {
		i = s.rows[i]
	}
	return s.X.RawRowView(i)
}

// dense returns the samples as a matrix, which is not to be changed.
func (s samples) dense() *mat.Dense {
	if s.rows == nil {
		return s.X
	}
	n, d := s.dims()
	Z := mat.NewDense(n, d, nil)
	for i := range n {
		Z.SetRow(i, s.row(i))
	}
	return Z
}
