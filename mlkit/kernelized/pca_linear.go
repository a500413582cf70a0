package kernelized

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/axes"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/kernel"
)

// isLinear reports whether k is Linear.
func isLinear(k kernel.Kernel) bool {
	if a, ok := k.(kernel.Any); ok {
		return isLinear(a.Kernel)
	}
	_, ok := k.(kernel.Linear)
	return ok
}

var errOverflow = errors.New("kernelized: PCA: a sum of squares of X overflows, want smaller numbers; scale X")

// fitLinear is fit for the linear kernel, whose images are the samples themselves: the
// components are those along the principal axes u of the samples. The eigenvector of the
// centred Gram matrix is v = X̃u/√λ. X has already been shifted.
func (p PCA) fitLinear(ctx context.Context, X *mat.Dense, shift []float64) (*PCAModel, error) {
	axes, err := axes.Find(ctx, X, shift, p.Components)
	if err != nil {
		return nil, fmt.Errorf("kernelized: PCA: %w", err)
	}
	n, d := X.Dims()
	m := &PCAModel{
		Kernel: kernel.Any{Kernel: p.Kernel}, X: copyOf(X), Shift: shift, Mean: axes.Mean,
		Centering:   kernel.Centering{Means: make([]float64, n), Mean: floats.Dot(axes.Mean, axes.Mean)},
		Eigenvalues: axes.Values, Total: axes.Total,
		Directions: Matrix{Rows: len(axes.Values), Cols: d},
	}
	for i := range n {
		m.Centering.Means[i] = floats.Dot(axes.Mean, X.RawRowView(i))
	}
	if !check.Finite(m.Centering.Mean) || !check.Finite(floats.Norm(m.Centering.Means, 1)) {
		return nil, errOverflow
	}
	centred := make([]float64, d)
	for c, u := range axes.Directions {
		v, root := make([]float64, n), math.Sqrt(axes.Values[c])
		for i := range n {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			v[i] = floats.Dot(floats.SubTo(centred, X.RawRowView(i), axes.Mean), u) / root / root
		}
		before := slices.Clone(v)
		if eigen.Orient(v); floats.Dot(before, v) < 0 {
			floats.Scale(-1, u)
		}
		m.Directions.Data = append(m.Directions.Data, u...)
		m.Eigenvectors.Data = append(m.Eigenvectors.Data, v...)
	}
	return m, nil
}

// project sets dst to the components of x.
func (m *PCAModel) project(dst, x []float64) {
	x = slices.Clone(x)
	if m.Shift != nil {
		floats.Sub(x, m.Shift)
	}
	floats.Sub(x, m.Mean)
	for c := range dst {
		dst[c] = floats.Dot(m.Directions.Row(c), x)
	}
}
