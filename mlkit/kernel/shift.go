package kernel

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A kernel is invariant if distances and centred inner products of images stay the same
// when all samples move by the same vector. Such a kernel may move the origin to where
// rounding costs least: next to the samples.
func invariant(k Kernel) bool {
	switch k := k.(type) {
	case Linear:
		return true
	case Polynomial:
		return k.degree() == 1 // γ x·z + c, whose c centring takes out
	case Sum:
		return all(k, invariant)
	case Scaled:
		return invariant(OrLinear(k.Kernel))
	case Any:
		return invariant(k.Kernel)
	}
	return ofDifferences(k)
}

// ofDifferences reports whether k is a function of x - z, so that it has no use for another
// origin.
func ofDifferences(k Kernel) bool {
	switch k := k.(type) {
	case RBF, Laplace:
		return true
	case Sum:
		return all(k, ofDifferences)
	case Product:
		return all(k, ofDifferences)
	case Scaled:
		return ofDifferences(OrLinear(k.Kernel))
	case Any:
		return ofDifferences(k.Kernel)
	}
	return false
}

func all(ks []Kernel, is func(Kernel) bool) bool {
	for _, k := range ks {
		if !is(k) {
			return false
		}
	}
	return true
}

// nearby returns a point near the mean of the rows of X that their numbers can be taken
// relative to without rounding, or nil: k is not invariant, or has no use for it. The error
// is that of the context.
//
// Each coordinate is a multiple of a power of two, a sixteenth of the spread of its column
// or a little more. The difference is then no longer than the numbers themselves, and their
// offset so small that squares lose nothing to it.
func nearby(ctx context.Context, k Kernel, X *mat.Dense) ([]float64, error) {
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
			mean[j] += (v - first[j]) * (1 / float64(n)) // relative to the first, whose digits may be all there are
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
		if !finite(spread) || !finite(shift[j]) {
			shift[j] = 0 // what overflows here does so in the kernel too, and is reported there
		}
		needed = needed || shift[j] != 0
	}
	if !needed {
		return nil, nil
	}
	return shift, nil
}

// relative returns X with the shift subtracted from each row, X itself if it is nil, or the
// context's error.
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

// relativeTo returns x - shift in a new slice, or x itself if shift is nil.
func relativeTo(shift, x []float64) []float64 {
	if shift == nil {
		return x
	}
	return floats.SubTo(make([]float64, len(x)), x, shift)
}
