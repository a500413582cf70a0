package rows

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// A Mapper maps samples of length Inputs to vectors of length Dim.
type Mapper interface {
	Inputs() int
	Dim() int
	TransformSample(dst, x []float64) []float64
}

// Transform implements the method Transform of a map of package pkg: it sets the rows of dst
// to the images of the rows of X and returns dst. If Dim is 0 and dst nil, it returns an
// empty matrix.
func Transform(pkg string, m Mapper, dst *mat.Dense, X mat.Matrix) *mat.Dense {
	n, _, row := Of(X)
	dst = Images(pkg, m, dst, n)
	if m.Dim() == 0 {
		return dst
	}
	for i := range n {
		m.TransformSample(dst.RawRowView(i), row(i))
	}
	return dst
}

// Images checks the destination of n images and returns it, a new matrix if dst is nil. It is
// empty if Dim is 0.
func Images(pkg string, m Mapper, dst *mat.Dense, n int) *mat.Dense {
	if n == 0 {
		panic(pkg + ": X has no rows")
	}
	if dst == nil {
		if m.Dim() == 0 {
			return new(mat.Dense)
		}
		dst = NewDense(n, m.Dim())
	}
	if r, c := dst.Dims(); r != n || c != m.Dim() {
		panic(pkg + ": dst does not have one row for each row of X and one column for each component")
	}
	return dst
}

// Mapped checks the arguments of the method TransformSample of a map of package pkg and
// returns dst, a new slice if dst is nil.
func Mapped(pkg string, m Mapper, dst, x []float64) []float64 {
	if len(x) != m.Inputs() {
		panic(fmt.Sprintf("%s: len(x) = %d, want %d, the length of the samples the map was made for", pkg, len(x), m.Inputs()))
	}
	if dst == nil {
		dst = make([]float64, m.Dim())
	}
	if len(dst) != m.Dim() {
		panic(fmt.Sprintf("%s: len(dst) = %d, want %d, one element for each component of the map", pkg, len(dst), m.Dim()))
	}
	return dst
}
