package kernel

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

// A transformer maps samples to samples of dimension Dim.
type transformer interface {
	Dim() int
	TransformSample(dst, x []float64) []float64
}

// transform is Transform of any of them. Without components there are no numbers to
// return: the new matrix is then empty.
func transform(m transformer, dst *mat.Dense, X mat.Matrix) *mat.Dense {
	n, _, row := rows.Of(X)
	if n == 0 {
		panic("kernel: X has no rows")
	}
	if dst == nil {
		if m.Dim() == 0 {
			return new(mat.Dense)
		}
		dst = mat.NewDense(n, m.Dim(), nil)
	}
	if r, c := dst.Dims(); r != n || c != m.Dim() {
		panic("kernel: dst does not have one row for each row of X and one column for each component")
	}
	for i := range n {
		m.TransformSample(dst.RawRowView(i), row(i))
	}
	return dst
}

// mapped checks the arguments of a map of features to dim components and returns
// dst, a new slice if it is nil.
func mapped(dst, x []float64, dim, features int) []float64 {
	if len(x) != features {
		panic("kernel: x does not have the length of the samples the map was made for")
	}
	if dst == nil {
		dst = make([]float64, dim)
	}
	if len(dst) != dim {
		panic("kernel: dst does not have one element for each component of the map")
	}
	return dst
}
