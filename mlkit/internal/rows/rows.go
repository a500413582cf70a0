// Package rows is shared by the methods of models that take many samples. It reads a
// matrix row by row, without copying where possible, and checks the destination for the
// results, one per row. It also has functions of one row of numbers, turns scores into class
// probabilities (posterior.go), and selects the rows of a fit with weights (present.go).
package rows

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Of returns the dimensions of X and a function that returns row i. The row may be a
// view of X, so it must not be modified, and the next call may overwrite it, so it must
// not be kept. The function is not safe for concurrent use.
func Of(X mat.Matrix) (n, d int, row func(i int) []float64) {
	n, d = X.Dims()
	if m, ok := X.(mat.RawRowViewer); ok {
		return n, d, m.RawRowView
	}
	buf := make([]float64, d)
	return n, d, func(i int) []float64 {
		for j := range buf {
			buf[j] = X.At(i, j)
		}
		return buf
	}
}

// Destination returns dst, or a new slice of length n if dst is nil. It panics if dst
// has another length; the message names the package and the method.
func Destination[T any](pkg, method string, dst []T, n int) []T {
	if dst == nil {
		return make([]T, n)
	}
	if len(dst) != n {
		panic(fmt.Sprintf("%s: %s: len(dst) = %d, want %d", pkg, method, len(dst), n))
	}
	return dst
}

// Side returns the label of score s: +1 if s ≥ 0 and -1 otherwise. It is σ of EE-559.
func Side(s float64) int {
	if s >= 0 {
		return +1
	}
	return -1
}

// Second returns 1, the index of the second of two classes, if its score s ≥ 0, and 0
// otherwise.
func Second(s float64) int {
	if s >= 0 {
		return 1
	}
	return 0
}

// TwoClasses returns an error if a model does not have two classes, for one of its methods
// that is for two.
func TwoClasses(pkg, method string, classes int) error {
	if classes != 2 {
		return fmt.Errorf("%s: %s is for two classes, and the model has %d", pkg, method, classes)
	}
	return nil
}

// Epsilon is the gap between 1 and the next float64.
const Epsilon = 0x1p-52

// Largest returns the index of the largest element, the first in a tie; 0 if all are NaN.
// It takes half of the time of floats.MaxIdx, which looks for NaN in every element.
func Largest[T int | float64](g []T) int {
	best := 0
	for k, v := range g {
		if v > g[best] {
			best = k
		}
	}
	return best
}

// Extreme returns the element with the largest absolute value, the first in a tie.
func Extreme(v []float64) float64 {
	e := v[0]
	for _, c := range v {
		if math.Abs(c) > math.Abs(e) {
			e = c
		}
	}
	return e
}

// NewDense returns a matrix of n×d zeros, in large pages if it is large.
func NewDense(n, d int) *mat.Dense { return mat.NewDense(n, d, Large[float64](n*d)) }

// Select returns copies of the given rows of X, or X itself if they are nil.
func Select(X *mat.Dense, rows []int) *mat.Dense {
	if rows == nil {
		return X
	}
	_, d := X.Dims()
	Z := NewDense(len(rows), d)
	for k, i := range rows {
		Z.SetRow(k, X.RawRowView(i))
	}
	return Z
}

// Hash returns a hash of the bits of v (Glenn Fowler, Landon Curt Noll, Kiem-Phong Vo,
// 1991: FNV-1a, here 64 bits at a time). The shift carries differences of high bits down, as
// the product does not; whole numbers differ only there.
func Hash(v []float64) uint64 {
	h := uint64(14695981039346656037)
	for _, x := range v {
		h = (h ^ math.Float64bits(x)) * 1099511628211
		h ^= h >> 32
	}
	return h
}
