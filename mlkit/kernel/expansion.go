package kernel

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
)

// Expansion is a function that is a weighted sum of kernels at samples,
//
//	f(x) = Σ aᵢ k(xᵢ, x) + b
//
// which is w·φ(x) + b with w = Σ aᵢφ(xᵢ): a hyperplane in the space of φ that needs
// φ nowhere (CMU, "Kernelizing the perceptron algorithm"). If there is a Shift, it is
// subtracted from x first.
//
// It is a part of models, which check it when they are decoded; alone it is decoded as any
// struct.
type Expansion struct {
	Kernel Any       `json:"kernel"`
	X      Matrix    `json:"x"`     // the samples xᵢ less Shift, one a row
	Shift  []float64 `json:"shift"` // d numbers, or nil for none
	Coef   []float64 `json:"coef"`  // aᵢ, one for each row of X
	B      float64   `json:"b"`     // b
}

// Score returns f(x). It panics unless x is as long as a row of X.
func (e *Expansion) Score(x []float64) float64 {
	if len(x) != e.X.Cols {
		panic("kernel: x is not as long as a row of the model's X")
	}
	return e.score(make([]float64, len(e.Coef)), relativeTo(e.Shift, x), e.X.Dense())
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

// Scores of many samples are evaluated together from these numbers of samples and of
// terms on, as those of package svm. With less it takes no time, and the bits are Score's.
const (
	scoresTogether = 8
	termsTogether  = 1000
)

// Scores sets dst[i] to f of row i of X (n×d) and returns dst, a new slice if dst is
// nil. It panics unless X has the right number of columns, and dst one element a
// row.
//
// It is Score row by row, to the bit. From 8 rows and 1000 terms on, Linear, Polynomial
// and RBF are evaluated together by all processors, whose number makes no difference:
// then it differs from Score by the rounding of the sum and of inner products, for RBF
// those in ‖xᵢ‖² + ‖x‖² - 2xᵢ·x.
func (e *Expansion) Scores(dst []float64, X mat.Matrix) []float64 {
	if e.Shift != nil {
		centred := *e
		centred.Shift = nil
		return centred.Scores(dst, e.relative(X))
	}
	n, _, row := rows.Of(X)
	dst = sized(dst, n)
	f, ok := OfProducts(e.Kernel.Kernel)
	if ok && n >= scoresTogether && len(e.Coef) >= termsTogether {
		e.scoresTogether(dst, gram.Function(f), X)
		return dst
	}
	buf, samples := make([]float64, len(e.Coef)), e.X.Dense()
	for i := range dst {
		dst[i] = e.score(buf, row(i), samples)
	}
	return dst
}

// relative returns X less the shift.
func (e *Expansion) relative(X mat.Matrix) *mat.Dense {
	moved := mat.DenseCopyOf(X)
	n, d := moved.Dims()
	if d != e.X.Cols {
		panic("kernel: x is not as long as a row of the model's X")
	}
	for i := range n {
		floats.Sub(moved.RawRowView(i), e.Shift)
	}
	return moved
}

// scoresTogether is Scores, by tiles.
func (e *Expansion) scoresTogether(dst []float64, f gram.Function, X mat.Matrix) {
	dense, ok := X.(*mat.Dense) // whose rows several goroutines may read at once
	if !ok {
		dense = mat.DenseCopyOf(X)
	}
	if _, d := dense.Dims(); d != e.X.Cols {
		panic("kernel: x is not as long as a row of the model's X")
	}
	ctx := early.Never{} // and there is no error but that of its end
	var shift []float64
	if f.Gauss {
		shift, _ = gram.Shift(ctx, f, e.X.Rows, e.X.Cols, e.X.Row)
	}
	samples, terms := make([][]float64, len(e.Coef)), make([][]gram.Term, len(e.Coef))
	all := make([]gram.Term, len(e.Coef))
	for i, a := range e.Coef {
		all[i] = gram.Term{Coef: a}
		samples[i], terms[i] = e.X.Row(i), all[i:i+1]
	}
	clear(dst)
	_ = gram.Sums(ctx, [][]float64{dst}, f, samples, terms, len(dst), dense.RawRowView, shift, nil)
	for i := range dst {
		if dst[i] += e.B; !finite(dst[i]) {
			dst[i] = e.Score(dense.RawRowView(i)) // squares have overflowed, the difference may not
		}
	}
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
