package kernelised

import (
	"context"
	"math"
	"slices"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/kernel"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// invariant reports whether distances and centred inner products of images stay the same
// when all samples are shifted by the same vector. The origin of such a kernel may be
// moved to where rounding errors are smallest: next to the samples.
func invariant(k kernel.Kernel) bool {
	switch k := k.(type) {
	case kernel.Linear:
		return true
	case kernel.Polynomial:
		f, _ := kernel.OfProducts(k)
		return f.Degree == 1 // γ x·z + c; centring removes c
	case kernel.Sum:
		return all(k, invariant)
	case kernel.Scaled:
		return invariant(kernel.OrLinear(k.Kernel))
	case kernel.Any:
		return invariant(k.Kernel)
	}
	return ofDifferences(k)
}

// ofDifferences reports whether k is a function of x - z only, so that moving the origin
// has no effect at all.
func ofDifferences(k kernel.Kernel) bool {
	switch k := k.(type) {
	case kernel.RBF, kernel.Laplace:
		return true
	case kernel.Sum:
		return all(k, ofDifferences)
	case kernel.Product:
		return all(k, ofDifferences)
	case kernel.Scaled:
		return ofDifferences(kernel.OrLinear(k.Kernel))
	case kernel.Any:
		return ofDifferences(k.Kernel)
	}
	return false
}

func all(ks []kernel.Kernel, is func(kernel.Kernel) bool) bool {
	for _, k := range ks {
		if !is(k) {
			return false
		}
	}
	return true
}

// nearby returns a point near the mean of the rows of X that can be subtracted from them
// without rounding. It returns nil if k is not invariant, or is a function of
// differences, or if X needs no shift. The only error is the context's.
//
// Each coordinate is a multiple of a power of two between 1/16 and 1/8 of the column's
// spread. The differences then need no more digits than the elements of X, and the
// remaining offset is so small that squares lose no precision to it.
func nearby(ctx context.Context, k kernel.Kernel, X *mat.Dense) ([]float64, error) {
	if !invariant(k) || ofDifferences(k) {
		return nil, nil
	}
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

// relative returns X with shift subtracted from each row, or X itself if shift is nil.
// The only error is the context's.
func relative(ctx context.Context, X *mat.Dense, shift []float64) (*mat.Dense, error) {
	if shift == nil {
		return X, nil
	}
	n, d := X.Dims()
	moved := mat.NewDense(n, d, nil)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		floats.SubTo(moved.RawRowView(i), X.RawRowView(i), shift)
	}
	return moved, nil
}

// relativeTo returns x - shift as a new slice, or x itself if shift is nil.
func relativeTo(shift, x []float64) []float64 {
	if shift == nil {
		return x
	}
	return floats.SubTo(make([]float64, len(x)), x, shift)
}
