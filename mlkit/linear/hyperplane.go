package linear

import (
	"slices"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
)

// Hyperplane is another name of mlkit.Hyperplane, which has the methods: scores and
// labels, distances, feet of perpendiculars and margins.
type Hyperplane = mlkit.Hyperplane

// Margins is another name of mlkit.Margins, what Hyperplane's method Margins returns.
type Margins = mlkit.Margins

// finiteHyperplane reports whether all numbers of the hyperplane are.
func finiteHyperplane(h Hyperplane) bool { return finite(h.B) && !slices.ContainsFunc(h.W, notFinite) }

func notFinite(v float64) bool { return !finite(v) }

func destination[T any](method string, dst []T, n int) []T {
	return rows.Destination("linear", method, dst, n)
}
