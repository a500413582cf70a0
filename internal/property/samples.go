package property

import (
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Samples draws least to 20 samples of 1 to 4 features on a grid, with ties, duplicates and
// equal samples of both labels. Both labels occur.
func Samples(t *rapid.T, least int) (*mat.Dense, []int) {
	n := rapid.IntRange(least, 20).Draw(t, "n")
	d := rapid.IntRange(1, 4).Draw(t, "d")
	X, y := Matrix(t, n, d), make([]int, n)
	for i := range y {
		y[i] = rapid.SampledFrom([]int{-1, +1}).Draw(t, "y")
	}
	y[0], y[1] = -1, +1
	return X, y
}

// Matrix draws an n×d matrix of quarters from -3 to 3.
func Matrix(t *rapid.T, n, d int) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, float64(rapid.IntRange(-12, 12).Draw(t, "4x"))/4)
		}
	}
	return X
}
