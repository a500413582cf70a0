package gram

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/simd"
)

// SymmetricFrom is the number of samples from which Symmetric pays off.
var SymmetricFrom = 2000

// Symmetric sets the elements of K (n×n) above its diagonal to the kernel's values for
// n samples of d features. It computes in float64. For a Gaussian kernel it computes
// distances from inner products, after subtracting the mean if Shift returns one. It
// does not touch the diagonal. If ctx is done, Symmetric returns ctx.Err() soon after.
func Symmetric(ctx early.Ender, f Function, K *mat.SymDense, d int, row func(i int) []float64) error {
	raw := K.RawSymmetric()
	n := raw.N
	var shift []float64
	if f.Gauss {
		var err error
		if shift, err = Shift(ctx, f, n, d, row); err != nil {
			return err
		}
	}
	panel, squares := make([]float64, d*width64), make([]float64, width64)
	tile, zeros := make([]float64, simd.Rows*width64), make([]float64, d)
	if shift == nil {
		shift = zeros
	}
	// Pair each panel with all samples up to its last one, six at a time.
	groups := make([]group[float64], (n+simd.Rows-1)/simd.Rows)
	var samples [simd.Rows][]float64
	var own [simd.Rows]float64
	for r := range samples {
		samples[r] = make([]float64, d)
	}
	packed := 0
	for from := 0; from < n; from += width64 {
		to := min(n, from+width64)
		for t := from; t < to; t++ {
			x := floats.SubTo(samples[0], row(t), shift)
			squares[t-from] = floats.Dot(x, x)
			for k, v := range x {
				panel[k*width64+t-from] = v
			}
		}
		for ; packed*simd.Rows < to; packed++ {
			first := packed * simd.Rows
			count := min(simd.Rows, n-first)
			for r := range count {
				x := floats.SubTo(samples[r], row(first+r), shift)
				own[r] = floats.Dot(x, x)
			}
			set(&groups[packed], samples[:count], own[:count])
		}
		for q := range packed {
			if q%(1+(1<<16)/(d+16)) == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			values := evaluate(&groups[q], f, tile, panel, squares)
			for r := range groups[q].rows {
				i := q*simd.Rows + r
				if start := max(from, i+1); start < to {
					copy(raw.Data[i*raw.Stride+start:i*raw.Stride+to], values[r*width64+start-from:])
				}
			}
		}
	}
	return nil
}
