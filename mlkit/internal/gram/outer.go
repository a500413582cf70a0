package gram

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
)

// OuterFrom is the number of samples from which Outer is worth its while. With less,
// gonum takes no time, and every processor gives the same bits.
const OuterFrom = 10000

// Outer returns Σ xᵢxᵢᵀ (d×d) over n samples of d features, which row returns one after
// another; a row may be overwritten by the next. It ends with the error of ctx soon after
// that is done.
func Outer(ctx context.Context, n, d int, row func(i int) []float64) (*mat.SymDense, error) {
	o := outer{
		d: d, S: mat.NewSymDense(d, nil),
		panels:   make([]float64, (d+width64-1)/width64*width64*together),
		groups:   make([]float64, (d+simd.Rows-1)/simd.Rows*simd.Rows*together),
		features: make([]uint32, together),
	}
	for k := range o.features {
		o.features[k] = uint32(k)
	}
	for from := 0; from < n; from += together {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		count := min(n-from, together)
		for k := range count {
			o.pack(k, row(from+k))
		}
		o.add(count)
	}
	return o.S, nil
}

// together is how many samples Outer takes at a time.
const together = 256

// outer is the state of Outer. The samples of simd.Tile are here features, of which
// panels has 32 to a panel and groups 6 to a row; its features are samples.
type outer struct {
	d        int
	S        *mat.SymDense
	panels   []float64
	groups   []float64
	features []uint32
}

// pack takes the sample x, the k-th of those taken together.
func (o *outer) pack(k int, x []float64) {
	for from := 0; from < o.d; from += width64 {
		copy(o.panels[from*together+k*width64:][:width64], x[from:])
	}
	from := 0
	for ; from+simd.Rows <= o.d; from += simd.Rows { // so few at a time that a call would take longer
		*(*[simd.Rows]float64)(o.groups[from*together+k*simd.Rows:]) = *(*[simd.Rows]float64)(x[from:])
	}
	if from < o.d {
		copy(o.groups[from*together+k*simd.Rows:][:simd.Rows], x[from:])
	}
}

// add adds the first samples to S.
func (o *outer) add(count int) {
	var tile [simd.Rows * width64]float64
	raw := o.S.RawSymmetric()
	for column := 0; column < o.d; column += width64 {
		panel := o.panels[column*together : (column+width64)*together]
		to := min(o.d, column+width64)
		for first := 0; first < to; first += simd.Rows {
			x := o.groups[first*together : (first+simd.Rows)*together]
			simd.Tile(tile[:], panel, x[:count*simd.Rows], o.features[:count], simd.Rows)
			for i := first; i < min(o.d, first+simd.Rows); i++ {
				for j := max(i, column); j < to; j++ {
					raw.Data[i*raw.Stride+j] += tile[(i-first)*width64+j-column]
				}
			}
		}
	}
}
