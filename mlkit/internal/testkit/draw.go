package testkit

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
	X.Apply(func(_, _ int, _ float64) float64 { return float64(rapid.IntRange(-12, 12).Draw(t, "4x")) / 4 }, X)
	return X
}

// Numbers draws n numbers from -3 to 3; in half of the cases integers, with ties and
// duplicates.
func Numbers(t *rapid.T, n int) []float64 {
	if rapid.Bool().Draw(t, "whole") {
		return rapid.SliceOfN(rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) }), n, n).Draw(t, "x")
	}
	return rapid.SliceOfN(rapid.Float64Range(-3, 3), n, n).Draw(t, "x")
}
