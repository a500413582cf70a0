package svm

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The origin does not matter to a machine with the linear kernel: as Σ αᵢyᵢ = 0, other
// samples x - m give the same α, the same w, and b + w·m. To float64 it does matter: of
// products of samples that are a million times as far from 0 as from each other, no
// digit is left of what tells them apart.

// far is the distance of the samples' mean from 0, in standard deviations, from which on
// it is subtracted: products lose four of their sixteen digits there. Nearer, X need
// not be copied.
const far = 100

// farOrigin returns the mean of the rows of X if they are far from 0, and else nil.
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
	if square := floats.Dot(mean, mean); !finite(square) || square <= far*far*around {
		return nil
	}
	return mean
}

// shifted returns the rows of X less origin, or X if that is nil.
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

// weights returns w = Σ αᵢyᵢxᵢ of the linear kernel.
func (s *smo) weights() []float64 {
	_, d := s.X.dims()
	w, z := make([]float64, d), make([]float64, d)
	for i, a := range s.alpha {
		if a == 0 {
			continue
		}
		x := s.X.row(i)
		if s.origin != nil {
			x = floats.SubTo(z, x, s.origin)
		}
		floats.AddScaled(w, a*s.y[i]*s.sign, x)
	}
	return w
}

// modelB returns the bias of the samples as they are for the b of those that g is of.
func (s *smo) modelB(b float64) float64 {
	if s.origin == nil {
		return s.sign * b
	}
	return s.sign*b - floats.Dot(s.weights(), s.origin)
}
