package svm

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// samples are some rows of a matrix.
type samples struct {
	X    *mat.Dense
	rows []int // nil for all
	lent bool  // whether models get the rows of X themselves: see own
}

// vector returns sample i for a model, which is not to be changed.
func (s samples) vector(i int) []float64 {
	if s.lent {
		return s.row(i)
	}
	return slices.Clone(s.row(i))
}

// own gives the models among machines copies of the rows of X that they were lent, which
// they share.
func own[M any](machines []M) {
	copies := map[*float64][]float64{}
	for _, machine := range machines {
		m, ok := any(machine).(*Model)
		if !ok || m == nil {
			continue
		}
		for i, v := range m.Vectors {
			at := &v[0]
			if copies[at] == nil {
				copies[at] = slices.Clone(v)
			}
			m.Vectors[i] = copies[at]
		}
	}
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
