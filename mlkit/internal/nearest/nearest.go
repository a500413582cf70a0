// Package nearest finds the k samples nearest to a point: Find searches all samples. An Index
// speeds up searches for many points if there are few features, FindMany if there are many.
package nearest

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Neighbour is a sample and its squared distance from the point.
type Neighbour struct {
	Row      int
	Distance float64 // squared
}

// Find returns the k of n rows nearest to x in Euclidean distance, nearest first; ties
// go to the lower row number. It ignores row skip; -1 skips none. The result overwrites
// dst[:0], growing it as append does, and is shorter than k if there are too few rows.
// A NaN distance counts as farther than any other.
func Find(dst []Neighbour, n int, row func(i int) []float64, x []float64, k, skip int) []Neighbour {
	dst = dst[:0]
	for i := range n {
		if i == skip {
			continue
		}
		if d := squared(row(i), x); len(dst) < k || nearer(d, dst[k-1].Distance) {
			dst = insert(dst, k, i, d)
		}
	}
	return dst
}

// squared returns ‖z - x‖².
func squared(z, x []float64) float64 {
	d := 0.0
	for j, v := range z {
		e := v - x[j]
		d += float64(e * e) // rounded before it is added, as simd.Distances does, on which an Index rests
	}
	return d
}

// insert puts row i, at the squared distance d, into the k nearest of the rows before i. If
// there are k of them, it must be nearer than the last, which it replaces.
func insert(near []Neighbour, k, i int, d float64) []Neighbour {
	if len(near) < k {
		near = append(near, Neighbour{})
	}
	at := len(near) - 1
	for ; at > 0 && nearer(d, near[at-1].Distance); at-- {
		near[at] = near[at-1]
	}
	near[at] = Neighbour{i, d}
	return near
}

// nearer reports whether d < e, with NaN farther than any number.
func nearer(d, e float64) bool { return d < e || e != e && d == d }

// Lost reports whether overflow or underflow of the squares may have put the neighbours
// found for x in the wrong order. That is so if a neighbour is infinitely far, or
// differs from x at a distance below smallest.
func Lost(found []Neighbour, row func(i int) []float64, x []float64) bool {
	return slices.ContainsFunc(found, func(f Neighbour) bool {
		return math.IsInf(f.Distance, 1) || f.Distance < smallest && !slices.Equal(row(f.Row), x)
	})
}

// smallest is large enough for underflow not to matter: the terms that vanish below
// 2⁻¹⁰⁷⁴ change a squared distance above it by less than rounding does, whatever the
// number of features.
const smallest = 0x1p-900

// FindByNorm is Find with distances in place of their squares: it sorts by them and
// returns them. They neither overflow nor underflow where squares would, but take
// several times as long.
func FindByNorm(n int, row func(i int) []float64, x []float64, k, skip int) []Neighbour {
	all := make([]Neighbour, 0, n)
	for i := range n {
		if i != skip {
			all = append(all, Neighbour{i, floats.Distance(row(i), x, 2)})
		}
	}
	slices.SortStableFunc(all, func(a, b Neighbour) int {
		switch {
		case nearer(a.Distance, b.Distance):
			return -1
		case nearer(b.Distance, a.Distance):
			return +1
		}
		return 0
	})
	return all[:min(k, len(all))]
}
