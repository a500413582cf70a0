package kernel

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

// Expansion is a function that is a weighted sum of kernels at samples,
//
//	f(x) = Σ aᵢ k(xᵢ, x) + b
//
// which is w·φ(x) + b with w = Σ aᵢφ(xᵢ): a hyperplane in the space of φ that needs
// φ nowhere (CMU, "Kernelizing the perceptron algorithm").
type Expansion struct {
	Kernel Any       `json:"kernel"`
	X      Matrix    `json:"x"`    // the samples xᵢ, one a row
	Coef   []float64 `json:"coef"` // aᵢ, one for each row of X
	B      float64   `json:"b"`    // b
}

// Score returns f(x). It panics unless x is as long as a row of X.
func (e *Expansion) Score(x []float64) float64 {
	return e.score(make([]float64, len(e.Coef)), x, e.X.Dense())
}

func (e *Expansion) score(buf, x []float64, X *mat.Dense) float64 {
	if len(x) != e.X.Cols {
		panic("kernel: x is not as long as a row of the model's X")
	}
	if len(e.Coef) == 0 {
		return e.B
	}
	return floats.Dot(e.Coef, Row(buf, e.Kernel.Kernel, x, X)) + e.B
}

// Scores sets dst[i] to f of row i of X (n×d) and returns dst, a new slice if dst is
// nil. It panics unless X has the right number of columns, and dst one element a
// row.
func (e *Expansion) Scores(dst []float64, X mat.Matrix) []float64 {
	n, _, row := rows.Of(X)
	dst = sized(dst, n)
	buf, samples := make([]float64, len(e.Coef)), e.X.Dense()
	for i := range dst {
		dst[i] = e.score(buf, row(i), samples)
	}
	return dst
}

// sized returns dst, a new slice of length n if it is nil, and panics if it has
// another length.
func sized[T any](dst []T, n int) []T {
	if dst == nil {
		dst = make([]T, n)
	}
	if len(dst) != n {
		panic("kernel: dst does not have one element for each row of X")
	}
	return dst
}
