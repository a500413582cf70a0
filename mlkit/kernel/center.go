package kernel

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Centering takes the mean of the samples' images out of a kernel: the inner
// product becomes that of φ(x) - φ̄ with φ̄ = Σ φ(xᵢ)/n (Bernhard Schölkopf, Alexander
// Smola and Klaus-Robert Müller, "Nonlinear component analysis as a kernel
// eigenvalue problem", 1998, appendix B). φ is not needed for it:
//
//	k̃(x, z) = k(x, z) - Σ k(x, xᵢ)/n - Σ k(xᵢ, z)/n + ΣΣ k(xᵢ, xⱼ)/n²
type Centering struct {
	Means []float64 `json:"means"` // Means[j] = Σ Kᵢⱼ/n
	Mean  float64   `json:"mean"`  // ΣΣ Kᵢⱼ/n²
}

// NewCentering returns the means of a Gram matrix.
func NewCentering(K *mat.SymDense) Centering {
	n := K.SymmetricDim()
	c := Centering{Means: make([]float64, n)}
	for i := range n {
		for j := i; j < n; j++ {
			c.Means[i] += K.At(i, j)
			if i != j {
				c.Means[j] += K.At(i, j)
			}
		}
	}
	floats.Scale(1/float64(n), c.Means)
	c.Mean = floats.Sum(c.Means) / float64(n)
	return c
}

// Gram returns the centred Gram matrix of K, whose means c has: each row and column
// of it sums to 0. K is not changed.
func (c Centering) Gram(K *mat.SymDense) *mat.SymDense {
	n := K.SymmetricDim()
	centred := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			centred.SetSym(i, j, K.At(i, j)-(c.Means[i]+c.Means[j])+c.Mean)
		}
	}
	return centred
}

// Row centres row = (k(x, x₁), …, k(x, xₙ)), the kernel of any sample x with those of
// the Gram matrix, in place.
func (c Centering) Row(row []float64) {
	mean := floats.Sum(row) / float64(len(row))
	for i, m := range c.Means {
		row[i] += c.Mean - (mean + m)
	}
}
