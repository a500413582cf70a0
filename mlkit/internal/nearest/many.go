package nearest

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
)

// FindMany calls found(t, near) for each of m points, in ascending order of t. near are the
// neighbours of the point, those that Find(nil, n, row, point(t), k, skip(t)) returns, ties
// and the bits of the distances included; the next call overwrites them.
//
// With few features it searches an Index. From ManyFrom on, where an Index skips hardly any
// samples, it first bounds the distances from below, by the inner products of many points and
// many samples in float32, and computes only those that may be among the k least.
//
// row and point return slices of length d that stay as they are until FindMany returns. If
// ctx is done, FindMany returns ctx.Err() soon after.
func FindMany(ctx context.Context, n, d int, row func(i int) []float64, m int, point func(t int) []float64, k int, skip func(t int) int, found func(t int, near []Neighbour)) error {
	if d < ManyFrom {
		return findIndexed(ctx, n, d, row, m, point, k, skip, found)
	}
	f, err := newFilter(ctx, n, d, row)
	if err != nil {
		return err
	}
	size := simd.Rows * max(1, manyNumbers/(simd.Rows*(d+1))) // points at a time: they stay in the cache
	near := make([][]Neighbour, min(size, m))
	for first := 0; first < m; first += size {
		last := min(first+size, m)
		for t := range near {
			near[t] = near[t][:0]
		}
		f.take(last-first, func(t int) []float64 { return point(first + t) })
		for from := 0; from < n; from += width32 {
			if err := ctx.Err(); err != nil {
				return err
			}
			f.pack(from, min(from+width32, n), row)
			for g := range f.groups {
				tile := f.products(g)
				for t := g * simd.Rows; t < min((g+1)*simd.Rows, last-first); t++ {
					near[t] = f.look(near[t], t, from, tile[t%simd.Rows*width32:], row, point(first+t), k, skip(first+t))
				}
			}
		}
		for t := range last - first {
			found(first+t, near[t])
		}
	}
	return nil
}

// findIndexed is FindMany by an Index.
func findIndexed(ctx context.Context, n, d int, row func(i int) []float64, m int, point func(t int) []float64, k int, skip func(t int) int, found func(t int, near []Neighbour)) error {
	index, err := NewIndex(ctx, n, d, row)
	if err != nil {
		return err
	}
	var near []Neighbour
	for t := range m {
		if err := ctx.Err(); err != nil {
			return err
		}
		if x := point(t); floats.HasNaN(x) {
			near = Find(near, n, row, x, k, skip(t))
		} else {
			near = index.Find(near, x, k, skip(t))
		}
		found(t, near)
	}
	return nil
}

// ManyFrom is the number of features from which FindMany bounds the distances. With
// independent normal features, the worst for an Index, that is faster from 8 of them on, or 12
// without vector instructions (BenchmarkFindMany). Tests change it.
var ManyFrom = 16

// width32 is the number of samples in a panel of float32.
const width32 = 64

// manyNumbers is how many elements of points FindMany has in its cache: 8 MB of float32.
var manyNumbers = 1 << 21

// filter bounds squared distances from below. With samples and points in a frame where the
// largest element of a sample is at most 1, and s = ‖x‖² and s' = ‖z‖² there,
//
//	‖x - z‖² ≥ (1 - κ)(s + s') - 2p - τ
//
// where p is x·z as computed in float32. Rounding the elements changes the distance by at
// most u(‖x‖ + ‖z‖), u = 2⁻²⁴, and summing d products changes p by at most
// du/(1 - du)·‖x‖‖z‖ (Nicholas Higham, "Accuracy and Stability of Numerical Algorithms",
// 2002, section 3.1). κ covers both, and the rounding of the distance that the bound is
// compared with; τ covers underflow. The bound is wrong for a point that overflows in float32,
// and no harm done: in float64 it is equally far from all samples.
type filter struct {
	d          int
	shift      []float64 // nil for none
	unit       float64   // a power of 2; 0 if there is no frame, and nothing is bounded
	keep       float64   // 1 - κ
	groups     []points
	panel      []float32
	squares    []float64 // (1 - κ)s' of the samples of the panel
	tile, half []float32
	moved      []float64
}

// points are the points of a tile, feature by feature, without features that are 0 in all.
type points struct {
	features []uint32
	x        []float32
	squares  [simd.Rows]float64 // (1 - κ)s - τ; NaN if nothing bounds the distances of the point
}

// most is the number of features up to which κ is small.
const most = 1 << 17

func newFilter(ctx context.Context, n, d int, row func(i int) []float64) (*filter, error) {
	f := &filter{
		d: d, keep: 1 - 0x1p-24*(1.01*float64(d)+16), moved: make([]float64, d), half: make([]float32, d),
		panel: make([]float32, d*width32), squares: make([]float64, width32), tile: make([]float32, simd.Rows*width32),
	}
	if d > most {
		return f, nil
	}
	shift, err := gram.Shift(ctx, gram.Function{Gauss: true}, n, d, row)
	if err != nil {
		return nil, err
	}
	if sum := floats.Sum(shift); sum-sum == 0 { // neither infinite nor NaN
		f.shift = shift
	}
	largest := 0.0
	f.unit = 1
	for i := range n {
		for _, v := range f.framed(row(i)) {
			largest = max(largest, math.Abs(v))
		}
	}
	_, e := math.Frexp(largest)
	if f.unit = math.Ldexp(1, -e); largest == 0 || !(largest <= math.MaxFloat64) || !(f.unit <= math.MaxFloat64) {
		f.unit = 0
	}
	return f, nil
}

// framed returns x in the frame, until the next call.
func (f *filter) framed(x []float64) []float64 {
	copy(f.moved, x)
	if f.shift != nil {
		floats.Sub(f.moved, f.shift)
	}
	if f.unit != 1 {
		floats.Scale(f.unit, f.moved)
	}
	return f.moved
}

// take replaces the points by count others.
func (f *filter) take(count int, point func(t int) []float64) {
	f.groups = f.groups[:0]
	rows := make([]float32, simd.Rows*f.d)
	for first := 0; first < count; first += simd.Rows {
		clear(rows)
		g := points{}
		for r := range min(simd.Rows, count-first) {
			square := simd.Narrow(rows[r*f.d:(r+1)*f.d], f.framed(point(first+r)))
			g.squares[r] = f.keep*square - 0x1p-120*float64(f.d)
			if f.unit == 0 {
				g.squares[r] = math.NaN()
			}
		}
		for j := range f.d {
			var column [simd.Rows]float32
			some := false
			for r := range column {
				column[r] = rows[r*f.d+j]
				some = some || column[r] != 0
			}
			if some {
				g.features, g.x = append(g.features, uint32(j)), append(g.x, column[:]...)
			}
		}
		f.groups = append(f.groups, g)
	}
}

// pack replaces the panel by the given rows.
func (f *filter) pack(from, to int, row func(i int) []float64) {
	f.squares = f.squares[:to-from]
	for i := range f.squares {
		f.squares[i] = f.keep * simd.Narrow(f.half, f.framed(row(from+i)))
		for j, v := range f.half {
			f.panel[j*width32+i] = v
		}
	}
}

// products returns the inner products of a group and the panel, until the next call.
func (f *filter) products(g int) []float32 {
	simd.Tile(f.tile, f.panel, f.groups[g].x, f.groups[g].features, simd.Rows)
	return f.tile
}

// look merges the samples of the panel, whose first row is from, into those nearest to point
// t, x. products are their inner products with it.
func (f *filter) look(near []Neighbour, t, from int, products []float32, row func(i int) []float64, x []float64, k, skip int) []Neighbour {
	own := f.groups[t/simd.Rows].squares[t%simd.Rows]
	limit := f.limit(near, k, own)
	products = products[:len(f.squares)]
	for i, square := range f.squares {
		if square-2*float64(products[i]) > limit || from+i == skip {
			continue
		}
		before := len(near)
		if distance := squared(row(from+i), x); before < k || nearer(distance, near[k-1].Distance) {
			near = insert(near, k, from+i, distance)
			limit = f.limit(near, k, own)
		}
	}
	return near
}

// limit returns the number that s'(1 - κ) - 2p exceeds only for samples that are farther
// than the k nearest so far; NaN if nothing is known of them. Squared distances below
// smallest may have underflowed.
func (f *filter) limit(near []Neighbour, k int, own float64) float64 {
	if len(near) < k {
		return math.NaN()
	}
	return max(near[k-1].Distance, smallest)*f.unit*f.unit - own
}
