package gram

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

// Factor is the Cholesky factorisation A = UᵀU of a positive definite matrix, U upper
// triangular. mat.Cholesky takes seconds for a few thousand samples and cannot be
// interrupted. This one works tile by tile and checks its context before each tile. For
// SymmetricFrom samples or more it delegates to Cholesky.
type Factor struct {
	u    blas64.General // only the upper triangle is used
	many *Cholesky      // if not nil, used instead of u
}

// tile is the order of a tile; a tile takes at most a few milliseconds.
const tile = 64

// NewFactor factorises K + shift·I. It returns ok = false if the matrix is not positive
// definite, and the context's error soon after ctx is done.
func NewFactor(ctx context.Context, K *mat.SymDense, shift float64) (c *Factor, ok bool, err error) {
	raw := K.RawSymmetric()
	n := raw.N
	if n >= SymmetricFrom {
		many, ok, err := NewCholesky(ctx, K, shift)
		return &Factor{many: many}, ok, err
	}
	c = &Factor{u: blas64.General{Rows: n, Cols: n, Stride: n, Data: rows.Large[float64](n * n)}}
	for i := range n {
		copy(c.u.Data[i*n+i:(i+1)*n], raw.Data[i*raw.Stride+i:])
		c.u.Data[i*n+i] += shift
	}
	for k := 0; k < n; k += tile {
		rows := min(tile, n-k)
		diagonal := c.part(k, k, rows, rows)
		for j := k; j < n; j += tile {
			if err := ctx.Err(); err != nil {
				return nil, false, err
			}
			cols := min(tile, n-j)
			target := c.part(k, j, rows, cols)
			// Aₖⱼ ← Aₖⱼ - Σ UₚₖᵀUₚⱼ over the tiles p above
			if k > 0 {
				blas64.Gemm(blas.Trans, blas.NoTrans, -1, c.part(0, k, k, rows), c.part(0, j, k, cols), 1, target)
			}
			triangle := blas64.Triangular{N: rows, Stride: diagonal.Stride, Data: diagonal.Data, Uplo: blas.Upper, Diag: blas.NonUnit}
			if j > k {
				// Uₖⱼ = Uₖₖ⁻ᵀAₖⱼ
				blas64.Trsm(blas.Left, blas.Trans, 1, triangle, target)
				continue
			}
			symmetric := blas64.Symmetric{N: rows, Stride: diagonal.Stride, Data: diagonal.Data, Uplo: blas.Upper}
			if _, ok := lapack64.Potrf(symmetric); !ok {
				return nil, false, nil
			}
		}
	}
	return c, true, nil
}

// part returns a view of the rows×cols block at (i, j).
func (c *Factor) part(i, j, rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: c.u.Stride, Data: c.u.Data[i*c.u.Stride+j:]}
}

// Solve overwrites b with A⁻¹b. It reads U twice, at about 20 ms each for 5000 samples.
func (c *Factor) Solve(b []float64) {
	if c.many != nil {
		c.many.Solve(b)
		return
	}
	triangle := blas64.Triangular{N: c.u.Rows, Stride: c.u.Stride, Data: c.u.Data, Uplo: blas.Upper, Diag: blas.NonUnit}
	v := blas64.Vector{N: len(b), Data: b, Inc: 1}
	blas64.Trsv(blas.Trans, triangle, v)
	blas64.Trsv(blas.NoTrans, triangle, v)
}
