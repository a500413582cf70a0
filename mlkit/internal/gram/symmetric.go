package gram

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// SymmetricFrom is the number of samples from which Symmetric pays off.
var SymmetricFrom = 2000

// Symmetric sets the elements of K (n×n) above its diagonal to the kernel's values for
// n samples of d features. It computes in float64. For a Gaussian kernel it computes
// distances from inner products, after subtracting the mean if Shift returns one. It
// does not touch the diagonal. Several goroutines call row at once. If ctx is done,
// Symmetric returns ctx.Err() soon after.
func Symmetric(ctx work.Ender, f Function, K *mat.SymDense, d int, row func(i int) []float64) error {
	raw := K.RawSymmetric()
	n := raw.N
	var shift []float64
	if f.Gauss {
		var err error
		if shift, err = Shift(ctx, f, n, d, row); err != nil {
			return err
		}
	}
	groups := make([]group[float64], (n+simd.Rows-1)/simd.Rows)
	if err := work.Divide(len(groups), 1).Do(func(_, from, to int) error {
		var samples [simd.Rows][]float64
		var own [simd.Rows]float64
		for r := range samples {
			samples[r] = make([]float64, d)
		}
		for q := from; q < to; q++ {
			first := q * simd.Rows
			count := min(simd.Rows, n-first)
			for r := range count {
				own[r] = shifted(samples[r], row(first+r), shift)
			}
			set(&groups[q], samples[:count], own[:count])
		}
		return ctx.Err()
	}); err != nil {
		return err
	}
	// Pair each panel with all samples up to its last one, six at a time, the largest panels first.
	panels := (n + width64 - 1) / width64
	return work.Each(panels, processors(n*n/2*d), func(k int) error {
		from := (panels - 1 - k) * width64
		to := min(n, from+width64)
		panel, squares := make([]float64, d*width64), make([]float64, width64)
		tile, x := make([]float64, simd.Rows*width64), make([]float64, d)
		for t := from; t < to; t++ {
			squares[t-from] = shifted(x, row(t), shift)
			for k, v := range x {
				panel[k*width64+t-from] = v
			}
		}
		for q := 0; q*simd.Rows < to; q++ {
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
		return nil
	})
}
