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
// samples to float32 and sums 128 products at a time in float32, which takes half the
// time; numbers too large for float32 then give Inf or NaN. If ctx is done, Outer
// returns ctx.Err() soon after.
func Outer(ctx early.Ender, n, d int, row func(i int) []float64, rough bool) (*mat.SymDense, error) {
	if rough {
		return outerOf[float32](ctx, n, d, row)
	}
	return outerOf[float64](ctx, n, d, row)
}

func outerOf[T simd.Float](ctx early.Ender, n, d int, row func(i int) []float64) (*mat.SymDense, error) {
	width, unit := simd.OuterWidth[T]()
	padded := (d + unit - 1) / unit * unit
	count := (d + width - 1) / width
	o := outer[T]{d: d, width: width, unit: unit, sum: mat.NewSymDense(padded, nil), panels: make([]T, count*width*together)}
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
	return o.sum.SliceSym(0, d).(*mat.SymDense), nil
}

// together is the number of samples that Outer processes at a time. With a few hundred
// features, a panel of 128 rows fits the first-level cache and all panels the second-level
// one.
const together = 128

// outer is the state of Outer. Panels hold the batch row by row, width features each. The sum is
// padded to whole units of columns, and its upper triangle is filled.
type outer[T simd.Float] struct {
	d, width, unit int
	sum            *mat.SymDense
	panels         []T
}

// panel returns the panel that begins with the given feature.
func (o *outer[T]) panel(feature int) []T {
	return o.panels[feature*together : (feature+o.width)*together]
}

// pack stores sample x as row k of the panels.
func (o *outer[T]) pack(k int, x []float64) {
	for from := 0; from < o.d; from += o.width {
		to, x := o.panel(from)[k*o.width:], x[from:min(o.d, from+o.width)]
		if narrow, ok := any(to).([]float32); ok {
			simd.Narrow(narrow[:len(x)], x)
		} else {
			copy(any(to).([]float64), x)
		}
	}
}

// add adds the first count samples of the batch to the sum.
func (o *outer[T]) add(count int) {
	raw := o.sum.RawSymmetric()
	for column := 0; column < o.d; column += o.width {
		panel, columns := o.panel(column), min(o.width, raw.N-column)
		for first := 0; first < min(o.d, column+o.width); first += simd.OuterRows {
			x := o.panel(first / o.width * o.width)[first%o.width:]
			// Units that lie wholly below the diagonal are skipped.
			below := max(0, first-column) / o.unit * o.unit
			simd.Outer(raw.Data[first*raw.Stride+column+below:], raw.Stride, x, panel[below:], count, columns-below)
		}
	}
}
