package perceptron

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// The lectures have three ways of learning b, all of the same form: extend each sample x by
// a constant c to (x, c), and seek a hyperplane (w, v) through the origin there; b = c·v. A
// step v ← v + ρyc is then a step b ← b + ρyc². mlkit.Bias names them by c: 1 (FreeBias),
// 0 (NoBias) and R (RadiusBias). PenalizedBias is none of them, since there is no penalty.

// learnable reports whether a perceptron can learn its bias in this way.
func learnable(b mlkit.Bias) bool {
	return b == mlkit.FreeBias || b == mlkit.NoBias || b == mlkit.RadiusBias
}

// constant returns c², the square of the constant that extends the rows of X.
func constant(b mlkit.Bias, X *mat.Dense) float64 {
	switch b {
	case mlkit.NoBias:
		return 0
	case mlkit.RadiusBias:
		return radius2(X)
	}
	return 1
}

// radius2 returns R² = max‖xᵢ‖² over the rows of X.
func radius2(X *mat.Dense) float64 {
	n, _ := X.Dims()
	var r2 float64
	for i := range n {
		x := X.RawRowView(i)
		r2 = max(r2, floats.Dot(x, x))
	}
	return r2
}
