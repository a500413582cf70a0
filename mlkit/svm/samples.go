package svm

import (
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// samples are some rows of a matrix.
type samples struct {
	X    *mat.Dense
	rows []int // nil for all
	kept *kept // nil if nothing is shared
}

// kept are copies of rows of one matrix, which several models share.
type kept struct {
	sync.Mutex
	rows map[int][]float64
}

// copied returns a copy of sample i, which is not to be changed.
func (s samples) copied(i int) []float64 {
	x := s.row(i)
	if s.kept == nil {
		return slices.Clone(x)
	}
	if s.rows != nil {
		i = s.rows[i]
	}
	s.kept.Lock()
	defer s.kept.Unlock()
	if s.kept.rows[i] == nil {
		s.kept.rows[i] = slices.Clone(x)
	}
	return s.kept.rows[i]
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
