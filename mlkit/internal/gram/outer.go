package gram

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/simd"
)

// OuterFrom is the number of samples from which Outer pays off. With fewer, gonum is
// fast enough and gives the same bits on every processor.
var OuterFrom = 10000

// Outer returns Σ xᵢxᵢᵀ (d×d) over n samples of d features. It calls row for one sample
// after another, and a call may overwrite the previous sample. If rough, it rounds the
// samples to float32 and sums 256 products at a time in float32, which takes half the
// time; numbers too large for float32 then give Inf or NaN. If ctx is done, Outer
// returns ctx.Err() soon after.
func Outer(ctx early.Ender, n, d int, row func(i int) []float64, rough bool) (*mat.SymDense, error) {
	if rough {
		return outerOf[float32](ctx, n, d, row)
	}
	return outerOf[float64](ctx, n, d, row)
}

func outerOf[T simd.Float](ctx early.Ender, n, d int, row func(i int) []float64) (*mat.SymDense, error) {
	width := simd.Width[T]()
	padded := func(to int) int { return (d + to - 1) / to * to }
	o := outer[T]{
		d: d, width: width, S: mat.NewSymDense(d, nil),
		x:        make([]T, max(padded(width), padded(simd.Rows))),
		panels:   make([]T, padded(width)*together),
		groups:   make([]T, padded(simd.Rows)*together),
		tile:     make([]T, simd.Rows*width),
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

// together is the number of samples that Outer processes at a time.
const together = 256

// outer is the state of Outer. It swaps the roles in simd.Tile: what Tile calls samples
// are features here, with width of them in a panel and six in a group, and what it
// calls features are samples.
type outer[T simd.Float] struct {
	d, width int
	S        *mat.SymDense
	x        []T // a sample, padded with zeros
	panels   []T
	groups   []T
	tile     []T
	features []uint32
}

// pack stores sample x as number k of the batch.
func (o *outer[T]) pack(k int, x []float64) {
	if narrow, ok := any(o.x[:o.d]).([]float32); ok {
		simd.Narrow(narrow, x)
	} else {
		copy(any(o.x[:o.d]).([]float64), x)
	}
	for from := 0; from < o.d; from += o.width {
		copy(o.panels[from*together+k*o.width:], o.x[from:from+o.width])
	}
	for from := 0; from < o.d; from += simd.Rows { // too few numbers for a call of copy
		*(*[simd.Rows]T)(o.groups[from*together+k*simd.Rows:]) = *(*[simd.Rows]T)(o.x[from:])
	}
}

// add adds the first count samples of the batch to S.
func (o *outer[T]) add(count int) {
	raw := o.S.RawSymmetric()
	for column := 0; column < o.d; column += o.width {
		panel := o.panels[column*together : (column+o.width)*together]
		to := min(o.d, column+o.width)
		for first := 0; first < to; first += simd.Rows {
			x := o.groups[first*together : (first+simd.Rows)*together]
			simd.Tile(o.tile, panel, x[:count*simd.Rows], o.features[:count], simd.Rows)
			for i := first; i < min(o.d, first+simd.Rows); i++ {
				for j := max(i, column); j < to; j++ {
					raw.Data[i*raw.Stride+j] += float64(o.tile[(i-first)*o.width+j-column])
				}
			}
		}
	}
}
