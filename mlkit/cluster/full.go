package cluster

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/simd"
)

// fullWeights holds all n×n affinities.
type fullWeights struct {
	n int
	w []float64 // row-major
}

func (f *fullWeights) size() int           { return f.n }
func (f *fullWeights) row(i int) []float64 { return f.w[i*f.n : (i+1)*f.n] }

// mul reads only half of a large matrix, since reading dominates its time.
func (f *fullWeights) mul(dst, x []float64) {
	if f.n >= gram.SymmetricFrom {
		simd.SymmetricMul(dst, f.w, f.n, x)
		return
	}
	for i := range dst {
		dst[i] = simd.Dot(f.row(i), x)
	}
}

func (f *fullWeights) links(i int) (to []int, w []float64) { return nil, f.row(i) }

// gaussianWeights links all samples with w_ij = exp(-γ‖xᵢ - xⱼ‖²) and w_ii = 0.
func gaussianWeights(ctx context.Context, X *mat.Dense, gamma float64) (*fullWeights, error) {
	n, _ := X.Dims()
	data, err := eigen.Zeros(ctx, n*n)
	if err != nil {
		return nil, err
	}
	f := &fullWeights{n, data}
	if n >= gram.SymmetricFrom {
		return f, f.gaussian(ctx, X, gamma)
	}
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := range i {
			w := math.Exp(-gamma * squaredDistance(X.RawRowView(i), X.RawRowView(j)))
			f.w[i*n+j], f.w[j*n+i] = w, w
		}
	}
	return f, nil
}

// gaussian fills in the weights panel by panel; they must be 0 before. The distances
// equal squaredDistance bit for bit. Exponentials below exp(-708) count as 0.
func (f *fullWeights) gaussian(ctx context.Context, X *mat.Dense, gamma float64) error {
	const vanishing = 3.308e-308 // slightly above exp(-708), the least value that simd.Gauss returns
	var tile [simd.Rows * width]float64
	var own [simd.Rows]float64
	var squares [width]float64
	p := newPanels(X)
	for from := 0; from < f.n; from += width {
		to, panel := min(f.n, from+width), p.data[from*p.d:(from+width)*p.d]
		for first := 0; first < to; first += simd.Rows {
			if first%(simd.Rows*64) == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			rows := min(simd.Rows, to-first)
			for r := range rows {
				simd.Distances(tile[r*width:], panel, X.RawRowView(first+r))
			}
			// simd.Gauss takes inner products, so pass the ones that give these
			// distances.
			for i, square := range tile[:rows*width] {
				tile[i] = -square / 2
			}
			simd.Gauss(tile[:], own[:rows], squares[:], gamma)
			for r := range rows {
				i := first + r
				for j := max(from, i+1); j < to; j++ {
					w := tile[r*width+j-from]
					if w < vanishing {
						w = 0
					}
					f.w[i*f.n+j], f.w[j*f.n+i] = w, w
				}
			}
		}
	}
	return nil
}

// givenWeights copies and checks the caller's matrix.
func givenWeights(W mat.Matrix) (*fullWeights, error) {
	if W == nil {
		return nil, fmt.Errorf("cluster: W is nil, want an n×n matrix of affinities")
	}
	n, c := W.Dims()
	if n != c || n == 0 {
		return nil, fmt.Errorf("cluster: W is %d×%d, want a square matrix of affinities", n, c)
	}
	f := &fullWeights{n, rows.Large[float64](n * n)}
	for i := range n {
		for j := range i + 1 {
			w, other := W.At(i, j), W.At(j, i)
			for _, v := range []float64{w, other} {
				if !(v >= 0 && v <= math.MaxFloat64) {
					return nil, fmt.Errorf("cluster: W[%d][%d] = %v and W[%d][%d] = %v, want finite numbers ≥ 0", i, j, w, j, i, other)
				}
			}
			if math.Abs(w-other) > 1e-10*max(w, other) {
				return nil, fmt.Errorf("cluster: W[%d][%d] = %v, but W[%d][%d] = %v, want a symmetric matrix", i, j, w, j, i, other)
			}
			f.w[i*n+j], f.w[j*n+i] = w, w
		}
	}
	return f, nil
}
