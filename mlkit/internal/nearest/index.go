package nearest

import (
	"context"
	"math"
	"slices"

	"marginalia/mlkit/internal/simd"
)

// Index finds the nearest of many samples with a k-d tree: it skips samples whose
// bounding box is too far away (Jerome Friedman, Jon Bentley and Raphael Finkel, "An
// algorithm for finding best matches in logarithmic expected time", 1977). Its results
// equal those of the function Find, ties and the bits of the distances included.
//
// The tree splits the samples near the median of the feature with the widest range,
// until each leaf fits into one panel. The distances to all samples of a panel are
// computed together.
type Index struct {
	d     int
	order []int32 // row numbers; those of a leaf are contiguous and ascending
	nodes []node
	boxes []float64 // for each node the d minima of the features, then the d maxima
	leaf  []float64 // the panels of the leaves
}

// leafSize is the number of samples in a panel.
const leafSize = 32

// node is a node of the tree, over the samples order[from:to]. A leaf has a panel, an
// inner node two children.
type node struct {
	from, to int32
	panel    int32 // -1 for an inner node
	child    [2]int32
}

// NewIndex builds the index of n ≥ 1 samples with d ≥ 1 features, returned by row and
// without NaN. It copies them. If ctx is done, NewIndex returns ctx.Err() soon after.
func NewIndex(ctx context.Context, n, d int, row func(i int) []float64) (*Index, error) {
	x := &Index{d: d, order: make([]int32, n), leaf: make([]float64, 0, (n+leafSize-1)/leafSize*leafSize*d)}
	for i := range x.order {
		x.order[i] = int32(i)
	}
	x.build(ctx, 0, n, row)
	return x, ctx.Err()
}

// build adds the node over order[from:to] and returns its number. The number is
// meaningless if ctx is done.
func (x *Index) build(ctx context.Context, from, to int, row func(i int) []float64) int32 {
	if ctx.Err() != nil {
		return 0
	}
	at, part := int32(len(x.nodes)), x.order[from:to]
	x.nodes = append(x.nodes, node{from: int32(from), to: int32(to), panel: -1})
	first := row(int(part[0]))
	x.boxes = append(append(x.boxes, first[:x.d]...), first[:x.d]...)
	box := x.box(at)
	least, most := box[:x.d], box[x.d:]
	for _, i := range part {
		for j, v := range row(int(i))[:x.d] {
			least[j], most[j] = min(least[j], v), max(most[j], v)
		}
	}
	if len(part) <= leafSize {
		x.nodes[at].panel = int32(len(x.leaf) / (leafSize * x.d))
		slices.Sort(part)
		start := len(x.leaf)
		x.leaf = x.leaf[:start+leafSize*x.d]
		for c, i := range part {
			for j, v := range row(int(i))[:x.d] {
				x.leaf[start+j*leafSize+c] = v
			}
		}
		return at
	}
	widest := 0
	for j := range x.d {
		if most[j]-least[j] > most[widest]-least[widest] {
			widest = j
		}
	}
	// Split at a whole number of panels, so that the panels on the left are full.
	half := max(1, len(part)/2/leafSize) * leafSize
	split(part, half, func(i int32) float64 { return row(int(i))[widest] })
	left := x.build(ctx, from, from+half, row)
	x.nodes[at].child = [2]int32{left, x.build(ctx, from+half, to, row)}
	return at
}

// split reorders rows so that the count rows with the smallest values come first:
// Hoare's quickselect.
func split(rows []int32, count int, value func(i int32) float64) {
	for low, high := 0, len(rows)-1; low < high; {
		pivot := value(rows[low+(high-low)/2])
		i, j := low, high
		for i <= j {
			for value(rows[i]) < pivot {
				i++
			}
			for value(rows[j]) > pivot {
				j--
			}
			if i <= j {
				rows[i], rows[j] = rows[j], rows[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case count <= j:
			high = j
		case count >= i:
			low = i
		default:
			return
		}
	}
}

func (x *Index) box(n int32) []float64 {
	start := int(n) * 2 * x.d
	return x.boxes[start : start+2*x.d]
}

// Find is the function Find over the samples of the index, for a point without NaN. It
// is safe for concurrent use.
func (x *Index) Find(dst []Neighbour, point []float64, k, skip int) []Neighbour {
	s := search{x, point, dst[:0], min(k, len(x.order)), int32(skip)}
	if k > 0 {
		s.visit(0)
	}
	return s.found
}

type search struct {
	*Index
	point []float64
	found []Neighbour
	k     int
	skip  int32
}

// far returns a lower bound on the squared distances of the samples in the box of node
// n. It sums in the order in which the distances are summed, rounds each square before it
// adds it, as they do, and rounding is monotone, so the bound also holds for the distances
// as computed.
func (s *search) far(n int32) float64 {
	box := s.box(n)
	sum := 0.0
	for j, v := range s.point {
		if low := box[j] - v; low > 0 {
			sum += float64(low * low)
		} else if high := v - box[s.d+j]; high > 0 {
			sum += float64(high * high)
		}
	}
	return sum
}

// hopeless reports whether no sample at this distance or farther can be among the k
// nearest.
func (s *search) hopeless(distance float64) bool {
	return len(s.found) == s.k && distance > s.found[s.k-1].Distance
}

func (s *search) visit(n int32) {
	at := s.nodes[n]
	if at.panel >= 0 {
		s.look(at)
		return
	}
	near, far := at.child[0], at.child[1]
	nearDistance, farDistance := s.far(near), s.far(far)
	if farDistance < nearDistance {
		near, far, nearDistance, farDistance = far, near, farDistance, nearDistance
	}
	if !s.hopeless(nearDistance) {
		s.visit(near)
	}
	if !s.hopeless(farDistance) {
		s.visit(far)
	}
}

// look merges the samples of a leaf into the k nearest.
func (s *search) look(leaf node) {
	var distances [leafSize]float64
	size := leafSize * s.d
	simd.Distances(distances[:], s.leaf[int(leaf.panel)*size:(int(leaf.panel)+1)*size], s.point)
	worst := math.Inf(1)
	if len(s.found) == s.k {
		worst = s.found[s.k-1].Distance
	}
	for c, i := range s.order[leaf.from:leaf.to] {
		d := distances[c]
		if d > worst || i == s.skip || len(s.found) == s.k && !s.before(d, i, s.k-1) {
			continue
		}
		if len(s.found) < s.k {
			s.found = append(s.found, Neighbour{})
		}
		at := len(s.found) - 1
		for ; at > 0 && s.before(d, i, at-1); at-- {
			s.found[at] = s.found[at-1]
		}
		s.found[at] = Neighbour{int(i), d}
		if len(s.found) == s.k {
			worst = s.found[s.k-1].Distance
		}
	}
}

// before reports whether row i at distance d precedes found[at].
func (s *search) before(d float64, i int32, at int) bool {
	f := s.found[at]
	return d < f.Distance || d == f.Distance && int(i) < f.Row
}
