package svm

import (
	"runtime"
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

// own gives models copies of the rows of X that they were lent, which they share. What
// their fits had in use is not in use any more: if the copies are large, it is collected
// first, so that they have room where it was and not beside it.
func own(models []*Model) {
	models = slices.DeleteFunc(slices.Clone(models), func(m *Model) bool { return m == nil })
	copies, numbers := map[*float64][]float64{}, 0
	for _, m := range models {
		for _, v := range m.Vectors {
			if _, ok := copies[&v[0]]; !ok {
				copies[&v[0]] = nil
				numbers += len(v)
			}
		}
	}
	if numbers > 1<<21 {
		runtime.GC()
	}
	for _, m := range models {
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
