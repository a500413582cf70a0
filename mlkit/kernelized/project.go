package kernelized

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
)

// projectFrom is the number of products from which many samples are mapped at once: some 10
// ms of them. With fewer, Transform has exactly the bits of TransformSample.
var projectFrom = 1 << 24

// transform is Transform of a map to V·k, where k are the kernels of a sample and the rows of
// samples. centre, unless nil, changes k first.
func transform(m rows.Mapper, dst *mat.Dense, X mat.Matrix, k kernel.Kernel, samples, V Matrix, centre func(k []float64)) *mat.Dense {
	n, d := X.Dims()
	if V.Rows == 0 || d != m.Inputs() || n*V.Rows*V.Cols < projectFrom {
		return rows.Transform("kernelized", m, dst, X)
	}
	dst = rows.Images("kernelized", m, dst, n)
	dense, ok := X.(*mat.Dense) // several goroutines may read its rows at once
	if !ok {
		dense = mat.DenseCopyOf(X)
	}
	p := gram.Projection{V: V.Data, Center: centre}
	for i := range samples.Rows {
		p.Z = append(p.Z, samples.Row(i))
	}
	if f, ok := kernel.OfProducts(k); ok {
		p.F = gram.Function(f)
	} else {
		all := samples.Dense()
		p.Values = func(values, x []float64) { kernel.Row(values, k, x, all) }
	}
	ctx := work.Never{} // the only possible error is the context's, so there is none below
	if p.F.Gauss {
		p.Shift, _ = gram.Shift(ctx, p.F, samples.Rows, samples.Cols, samples.Row)
	}
	_ = p.Apply(ctx, dst.RawRowView, n, dense.RawRowView)
	for i := range n {
		if z := dst.RawRowView(i); !check.AllFinite(z) { // the squares overflowed; the differences may not
			m.TransformSample(z, dense.RawRowView(i))
		}
	}
	return dst
}
