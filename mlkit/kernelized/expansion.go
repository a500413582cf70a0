package kernelized

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
)

// Expansion is a kernel expansion, a weighted sum over samples xᵢ,
//
//	f(x) = Σ aᵢ k(xᵢ, x) + b
//
// It equals w·φ(x) + b with w = Σ aᵢφ(xᵢ): a hyperplane in the space of φ, evaluated
// without φ (CMU, "Kernelizing the perceptron algorithm"). Shift, if any, is subtracted
// from x first.
//
// Expansion is part of models, which check it when they are decoded. Decoded alone it is
// not checked.
type Expansion struct {
	Kernel kernel.Any `json:"kernel"`
	X      Matrix     `json:"x"`     // the samples xᵢ minus Shift, one per row
	Shift  []float64  `json:"shift"` // d numbers, or nil for none
	Coef   []float64  `json:"coef"`  // aᵢ, one for each row of X
	B      float64    `json:"b"`     // b
}

// Score returns f(x). It panics unless x is as long as a row of X.
func (e *Expansion) Score(x []float64) float64 {
	if len(x) != e.X.Cols {
		panic("kernelized: x is not as long as a row of the model's X")
	}
	return e.score(make([]float64, len(e.Coef)), relativeTo(e.Shift, x), e.X.Dense())
}

func (e *Expansion) score(buf, x []float64, X *mat.Dense) float64 {
	if len(x) != e.X.Cols {
		panic("kernelized: x is not as long as a row of the model's X")
	}
	if len(e.Coef) == 0 {
		return e.B
	}
	return floats.Dot(e.Coef, kernel.Row(buf, e.Kernel.Kernel, x, X)) + e.B
}

// Scores evaluates many samples at once, like package svm, if there are at least this
// many samples and terms. With fewer, one sample at a time is fast enough and gives
// exactly the bits of Score.
var (
	scoresTogether = 8
	termsTogether  = 1000
)

// Scores sets dst[i] to f of row i of X (n×d) and returns dst, a new slice if dst is nil.
// It panics unless X has d columns and dst one element per row.
//
// It equals Score on each row, bit for bit, except that with 8 rows and 1000 terms or
// more, Linear, Polynomial and RBF are evaluated in blocks on all processors. The result
// then differs from Score by the rounding error of the sum and of the inner products (for
// RBF, of ‖xᵢ‖² + ‖x‖² - 2xᵢ·x). It does not depend on the number of processors.
func (e *Expansion) Scores(dst []float64, X mat.Matrix) []float64 {
	if e.Shift != nil {
		centred := *e
		centred.Shift = nil
		return centred.Scores(dst, e.relative(X))
	}
	n, _, row := rows.Of(X)
	dst = sized(dst, n)
	f, ok := kernel.OfProducts(e.Kernel.Kernel)
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

// relative returns X minus Shift, a copy.
func (e *Expansion) relative(X mat.Matrix) *mat.Dense {
	moved := mat.DenseCopyOf(X)
	n, d := moved.Dims()
	if d != e.X.Cols {
		panic("kernelized: x is not as long as a row of the model's X")
	}
	for i := range n {
		floats.Sub(moved.RawRowView(i), e.Shift)
	}
	return moved
}

// scoresTogether is Scores, computed in tiles.
func (e *Expansion) scoresTogether(dst []float64, f gram.Function, X mat.Matrix) {
	dense, ok := X.(*mat.Dense) // several goroutines may read its rows at once
	if !ok {
		dense = mat.DenseCopyOf(X)
	}
	if _, d := dense.Dims(); d != e.X.Cols {
		panic("kernelized: x is not as long as a row of the model's X")
	}
	ctx := work.Never{} // the only possible error is the context's, so there is none below
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
		if dst[i] += e.B; !check.Finite(dst[i]) {
			dst[i] = e.Score(dense.RawRowView(i)) // the squares overflowed; the difference may not
		}
	}
}

// sized returns dst, a new slice if dst is nil. It panics if its length is not n.
func sized[T any](dst []T, n int) []T {
	if dst == nil {
		dst = make([]T, n)
	}
	if len(dst) != n {
		panic("kernelized: dst does not have one element for each row of X")
	}
	return dst
}
