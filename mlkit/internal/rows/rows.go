// Package rows has what the methods of models that take many samples begin and end
// with: a matrix is read row by row, without a copy where it allows that, and one
// result a row is written to a destination.
package rows

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Of returns the number of rows and columns of X and a function that returns
// row i. The row may be a view of X, so it must not be changed, and it may be
// overwritten by the next call, so it must not be kept. The function must not be
// called by two goroutines at once.
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

// Destination returns dst, or a new slice if dst is nil. It panics, in the name of
// a method of a package, unless its length is n.
func Destination[T any](pkg, method string, dst []T, n int) []T {
	if dst == nil {
		return make([]T, n)
	}
	if len(dst) != n {
		panic(fmt.Sprintf("%s: %s: len(dst) = %d, want %d", pkg, method, len(dst), n))
	}
	return dst
}

// Side is σ of EE-559, the label of a score: +1 if s ≥ 0 and -1 otherwise.
func Side(s float64) int {
	if s >= 0 {
		return +1
	}
	return -1
}
