package newton

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// sums takes the two sums over the samples that take most of a step: plainSums for few
// samples, fastSums for many.
type sums interface {
	// hinge adds the first and the second derivative of Σ Cᵢ max(0, ξᵢ - tδᵢ)² in t: it returns
	// first - 2 Σ Cᵢδᵢ max(0, ξᵢ - tδᵢ), and second + 2 Σ Cᵢδᵢ² over the i with ξᵢ - tδᵢ > 0.
	hinge(first, second float64, ξ, δ, C []float64, t float64) (float64, float64)

	// outer adds Σ zₖzₖᵀ over n vectors to H; z writes vector k to dst. It returns false if ctx
	// is done.
	outer(ctx context.Context, H *mat.SymDense, n int, z func(dst []float64, k int)) bool

	// refine makes outer exact, and reports whether it has rounded to float32.
	refine() bool
}

// plainSums are in float64 and without vector instructions. They have the same bits on every
// processor of an architecture.
type plainSums struct{}

func (plainSums) hinge(first, second float64, ξ, δ, C []float64, t float64) (float64, float64) {
	for i, δ := range δ {
		if ξ := ξ[i] - t*δ; ξ > 0 {
			first -= 2 * C[i] * δ * ξ
			second += 2 * C[i] * δ * δ
		}
	}
	return first, second
}

func (plainSums) outer(ctx context.Context, H *mat.SymDense, n int, z func(dst []float64, k int)) bool {
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

func (plainSums) refine() bool { return false }

// fastSums use vector instructions, and float32 for the first Hessians.
type fastSums struct {
	plainSums
	rough int // remaining Hessians in float32; -1 once one has been in float64
}

// roughSteps is the number of Hessians in float32, usually more than Newton's method needs. If
// float32 is too coarse for that, later steps use float64.
const roughSteps = 8

func (*fastSums) hinge(first, second float64, ξ, δ, C []float64, t float64) (float64, float64) {
	a, b := simd.Hinge(ξ, δ, C, t)
	return first - 2*a, second + 2*b
}

func (f *fastSums) outer(ctx context.Context, H *mat.SymDense, n int, z func(dst []float64, k int)) bool {
	rough := f.rough > 0
	f.rough = max(-1, f.rough-1)
	if n < gram.OuterFrom {
		return f.plainSums.outer(ctx, H, n, z)
	}
	d := H.SymmetricDim()
	sum, err := gram.Outer(ctx, n, d, func(int) func(k int) []float64 {
		row := make([]float64, d)
		return func(k int) []float64 {
			z(row, k)
			return row
		}
	}, rough)
	if err == nil {
		H.AddSym(H, sum)
	}
	return err == nil
}

func (f *fastSums) refine() bool {
	rough := f.rough >= 0
	f.rough = -1
	return rough
}
