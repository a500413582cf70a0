package linear_test

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit/linear"
)

// drawSamples draws least to 20 samples of 1 to 4 features on a grid, with ties,
// duplicates and equal samples of both labels. Both labels occur.
func drawSamples(t *rapid.T, least int) (*mat.Dense, []int) {
	n := rapid.IntRange(least, 20).Draw(t, "n")
	d := rapid.IntRange(1, 4).Draw(t, "d")
	X, y := drawMatrix(t, n, d), make([]int, n)
	for i := range y {
		y[i] = rapid.SampledFrom([]int{-1, +1}).Draw(t, "y")
	}
	y[0], y[1] = -1, +1
	return X, y
}

func drawMatrix(t *rapid.T, n, d int) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, float64(rapid.IntRange(-12, 12).Draw(t, "4x"))/4)
		}
	}
	return X
}

func drawBias(t *rapid.T) linear.Bias {
	return rapid.SampledFrom([]linear.Bias{linear.ExtendedByOne, linear.ThroughOrigin, linear.ExtendedByRadius}).Draw(t, "bias")
}

// extended returns the samples with the constant of the bias appended as a feature. In
// that space Novikoff's theorem applies to hyperplanes through the origin.
func extended(X *mat.Dense, bias linear.Bias) *mat.Dense {
	n, d := X.Dims()
	if bias == linear.ThroughOrigin {
		return X
	}
	c := 1.0
	if bias == linear.ExtendedByRadius {
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
func wrong(h linear.Hyperplane, X *mat.Dense, y []int) (count int) {
	for i, f := range h.Scores(nil, X) {
		if float64(y[i])*f <= 0 {
			count++
		}
	}
	return count
}
