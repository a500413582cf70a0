package svm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/kernel"
)

// exactRows evaluates and caches float64 rows of the Gram matrix of any kernel.
//
// Rows and diagonal come from the same function. If they were rounded differently,
// Kᵢᵢ + Kⱼⱼ - 2Kᵢⱼ would contradict the change of the gradient, and the optimisation
// might never end (LIBSVM issue 225).
type exactRows struct {
	kernel kernel.Kernel
	X      *mat.Dense
	cache  *rowCache[float64]
}

func newExactRows(k kernel.Kernel, X *mat.Dense, bytes int64) *exactRows {
	n, _ := X.Dims()
	return &exactRows{kernel: k, X: X, cache: newRowCache[float64](n, n, 8, bytes, nil)}
}

// row returns row i of the Gram matrix, which the caller must not modify. It is valid
// until row has been called for two other rows.
func (r *exactRows) row(ctx early.Ender, i int) ([]float64, error) {
	if row := r.cache.get(i); row != nil {
		return row, nil
	}
	row := r.cache.put(i)
	if err := r.evaluate(ctx, row, i); err != nil {
		r.cache.drop(i)
		return nil, err
	}
	return row, nil
}

// evaluate sets dst to row i. It checks ctx every few milliseconds.
func (r *exactRows) evaluate(ctx early.Ender, dst []float64, i int) error {
	n, d := r.X.Dims()
	x := r.X.RawRowView(i)
	chunk := 1 + (1<<20)/(d+16)
	for from := 0; from < n; from += chunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(n, from+chunk)
		kernel.Row(dst[from:to], r.kernel, x, r.X.Slice(from, to, 0, d).(*mat.Dense))
	}
	for j, v := range dst {
		if !finite(v) {
			return notFinite(i, j, v)
		}
	}
	return nil
}

// diagonal returns the diagonal of the Gram matrix.
func (r *exactRows) diagonal(ctx early.Ender) ([]float64, error) {
	n, _ := r.X.Dims()
	diag := make([]float64, n)
	for i := range diag {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x := r.X.RawRowView(i)
		diag[i] = r.kernel.Eval(x, x)
		if !finite(diag[i]) {
			return nil, notFinite(i, i, diag[i])
		}
	}
	return diag, nil
}

func notFinite(i, j int, v float64) error {
	return fmt.Errorf("svm: k(X[%d], X[%d]) = %v, want a finite number; scale X to smaller numbers", i, j, v)
}

// finite reports whether v is neither NaN nor ±Inf.
func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
