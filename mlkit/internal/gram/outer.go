package gram

import (
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// OuterFrom is the number of samples from which Outer pays off. With fewer, gonum is
// fast enough and gives the same bits on every processor.
var OuterFrom = 10000

// OuterParts returns the parts of n samples of d features whose sums Outer adds. In much
// smaller ones, adding their sums would take longer.
func OuterParts(n, d int) work.Parts { return work.Divide(n, max(1024, 4*d)) }

// Outer returns Σ xᵢxᵢᵀ (d×d) over n samples of d features. For each of OuterParts it calls
// reader, and the function that this returns for one sample of the part after another; a call
// may overwrite the previous sample. Several goroutines do so at once. The sum does not
// depend on their number. If rough, Outer rounds the samples to float32 and sums 128 products
// at a time in float32, which takes half the time; numbers too large for float32 then give
// Inf or NaN. If ctx is done, it returns ctx.Err() soon after.
func Outer(ctx work.Ender, n, d int, reader func(part int) func(i int) []float64, rough bool) (*mat.SymDense, error) {
	if rough {
		return outerOf[float32](ctx, n, d, reader)
	}
	return outerOf[float64](ctx, n, d, reader)
}

// SameReader returns a reader for Outer that returns row for each part.
func SameReader(row func(i int) []float64) func(part int) func(i int) []float64 {
	return func(int) func(i int) []float64 { return row }
}

// OuterOfColumns is Outer in float64 of samples that are the columns of a matrix (d×n): fill sets
// panel[k·width+r] to element (feature+r, from+k), for r < rows and k < count. So it can read
// several numbers of a row of the matrix at a time.
func OuterOfColumns(ctx work.Ender, n, d int, fill func(panel []float64, width, feature, rows, from, count int)) (*mat.SymDense, error) {
	return outerBy(ctx, n, d, func(int) func(o *outer[float64], from, count int) {
		return func(o *outer[float64], from, count int) {
			for feature := 0; feature < d; feature += o.width {
				fill(o.panel(feature), o.width, feature, min(o.width, d-feature), from, count)
			}
		}
	})
}

func outerOf[T simd.Float](ctx work.Ender, n, d int, reader func(part int) func(i int) []float64) (*mat.SymDense, error) {
	return outerBy(ctx, n, d, func(part int) func(o *outer[T], from, count int) {
		row := reader(part)
		return func(o *outer[T], from, count int) {
			for k := range count {
				o.pack(k, row(from+k))
			}
		}
	})
}

// outerBy sums by a function for each part that packs some samples.
func outerBy[T simd.Float](ctx work.Ender, n, d int, packer func(part int) func(o *outer[T], from, count int)) (*mat.SymDense, error) {
	all := newOuterSums[T](n, d)
	err := all.parts.Do(func(part, from, to int) error {
		o, pack := all.begin(), packer(part)
		for ; from < to; from += together {
			if err := ctx.Err(); err != nil {
				return err
			}
			count := min(to-from, together)
			pack(o, from, count)
			o.add(count)
		}
		all.end(part, o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all.sum.SliceSym(0, d).(*mat.SymDense), nil
}

// outerSums adds the sums of the parts in their order, each as soon as those before it are there,
// and takes their memory for further parts.
type outerSums[T simd.Float] struct {
	parts work.Parts
	d     int

	mu      sync.Mutex
	sum     *mat.SymDense
	waiting []*outer[T] // by part, until they are added
	next    int         // the part to add
	free    []*outer[T]
}

func newOuterSums[T simd.Float](n, d int) *outerSums[T] {
	p := OuterParts(n, d)
	return &outerSums[T]{parts: p, d: d, sum: newOuter[T](d).sum, waiting: make([]*outer[T], p.Count())}
}

// begin returns the sum over no samples.
func (s *outerSums[T]) begin() *outer[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.free) - 1
	if last < 0 {
		return newOuter[T](s.d)
	}
	o := s.free[last]
	s.free = s.free[:last]
	clear(o.sum.RawSymmetric().Data)
	return o
}

// end adds the sum over a part.
func (s *outerSums[T]) end(part int, o *outer[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting[part] = o
	for ; s.next < len(s.waiting) && s.waiting[s.next] != nil; s.next++ {
		floats.Add(s.sum.RawSymmetric().Data, s.waiting[s.next].sum.RawSymmetric().Data)
		s.free = append(s.free, s.waiting[s.next])
		s.waiting[s.next] = nil
	}
}

// together is the number of samples that Outer processes at a time. With a few hundred
// features, a panel of 128 rows fits the first-level cache and all panels the second-level
// one.
const together = work.Multiple

// outer is the sum over a part. Panels hold the batch row by row, width features each. The sum is
// padded to whole units of columns, and its upper triangle is filled.
type outer[T simd.Float] struct {
	d, width, unit int
	sum            *mat.SymDense
	panels         []T
}

func newOuter[T simd.Float](d int) *outer[T] {
	width, unit := simd.OuterWidth[T]()
	padded, panels := (d+unit-1)/unit*unit, (d+width-1)/width
	return &outer[T]{d, width, unit, mat.NewSymDense(padded, nil), make([]T, panels*width*together)}
}

// panel returns the panel that begins with the given feature.
func (o *outer[T]) panel(feature int) []T {
	return o.panels[feature*together : (feature+o.width)*together]
}

// pack stores sample x as row k of the panels.
func (o *outer[T]) pack(k int, x []float64) {
	panels, exact := any(o.panels).([]float64)
	for from := 0; from < o.d; from += o.width {
		x, at := x[from:min(o.d, from+o.width)], from*together+k*o.width
		if !exact {
			simd.Narrow(any(o.panels).([]float32)[at:][:len(x)], x)
			continue
		}
		to := panels[at:]
		for ; len(x) >= 12; to, x = to[12:], x[12:] {
			*(*[12]float64)(to) = [12]float64(x) // several times as fast as copy; widths are multiples of 12
		}
		copy(to, x)
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
