package linear

import (
	"slices"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
)

// Hyperplane is an alias of mlkit.Hyperplane, which provides scores, labels, distances,
// projections and margins.
type Hyperplane = mlkit.Hyperplane

// Margins is an alias of mlkit.Margins, the result of Hyperplane.Margins.
type Margins = mlkit.Margins

// finiteHyperplane reports whether all numbers of h are finite.
func finiteHyperplane(h Hyperplane) bool { return finite(h.B) && !slices.ContainsFunc(h.W, notFinite) }

func notFinite(v float64) bool { return !finite(v) }

func destination[T any](method string, dst []T, n int) []T {
	return rows.Destination("linear", method, dst, n)
}
