package kernelized

import (
	"context"

	"marginalia/mlkit/internal/axes"
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

// nearby returns axes.Near of X, or nil if k is not invariant or is a function of
// differences. The only error is the context's.
func nearby(ctx context.Context, k kernel.Kernel, X *mat.Dense) ([]float64, error) {
	if !invariant(k) || ofDifferences(k) {
		return nil, nil
	}
	return axes.Near(ctx, X)
}

// relativeTo returns x - shift as a new slice, or x itself if shift is nil.
func relativeTo(shift, x []float64) []float64 {
	if shift == nil {
		return x
	}
	return floats.SubTo(make([]float64, len(x)), x, shift)
}
