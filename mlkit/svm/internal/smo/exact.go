package smo

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
)

// exact has the rows of any kernel in float64. The passes over them are Second and Update.
//
// Rows and diagonal come from the same function. If they were rounded differently,
// Kᵢᵢ + Kⱼⱼ - 2Kᵢⱼ would contradict the change of the gradient, and the optimisation
// might never end (LIBSVM issue 225).
type exact struct {
	kernel kernel.Kernel
	X      *mat.Dense
	rows   []int // the numbers of the samples in errors; nil means 0, 1, …
	cache  *rowCache[float64]
}

func newExact(k kernel.Kernel, X *mat.Dense, bytes int64) *exact {
	n, _ := X.Dims()
	return &exact{kernel: k, X: X, cache: newRowCache[float64](n, n, 8, bytes, nil)}
}

func (r *exact) optimise(ctx work.Ender, d *Dual) (Ending, error) { return Optimise(ctx, d, r) }

// Row returns row i, which the caller must not modify.
func (r *exact) Row(ctx work.Ender, i int) ([]float64, error) {
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

func (r *exact) Second(d *Dual, i int, Ki []float64) int { return Second(d, i, Ki) }

func (r *exact) Update(d *Dual, s Step, Ki, Kj []float64) (i int, m, M float64) {
	return Update(d, s, Ki, Kj)
}

// evaluate sets dst to row i. It checks ctx every few milliseconds.
func (r *exact) evaluate(ctx work.Ender, dst []float64, i int) error {
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
		if !check.Finite(v) {
			return r.notFinite(i, j, v)
		}
	}
	return nil
}

// diagonal returns the diagonal of the Gram matrix.
func (r *exact) diagonal(ctx work.Ender) ([]float64, error) {
	n, _ := r.X.Dims()
	diag := make([]float64, n)
	for i := range diag {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x := r.X.RawRowView(i)
		diag[i] = r.kernel.Eval(x, x)
		if !check.Finite(diag[i]) {
			return nil, r.notFinite(i, i, diag[i])
		}
	}
	return diag, nil
}

// gradient evaluates g from its definition.
func (r *exact) gradient(ctx work.Ender, d *Dual) error {
	sum := make([]float64, len(d.G))
	for i, a := range d.Alpha {
		if a == 0 {
			continue
		}
		Ki, err := r.Row(ctx, i)
		if err != nil {
			return err
		}
		floats.AddScaled(sum, a*d.Y[i], Ki)
	}
	floats.SubTo(d.G, d.Y, sum)
	return nil
}

func (r *exact) notFinite(i, j int, v float64) error {
	return fmt.Errorf("svm: k(X[%d], X[%d]) = %v, want a finite number; scale X to smaller numbers", rows.Number(i, r.rows), rows.Number(j, r.rows), v)
}
