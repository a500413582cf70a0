// Package nearest finds the samples nearest to a point: by looking at all of them, or for
// many points with an index.
package nearest

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Neighbour is a sample and its squared distance.
type Neighbour struct {
	Row      int
	Distance float64 // squared
}

// Find returns the k of the n rows that are nearest to x, the nearest first; of
// rows at the same distance the one with the lower number is nearer. Row skip is
// left out; -1 leaves out none. The result is written to dst, which is as
// dst[:0] to append, and has fewer than k neighbours if there are fewer rows. A
// distance that is NaN counts as farther than all others.
func Find(dst []Neighbour, n int, row func(i int) []float64, x []float64, k, skip int) []Neighbour {
	dst = dst[:0]
	for i := range n {
		if i == skip {
			continue
		}
		d := 0.0
		for j, v := range row(i) {
			e := v - x[j]
			d += e * e
		}
		if len(dst) == k && !nearer(d, dst[k-1].Distance) {
			continue
		}
		if len(dst) < k {
			dst = append(dst, Neighbour{})
		}
		at := len(dst) - 1
		for ; at > 0 && nearer(d, dst[at-1].Distance); at-- {
			dst[at] = dst[at-1]
		}
		dst[at] = Neighbour{i, d}
	}
	return dst
}

// nearer reports whether d < e, where NaN is farther than any number.
func nearer(d, e float64) bool { return d < e || e != e && d == d }

// Lost reports whether squares that overflow, or vanish beside the smallest float64, may
// have put the neighbours that Find has found for x in a wrong order: whether one is
// infinitely far, or too near for a sum of squares and still another point than x.
func Lost(found []Neighbour, row func(i int) []float64, x []float64) bool {
	return slices.ContainsFunc(found, func(f Neighbour) bool {
		return math.IsInf(f.Distance, 1) || f.Distance < smallest && !slices.Equal(row(f.Row), x)
	})
}

// smallest is a squared distance so large that the terms below 2⁻¹⁰⁷⁴, which vanish, change
// it by less than rounding does, however many features there are.
const smallest = 0x1p-900

// FindByNorm is Find by the distances themselves, which neither overflow nor vanish where
// their squares do, and which it returns. It takes several times as long.
func FindByNorm(n int, row func(i int) []float64, x []float64, k, skip int) []Neighbour {
	all := make([]Neighbour, 0, n)
	for i := range n {
		if i != skip {
			all = append(all, Neighbour{i, floats.Distance(row(i), x, 2)})
		}
	}
	slices.SortStableFunc(all, func(a, b Neighbour) int { return cmp.Compare(a.Distance, b.Distance) })
	return all[:min(k, len(all))]
}
