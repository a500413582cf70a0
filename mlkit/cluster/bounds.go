package cluster

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
)

// bounded is whether runs of k-means have bounds. With vector instructions these cost more
// time than they save, even among a hundred centres.
var bounded = simd.Name() == "off"

// bounds finds nearest centres again after these have moved, and skips the samples that
// must have kept theirs: the distance of a sample from its own centre is below a lower bound
// of its distances from all others. Bounds follow from the triangle inequality (Greg
// Hamerly, "Making k-means even faster", 2010). They allow for rounding, so that labels and
// distances are those of panels.nearest, bit for bit.
type bounds struct {
	X       *mat.Dense
	centres [][]float64
	labels  []int     // the nearest centre of each sample
	lower   []float64 // of its distances from all others

	moved  []float64 // the largest move of any centre but k
	half   []float64 // ½ min ‖cₖ - cₗ‖ over all l ≠ k
	margin float64   // more than the relative error of a computed distance
}

// newBounds returns bounds for the rows of X (n×d) and k centres.
func newBounds(X *mat.Dense, k int) *bounds {
	n, d := X.Dims()
	b := &bounds{X: X, labels: make([]int, n), lower: make([]float64, n), moved: make([]float64, k), half: make([]float64, k)}
	for range k {
		b.centres = append(b.centres, make([]float64, d))
	}
	b.margin = float64(d+16) * 0x1p-52
	return b
}

// move moves the centres.
func (b *bounds) move(centres [][]float64) {
	for k := range b.moved {
		b.moved[k], b.half[k] = 0, math.Inf(1)
	}
	for k, c := range centres {
		far := floats.Distance(c, b.centres[k], 2) * (1 + b.margin)
		for l := range centres {
			if l != k {
				b.moved[l] = max(b.moved[l], far)
				b.half[l] = min(b.half[l], floats.Distance(c, centres[l], 2)/2*(1-b.margin))
			}
		}
	}
	for k, c := range centres {
		copy(b.centres[k], c)
	}
}

// nearest sets labels[i] and distances[i] for the samples from inclusive, to exclusive, as
// panels.nearest does.
func (b *bounds) nearest(labels []int, distances []float64, from, to int) {
	// Below least, squares underflow, and their order is not that of the distances.
	const least = 0x1p-450
	grow := 1 + 4*b.margin // of squares
	for i := from; i < to; i++ {
		x, own := b.X.RawRowView(i), b.labels[i]
		square := squaredDistance(x, b.centres[own])
		// ‖x - cₗ‖ ≥ lower - moved and ‖x - cₗ‖ ≥ 2half - ‖x - cₖ‖ for all l ≠ k
		b.lower[i] -= b.moved[own] + 0x1p-50*b.lower[i]
		bound := b.lower[i]
		if b.half[own] > bound {
			bound = b.half[own]
		}
		if bound > least && square*grow < bound*bound {
			labels[i], distances[i] = own, square
		} else {
			labels[i], distances[i] = b.search(i, x)
		}
	}
}

// search returns the nearest centre of sample x, number i, among all centres, and its squared
// distance.
func (b *bounds) search(i int, x []float64) (nearest int, first float64) {
	first, second := math.Inf(1), math.Inf(1)
	for k, c := range b.centres {
		switch d := squaredDistance(x, c); {
		case d < first:
			nearest, first, second = k, d, first
		case d < second:
			second = d
		}
	}
	b.labels[i], b.lower[i] = nearest, 0
	if second <= math.MaxFloat64 {
		b.lower[i] = math.Sqrt(second) * (1 - b.margin)
	}
	return nearest, first
}
