package kernel

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Centering centres a kernel: it replaces φ(x) by φ(x) - φ̄ with φ̄ = Σ φ(xᵢ)/n (Bernhard
// Schölkopf, Alexander Smola and Klaus-Robert Müller, "Nonlinear component analysis as a
// kernel eigenvalue problem", 1998, appendix B). This needs only kernel values:
//
//	k̃(x, z) = k(x, z) - Σ k(x, xᵢ)/n - Σ k(xᵢ, z)/n + ΣΣ k(xᵢ, xⱼ)/n²
type Centering struct {
	Means []float64 `json:"means"` // Means[j] = Σ Gᵢⱼ/n
	Mean  float64   `json:"mean"`  // ΣΣ Gᵢⱼ/n²
}

// NewCentering returns the centring of the samples with Gram matrix G.
func NewCentering(G *mat.SymDense) Centering {
	c, _ := NewWeightedCentering(context.Background(), G, nil) // never fails: the context has no end
	return c
}

// NewWeightedCentering is NewCentering with weights: sample i counts weights[i] times. Nil
// weights are all 1; otherwise their sum must be positive. The only error is the
// context's.
func NewWeightedCentering(ctx context.Context, G *mat.SymDense, weights []float64) (Centering, error) {
	raw := G.RawSymmetric()
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

// Gram returns the centred copy of G, the Gram matrix that c was made from. Each row and
// column of the result sums to 0.
func (c Centering) Gram(G *mat.SymDense) *mat.SymDense {
	centred := mat.NewSymDense(G.SymmetricDim(), nil)
	centred.CopySym(G)
	_ = c.Center(context.Background(), centred) // never fails: the context has no end
	return centred
}

// Center is Gram in place. The only error is the context's.
func (c Centering) Center(ctx context.Context, G *mat.SymDense) error {
	raw := G.RawSymmetric()
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

// Row centres row = (k(x, x₁), …, k(x, xₙ)) in place, where x is any sample and the xᵢ
// are those of the Gram matrix.
func (c Centering) Row(row []float64) {
	mean := floats.Sum(row) / float64(len(row))
	for i, m := range c.Means {
		row[i] += c.Mean - (mean + m)
	}
}
