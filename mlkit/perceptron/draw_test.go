package perceptron_test

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit"
)

func drawBias(t *rapid.T) mlkit.Bias {
	return rapid.SampledFrom([]mlkit.Bias{mlkit.FreeBias, mlkit.NoBias, mlkit.RadiusBias}).Draw(t, "bias")
}

// extended returns the samples with the constant of the bias appended as a feature. In
// that space Novikoff's theorem applies to hyperplanes through the origin.
func extended(X *mat.Dense, bias mlkit.Bias) *mat.Dense {
	n, d := X.Dims()
	if bias == mlkit.NoBias {
		return X
	}
	c := 1.0
	if bias == mlkit.RadiusBias {
		c = 0
		for i := range n {
			c = max(c, floats.Norm(X.RawRowView(i), 2))
		}
	}
	E := mat.NewDense(n, d+1, nil)
	for i := range n {
		copy(E.RawRowView(i), X.RawRowView(i))
		E.Set(i, d, c)
	}
	return E
}

// wrong counts the samples on the wrong side of h, or on it.
func wrong(h mlkit.Hyperplane, X *mat.Dense, y []int) (count int) {
	for i, f := range h.Scores(nil, X) {
		if float64(y[i])*f <= 0 {
			count++
		}
	}
	return count
}
