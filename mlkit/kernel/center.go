package kernel

import (
	"context"
	"slices"

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
	c, _ := newCentering(context.Background(), K, nil) // which has no error of its own
	return c
}

// newCentering returns the means of K where sample i counts weights[i] times, once if
// weights are nil, or the context's error. The weights have a sum above 0.
func newCentering(ctx context.Context, K *mat.SymDense, weights []float64) (Centering, error) {
	raw := K.RawSymmetric()
	n := raw.N
	if weights == nil {
		weights = slices.Repeat([]float64{1}, n)
	}
	c := Centering{Means: make([]float64, n)}
	for i := range n {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		for j, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+n] {
			c.Means[i] += weights[i+j] * v
			if j > 0 {
				c.Means[i+j] += weights[i] * v
			}
		}
	}
	total := floats.Sum(weights)
	floats.Scale(1/total, c.Means)
	c.Mean = floats.Dot(weights, c.Means) / total
	return c, nil
}

// Gram returns the centred Gram matrix of K, whose means c has: each row and column
// of it sums to 0. K is not changed.
func (c Centering) Gram(K *mat.SymDense) *mat.SymDense {
	centred := mat.NewSymDense(K.SymmetricDim(), nil)
	centred.CopySym(K)
	_ = c.centre(context.Background(), centred) // which has no error of its own
	return centred
}

// centre is Gram in place, or the context's error.
func (c Centering) centre(ctx context.Context, K *mat.SymDense) error {
	raw := K.RawSymmetric()
	for i := range raw.N {
		if err := ctx.Err(); err != nil {
			return err
		}
		row := raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N]
		for j, v := range row {
			row[j] = v - (c.Means[i] + c.Means[i+j]) + c.Mean
		}
	}
	return nil
}

// Row centres row = (k(x, x₁), …, k(x, xₙ)), the kernel of any sample x with those of
// the Gram matrix, in place.
func (c Centering) Row(row []float64) {
	mean := floats.Sum(row) / float64(len(row))
	for i, m := range c.Means {
		row[i] += c.Mean - (mean + m)
	}
}
