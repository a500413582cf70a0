package svm

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/work"
)

// sums takes the sums over the samples, the rows of X, that the algorithms for the linear
// kernel need. plainSums is for few samples, fastSums for many.
type sums interface {
	// products returns w·xᵢ for each sample.
	products(w []float64) []float64

	// combination returns Σ cᵢxᵢ.
	combination(c []float64) []float64

	// hinge adds the first and the second derivative of Σ Cᵢ max(0, ξᵢ - tδᵢ)² in t: it returns
	// first - 2 Σ Cᵢδᵢ max(0, ξᵢ - tδᵢ), and second + 2 Σ Cᵢδᵢ² over the i with ξᵢ - tδᵢ > 0.
	hinge(first, second float64, ξ, δ, C []float64, t float64) (float64, float64)

	// outer adds Σ zₖzₖᵀ over n vectors to H; z writes vector k to dst. If rough, outer may
	// round the vectors to float32. It returns false if ctx is done.
	outer(ctx context.Context, H *mat.SymDense, n int, z func(dst []float64, k int), rough bool) bool
}

// plainSums are in float64 and without vector instructions. They have the same bits on every
// processor of an architecture.
type plainSums struct{ X *mat.Dense }

func (p plainSums) products(w []float64) []float64 {
	return mlkit.Hyperplane{W: w}.Scores(nil, p.X)
}

func (p plainSums) combination(c []float64) []float64 {
	_, d := p.X.Dims()
	w := make([]float64, d)
	for i, v := range c {
		if v != 0 {
			floats.AddScaled(w, v, p.X.RawRowView(i))
		}
	}
	return w
}

func (plainSums) hinge(first, second float64, ξ, δ, C []float64, t float64) (float64, float64) {
	for i, δ := range δ {
		if ξ := ξ[i] - t*δ; ξ > 0 {
			first -= 2 * C[i] * δ * ξ
			second += 2 * C[i] * δ * δ
		}
	}
	return first, second
}

func (p plainSums) outer(ctx context.Context, H *mat.SymDense, n int, z func(dst []float64, k int), _ bool) bool {
	d := H.SymmetricDim()
	chunk := mat.NewDense(min(max(1, n), work.Chunk), d, nil)
	for from := 0; from < n; from += work.Chunk {
		to := min(n, from+work.Chunk)
		rows := chunk.Slice(0, to-from, 0, d).(*mat.Dense)
		for k := from; k < to; k++ {
			z(rows.RawRowView(k-from), k)
		}
		if work.Run(ctx, func() { H.SymRankK(H, 1, rows.T()) }) != nil {
			return false
		}
	}
	return true
}
