// Package rows reads a matrix row by row, without a copy where the matrix
// allows it.
package rows

import "gonum.org/v1/gonum/mat"

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
