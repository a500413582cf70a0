package svm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/kernel"
)

// rowCache evaluates rows of the Gram matrix and keeps those that were used last.
//
// A row is evaluated by the same function as the diagonal, in float64: where the
// two are rounded differently, Kᵢᵢ + Kⱼⱼ - 2Kᵢⱼ contradicts the change of the
// gradient, and the optimisation may never end (LIBSVM issue 225).
type rowCache struct {
	kernel   kernel.Kernel
	X        *mat.Dense
	capacity int         // rows, at least 2
	rows     [][]float64 // nil for those not in the cache
	used     int

	// A ring of the rows in the cache, the one used last first. Its head is the
	// element after the last.
	next, prev []int
}

func newRowCache(k kernel.Kernel, X *mat.Dense, bytes int64) *rowCache {
	n, _ := X.Dims()
	c := &rowCache{
		kernel:   k,
		X:        X,
		capacity: int(min(max(2, bytes/(8*int64(n))), int64(max(2, n)))),
		rows:     make([][]float64, n),
		next:     make([]int, n+1),
		prev:     make([]int, n+1),
	}
	c.next[n], c.prev[n] = n, n
	return c
}

// row returns row i of the Gram matrix, which is not to be changed. It is valid
// until row has been called for two other rows.
func (c *rowCache) row(ctx context.Context, i int) ([]float64, error) {
	head := len(c.rows)
	if row := c.rows[i]; row != nil {
		if c.next[head] != i {
			c.unlink(i)
			c.link(i)
		}
		return row, nil
	}
	var row []float64
	if c.used < c.capacity {
		row = make([]float64, len(c.rows))
		c.used++
	} else {
		oldest := c.prev[head]
		row = c.rows[oldest]
		c.unlink(oldest)
		c.rows[oldest] = nil
	}
	if err := c.evaluate(ctx, row, i); err != nil {
		c.used--
		return nil, err
	}
	c.rows[i] = row
	c.link(i)
	return row, nil
}

// evaluate sets dst to row i. It looks at ctx every few milliseconds.
func (c *rowCache) evaluate(ctx context.Context, dst []float64, i int) error {
	n, d := c.X.Dims()
	x := c.X.RawRowView(i)
	chunk := 1 + (1<<20)/(d+16)
	for from := 0; from < n; from += chunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(n, from+chunk)
		kernel.Row(dst[from:to], c.kernel, x, c.X.Slice(from, to, 0, d).(*mat.Dense))
	}
	for j, v := range dst {
		if !finite(v) {
			return notFinite(i, j, v)
		}
	}
	return nil
}

// diagonal returns the diagonal of the Gram matrix.
func (c *rowCache) diagonal(ctx context.Context) ([]float64, error) {
	diag := make([]float64, len(c.rows))
	for i := range diag {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x := c.X.RawRowView(i)
		diag[i] = c.kernel.Eval(x, x)
		if !finite(diag[i]) {
			return nil, notFinite(i, i, diag[i])
		}
	}
	return diag, nil
}

func (c *rowCache) link(i int) {
	head := len(c.rows)
	first := c.next[head]
	c.next[head], c.prev[i] = i, head
	c.next[i], c.prev[first] = first, i
}

func (c *rowCache) unlink(i int) {
	c.next[c.prev[i]], c.prev[c.next[i]] = c.next[i], c.prev[i]
}

func notFinite(i, j int, v float64) error {
	return fmt.Errorf("svm: k(X[%d], X[%d]) = %v, want a finite number; scale X to smaller numbers", i, j, v)
}

// finite reports whether v is neither NaN nor ±Inf.
func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
