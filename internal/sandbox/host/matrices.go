package host

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"marginalia/internal/sandbox/guest/wire"
)

// CheckMatrices has matrices that a guest returns looked at: gonum's functions rely on the
// numbers of rows, columns and elements agreeing.
func CheckMatrices(t *wire.Table) {
	wire.Check(t, func(m mat.Dense) error { return checkGeneral(m.RawMatrix()) })
	wire.Check(t, func(v mat.VecDense) error {
		r := v.RawVector()
		return checkSize("vector", r.N, 1, r.Inc, len(r.Data), r.N == 0 || r.Inc > 0 && (r.N-1)*r.Inc < len(r.Data))
	})
	wire.Check(t, func(m mat.SymDense) error {
		r := m.RawSymmetric()
		return checkGeneral(blas64.General{Rows: r.N, Cols: r.N, Stride: r.Stride, Data: r.Data})
	})
	wire.Check(t, func(m mat.TriDense) error {
		r := m.RawTriangular()
		return checkGeneral(blas64.General{Rows: r.N, Cols: r.N, Stride: r.Stride, Data: r.Data})
	})
	wire.Check(t, func(m mat.DiagDense) error {
		r := m.RawBand()
		return checkSize("diagonal", r.Rows, r.Cols, r.Stride, len(r.Data), r.Rows == r.Cols && r.KL == 0 && r.KU == 0 && (r.Rows == 0 || r.Stride > 0 && (r.Rows-1)*r.Stride < len(r.Data)))
	})
}

func checkGeneral(g blas64.General) error {
	ok := g.Rows == 0 && g.Cols == 0 || g.Rows > 0 && g.Cols > 0 && g.Stride >= g.Cols && (g.Rows-1) <= (len(g.Data)-g.Cols)/g.Stride && len(g.Data) >= g.Cols
	return checkSize("matrix", g.Rows, g.Cols, g.Stride, len(g.Data), ok)
}

func checkSize(what string, rows, cols, stride, n int, ok bool) error {
	if ok {
		return nil
	}
	return fmt.Errorf("judge: a %s of %d×%d elements, stride %d, lies in %d elements", what, rows, cols, stride, n)
}
