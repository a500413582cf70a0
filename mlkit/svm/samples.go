package svm

import (
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// samples is a selection of rows of a matrix.
type samples struct {
	X    *mat.Dense
	rows []int // nil means all
	lent bool  // whether models get views of X, which own later replaces by copies
}

// vector returns sample i for a model to keep. The caller must not modify it.
func (s samples) vector(i int) []float64 {
	if s.lent {
		return s.row(i)
	}
	return slices.Clone(s.row(i))
}

// own replaces the models' views of X by copies, one for each distinct row, which the
// models share. Before large copies it runs a garbage collection, so that they can reuse
// the memory of the fits.
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

// row returns sample i. The caller must not modify it.
func (s samples) row(i int) []float64 {
	if s.rows != nil {
		i = s.rows[i]
	}
	return s.X.RawRowView(i)
}

// dense returns the samples as a matrix. The caller must not modify it.
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
