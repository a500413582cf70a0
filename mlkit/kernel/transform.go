package kernel

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

// A transformer maps samples to vectors of length Dim.
type transformer interface {
	Dim() int
	TransformSample(dst, x []float64) []float64
}

// transform implements Transform for any transformer. If Dim is 0 and dst nil, it returns
// an empty matrix.
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

// mapped checks the arguments of a map from features to dim numbers and returns dst, a
// new slice if dst is nil.
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
