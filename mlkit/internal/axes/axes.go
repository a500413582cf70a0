// Package axes finds the principal axes of samples, and moves samples next to the origin, where
// their squares and inner products lose no digits to a common offset.
package axes

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
)

// Principal are the principal axes of samples.
type Principal struct {
	Mean       []float64   // the mean of the rows of X
	Directions [][]float64 // orthonormal, those of the largest values first
	Values     []float64   // λ > 0 of each, the sum of the squared components of the centred samples
	Total      float64     // the sum of all λ
}

var errOverflow = errors.New("a sum of squares of X overflows, want smaller numbers; scale X")

// Find returns up to count axes of the samples x + shift for the rows x of X (n×d), which
// must lie near the origin: see Near. A nil shift is 0. With the centred samples
// X̃, the n×n matrix X̃X̃ᵀ and the d×d matrix X̃ᵀX̃ have the same eigenvalues λ > 0. Their
// eigenvectors v and u form pairs:
//
//	X̃u = √λ v    X̃ᵀv = √λ u
//
// (Christopher Bishop, Pattern Recognition and Machine Learning, 2006, section 12.1.4).
// Find decomposes the smaller matrix. It leaves out axes within rounding error: those
// with λ ≤ max(10⁻¹²λ₁, mε‖A‖∞), where A is that m×m matrix, and those along which the
// samples vary by no more than their own rounding error. There is none if the samples do
// not differ.
//
// The error is the context's, or says that X is too large, or that its squares overflow
// or underflow.
func Find(ctx context.Context, X *mat.Dense, shift []float64, count int) (*Principal, error) {
	n, d := X.Dims()
	if min(n, d) > most {
		return nil, fmt.Errorf("the smaller side of X (%d×%d) is %d, want at most %d", n, d, min(n, d), most)
	}
	mean, centred, exponent, err := centre(ctx, X)
	if err != nil {
		return nil, err
	}
	vary := centred // its rows are those of X̃, or if there are fewer samples than columns, of X̃ᵀ
	if n <= d {
		vary = mat.DenseCopyOf(centred.T())
	}
	m := min(n, d)
	A, err := gram.Outer(ctx, max(n, d), m, gram.SameReader(vary.RawRowView), false)
	if err != nil {
		return nil, err
	}
	norm, err := eigen.NormInf(ctx, A)
	if err != nil {
		return nil, err
	}
	values, vectors, err := eigen.LargestOf(ctx, A, count)
	if err != nil {
		return nil, err
	}
	a := &Principal{Mean: mean, Total: math.Ldexp(A.Trace(), 2*exponent)}
	if !check.Finite(a.Total) {
		return nil, errOverflow
	}
	const least = 0x1p-1022 // the smallest normal float64: smaller numbers lose digits
	if values[0] > 0 && math.Ldexp(values[0], 2*exponent) < least {
		return nil, fmt.Errorf("the squares of X, whose rows differ by no more than %v, underflow, want larger numbers; scale X", math.Ldexp(2, exponent))
	}
	rounding := roundings(X, shift)
	for c, λ := range values {
		value := math.Ldexp(λ, 2*exponent)
		if λ <= eigen.Noise(values[0], m, norm) || value < least {
			break
		}
		u := vectors[c]
		if n <= d {
			if u, err = along(ctx, centred, u); err != nil {
				return nil, err
			}
		}
		a.orthogonalise(u)
		own := 0.0
		for j, e := range rounding {
			own += math.Abs(u[j]) * e
		}
		if math.Sqrt(value) <= own {
			break
		}
		a.Values = append(a.Values, value)
		a.Directions = append(a.Directions, u)
	}
	return a, nil
}

// most is the largest order of a matrix to decompose: 8 GiB.
const most = 1 << 15

// centre returns the mean of the rows of X, and X minus the mean, divided by
// 2^exponent. The power makes the largest element about 1, so squares neither overflow
// nor underflow. The error is the context's or errOverflow.
func centre(ctx context.Context, X *mat.Dense) (mean []float64, centred *mat.Dense, exponent int, err error) {
	n, d := X.Dims()
	mean, centred = make([]float64, d), rows.NewDense(n, d)
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
	// In two steps, since 2^-exponent may overflow.
	first, second := math.Ldexp(1, -exponent/2), math.Ldexp(1, exponent/2-exponent)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, nil, 0, err
		}
		row := centred.RawRowView(i)
		floats.Scale(first, row)
		floats.Scale(second, row)
	}
	return mean, centred, exponent, nil
}

// roundings returns bounds for the norms of the rounding errors in the columns of the
// samples x + shift.
func roundings(X *mat.Dense, shift []float64) []float64 {
	n, d := X.Dims()
	r := make([]float64, d)
	for i := range n {
		for j, v := range X.RawRowView(i) {
			if shift != nil {
				v += shift[j]
			}
			r[j] = max(r[j], math.Abs(v))
		}
	}
	floats.Scale(rows.Epsilon/2*math.Sqrt(float64(n)), r)
	return r
}

// along returns X̃ᵀv, which has the direction of the axis u. The only error is the
// context's.
func along(ctx context.Context, centred *mat.Dense, v []float64) ([]float64, error) {
	_, d := centred.Dims()
	u := make([]float64, d)
	for i, c := range v {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		floats.AddScaled(u, c, centred.RawRowView(i))
	}
	return u, nil
}

// orthogonalise makes u orthogonal to the directions so far and scales it to length 1.
// Otherwise the rounding error in u along a larger component would cost digits in
// proportion to that component.
func (a *Principal) orthogonalise(u []float64) {
	floats.Scale(1/floats.Norm(u, 2), u)
	for _, before := range a.Directions {
		floats.AddScaled(u, -floats.Dot(before, u), before)
	}
	floats.Scale(1/floats.Norm(u, 2), u)
}
