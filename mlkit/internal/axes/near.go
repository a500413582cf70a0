package axes

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// Near returns a point near the mean of the rows of X that can be subtracted from them
// without rounding, or nil if X needs no shift. The only error is the context's.
//
// Each coordinate is a multiple of a power of two between 1/16 and 1/8 of the column's
// spread. The differences then need no more digits than the elements of X, and the
// remaining offset is so small that squares lose no precision to it.
func Near(ctx context.Context, X *mat.Dense) ([]float64, error) {
	n, d := X.Dims()
	first := X.RawRowView(0)
	least, most, mean := slices.Clone(first), slices.Clone(first), make([]float64, d)
	for i := 1; i < n; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j, v := range X.RawRowView(i) {
			least[j], most[j] = min(least[j], v), max(most[j], v)
			mean[j] += (v - first[j]) * (1 / float64(n)) // relative to the first, as the spread may be in the last digits only
		}
	}
	shift, needed := make([]float64, d), false
	for j := range shift {
		spread := most[j] - least[j]
		_, exponent := math.Frexp(spread)
		unit := math.Ldexp(1, exponent-4)
		if shift[j] = math.Round((first[j]+mean[j])/unit) * unit; spread == 0 {
			shift[j] = first[j]
		}
		if !check.Finite(spread) || !check.Finite(shift[j]) {
			shift[j] = 0 // an overflow here also occurs in the kernel, which reports it
		}
		needed = needed || shift[j] != 0
	}
	if !needed {
		return nil, nil
	}
	return shift, nil
}

// Relative returns X with shift subtracted from each row, or X itself if shift is nil.
// The only error is the context's.
func Relative(ctx context.Context, X *mat.Dense, shift []float64) (*mat.Dense, error) {
	if shift == nil {
		return X, nil
	}
	n, d := X.Dims()
	moved := rows.NewDense(n, d)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		floats.SubTo(moved.RawRowView(i), X.RawRowView(i), shift)
	}
	return moved, nil
}
