package smo

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
)

// In exact arithmetic the origin does not matter to a linear machine: since Σ αᵢyᵢ = 0,
// samples x - m give the same α and w, and the bias b + w·m. In float64 it does: if
// samples are a million times as far from 0 as from each other, their products keep no
// digit of the differences.

// far is how many standard deviations the mean of the samples must be from 0 before it is
// subtracted. There products lose four of their sixteen digits. Nearer samples need no
// copy.
const far = 100

// farOrigin returns the mean of the rows of X if it is far from 0, otherwise nil.
func farOrigin(X *mat.Dense) []float64 {
	n, d := X.Dims()
	mean, around := make([]float64, d), 0.0
	for i := range n {
		floats.AddScaled(mean, 1/float64(n), X.RawRowView(i))
	}
	for i := range n {
		for j, v := range X.RawRowView(i) {
			around += (v - mean[j]) * (v - mean[j]) / float64(n)
		}
	}
	if square := floats.Dot(mean, mean); !check.Finite(square) || square <= far*far*around {
		return nil
	}
	return mean
}

// shifted returns X with origin subtracted from each row, or X itself if origin is nil.
func shifted(X *mat.Dense, origin []float64) *mat.Dense {
	if origin == nil {
		return X
	}
	n, d := X.Dims()
	Z := mat.NewDense(n, d, nil)
	for i := range n {
		floats.SubTo(Z.RawRowView(i), X.RawRowView(i), origin)
	}
	return Z
}
