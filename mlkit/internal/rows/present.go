package rows

import "slices"

// A sample of weight 0 is absent: a fit with weights checks all of X, y and the weights,
// then selects the rows that Present returns, and does nothing with the others. Steps, scales,
// random draws and the order of sums are then those of a fit without these rows. Messages
// name rows by Number, and Restore gives results of each sample their places in X.

// Present returns the rows with a weight above 0, ascending. It returns nil, which means all
// rows in this package, if none has the weight 0 or weights are nil.
func Present(weights []float64) []int {
	if !slices.ContainsFunc(weights, func(w float64) bool { return !(w > 0) }) {
		return nil
	}
	present := []int{}
	for i, w := range weights {
		if w > 0 {
			present = append(present, i)
		}
	}
	return present
}

// Pick returns the elements of v at the given rows, or v itself if they or v are nil.
func Pick[T any](v []T, rows []int) []T {
	if rows == nil || v == nil {
		return v
	}
	picked := make([]T, len(rows))
	for k, i := range rows {
		picked[k] = v[i]
	}
	return picked
}

// Restore undoes Pick: it returns n numbers, those of v at the given rows and 0 at the others,
// or v itself if rows or v are nil.
func Restore(v []float64, rows []int, n int) []float64 {
	if rows == nil || v == nil {
		return v
	}
	restored := make([]float64, n)
	for k, i := range rows {
		restored[i] = v[k]
	}
	return restored
}

// Number returns the row that element k of a selection is.
func Number(k int, rows []int) int {
	if rows == nil {
		return k
	}
	return rows[k]
}

// Within returns the rows that some of a selection are, given their places in it.
func Within(selection, places []int) []int {
	if selection == nil {
		return places
	}
	return Pick(selection, places)
}
