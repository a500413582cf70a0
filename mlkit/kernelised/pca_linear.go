package kernelised

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/gram"
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

var errOverflow = errors.New("kernelised: PCA: a sum of squares of X overflows, want smaller numbers; scale X")

// fitLinear is fit for the linear kernel, whose images are the samples themselves. With
// the centred samples X̃, the n×n matrix X̃X̃ᵀ and the d×d matrix X̃ᵀX̃ have the same
// eigenvalues λ > 0. Their eigenvectors v and u form pairs:
//
//	X̃u = √λ v    X̃ᵀv = √λ u
//
// (Christopher Bishop, Pattern Recognition and Machine Learning, 2006, section 12.1.4).
// fitLinear decomposes the smaller matrix. X has already been shifted.
func (p PCA) fitLinear(ctx context.Context, X *mat.Dense, shift []float64) (*PCAModel, error) {
	n, d := X.Dims()
	mean, centred, exponent, err := centredSamples(ctx, X)
	if err != nil {
		return nil, err
	}
	var A *mat.SymDense
	if d < n {
		A, err = gram.Outer(ctx, n, d, centred.RawRowView, false)
	} else {
		A, err = kernel.GramContext(ctx, kernel.Linear{}, centred)
	}
	if err != nil {
		return nil, err
	}
	norm, err := eigen.NormInf(ctx, A)
	if err != nil {
		return nil, err
	}
	values, vectors, err := eigen.LargestOf(ctx, A, p.Components)
	if err != nil {
		return nil, fmt.Errorf("kernelised: PCA: %w", err)
	}
	m := &PCAModel{
		Kernel: kernel.Any{Kernel: p.Kernel}, X: copyOf(X), Shift: shift, Mean: mean,
		Centering: kernel.Centering{Means: make([]float64, n), Mean: floats.Dot(mean, mean)},
		Total:     math.Ldexp(A.Trace(), 2*exponent),
	}
	for i := range n {
		m.Centering.Means[i] = floats.Dot(mean, X.RawRowView(i))
	}
	if !check.Finite(m.Total) || !check.Finite(m.Centering.Mean) || !check.Finite(floats.Norm(m.Centering.Means, 1)) {
		return nil, errOverflow
	}
	const least = 0x1p-1022 // the smallest normal float64: smaller numbers lose digits
	if values[0] > 0 && math.Ldexp(values[0], 2*exponent) < least {
		return nil, fmt.Errorf("kernelised: PCA: the squares of X, whose rows differ by no more than %v, underflow, want larger numbers; scale X", math.Ldexp(2, exponent))
	}
	for c, λ := range values {
		value := math.Ldexp(λ, 2*exponent)
		if λ <= noise(values[0], n, norm) || value < least {
			break
		}
		u, v, err := pair(ctx, centred, vectors[c], math.Sqrt(λ))
		if err != nil {
			return nil, err
		}
		m.orthogonalise(u)
		m.Values = append(m.Values, value)
		m.Directions.Data = append(m.Directions.Data, u...)
		m.Vectors.Data = append(m.Vectors.Data, floats.ScaleTo(v, 1/math.Sqrt(value), v)...)
	}
	m.Directions.Rows, m.Directions.Cols = len(m.Values), d
	return m, nil
}

// centredSamples returns the mean of the rows of X, and X minus the mean, divided by
// 2^exponent. The power makes the largest element about 1, so squares neither overflow
// nor underflow. The error is the context's or errOverflow.
func centredSamples(ctx context.Context, X *mat.Dense) (mean []float64, centred *mat.Dense, exponent int, err error) {
	n, d := X.Dims()
	mean, centred = make([]float64, d), mat.NewDense(n, d, nil)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, nil, 0, err
		}
		floats.AddScaled(mean, 1/float64(n), X.RawRowView(i)) // scaled first, since the sum may overflow
	}
	largest := 0.0
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, nil, 0, err
		}
		row := floats.SubTo(centred.RawRowView(i), X.RawRowView(i), mean)
		largest = max(largest, floats.Norm(row, math.Inf(1)))
	}
	if !check.Finite(largest) {
		return nil, nil, 0, errOverflow
	}
	_, exponent = math.Frexp(largest)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, nil, 0, err
		}
		row := centred.RawRowView(i)
		for j, v := range row {
			row[j] = math.Ldexp(v, -exponent)
		}
	}
	return mean, centred, exponent, nil
}

// pair returns matching eigenvectors u of X̃ᵀX̃ and v of X̃X̃ᵀ, computed from the given
// one, with the sign that eigen.Orient gives v. root is √λ. The only error is the
// context's.
func pair(ctx context.Context, X *mat.Dense, given []float64, root float64) (u, v []float64, err error) {
	n, d := X.Dims()
	u, v = given, given
	if d < n {
		v = make([]float64, n)
	} else {
		u = make([]float64, d)
	}
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if d < n {
			v[i] = floats.Dot(X.RawRowView(i), u) / root
		} else {
			floats.AddScaled(u, v[i]/root, X.RawRowView(i))
		}
	}
	before := slices.Clone(v)
	if eigen.Orient(v); floats.Dot(before, v) < 0 {
		floats.Scale(-1, u)
	}
	return u, v, nil
}

// orthogonalise makes u orthogonal to the directions so far and scales it to length 1.
// Otherwise the rounding error in u along a larger component would cost digits in
// proportion to that component.
func (m *PCAModel) orthogonalise(u []float64) {
	d := len(u)
	for from := 0; from < len(m.Directions.Data); from += d {
		before := m.Directions.Data[from : from+d]
		floats.AddScaled(u, -floats.Dot(before, u), before)
	}
	floats.Scale(1/floats.Norm(u, 2), u)
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
