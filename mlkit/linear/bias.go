package linear

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

type Bias = mlkit.Bias

const (
	ExtendedByOne    = mlkit.FreeBias
	ThroughOrigin    = mlkit.NoBias
	ExtendedByRadius = mlkit.RadiusBias
)

// learnable reports whether a perceptron can learn its bias in this way.
func learnable(b Bias) bool { return b == ExtendedByOne || b == ThroughOrigin || b == ExtendedByRadius }

// constant returns c², the square of the constant that extends the rows of X.
func constant(b Bias, X *mat.Dense) float64 {
	switch b {
	case ThroughOrigin:
		return 0
	case ExtendedByRadius:
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
