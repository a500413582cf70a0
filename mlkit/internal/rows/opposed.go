package rows

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Opposed returns the first two equal rows of X (n×d) with different labels y[i] among the
// given ones, or -1, -1. Of two pairs, the one with the smaller i is the first, then the one
// with the smaller j. It sorts the rows, in O(md log m) time for m of them.
func Opposed(X *mat.Dense, y []int, among []int) (i, j int) {
	compare := func(a, b int) int { return slices.Compare(X.RawRowView(a), X.RawRowView(b)) }
	order := slices.Clone(among)
	slices.SortFunc(order, func(a, b int) int {
		if c := compare(a, b); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	i, j = -1, -1
	first := -1 // of the rows equal to row k
	for _, k := range order {
		if first < 0 || compare(first, k) != 0 {
			first = k
		}
		if y[k] != y[first] && (i < 0 || first < i) {
			i, j = first, k
		}
	}
	return i, j
}
