package cluster

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
)

// width is the number of samples in a panel.
const width = 32

// panels holds samples in the layout that package simd uses. Each panel has width
// samples, feature by feature; the last panel is padded with zeros.
type panels struct {
	n, d int
	data []float64
}

// newPanels packs the rows of X (n×d).
func newPanels(X *mat.Dense) panels {
	n, d := X.Dims()
	p := panels{n, d, make([]float64, (n+width-1)/width*width*d)}
	for i := range n {
		panel := p.data[i/width*width*d+i%width:]
		for k, v := range X.RawRowView(i) {
			panel[k*width] = v
		}
	}
	return p
}

// each calls f with every panel and the range of its samples, from inclusive, to
// exclusive. It reports whether it reached the end before ctx was done. products is the
// number of products per feature and sample that f computes.
func (p panels) each(ctx context.Context, products int, f func(panel []float64, from, to int)) bool {
	every := 1 + 1<<20/(width*products*p.d) // about a millisecond
	for from := 0; from < p.n; from += width {
		if from/width%every == 0 && ctx.Err() != nil {
			return false
		}
		f(p.data[from*p.d:(from+width)*p.d], from, min(p.n, from+width))
	}
	return true
}

// nearest sets labels[i] to the centre nearest to sample i, the first one on ties, and
// distances[i] to its squared distance, as nearestCentre does, bit for bit. After each
// panel it calls done with the panel and the range of its samples.
func (p panels) nearest(ctx context.Context, labels []int, distances []float64, centres [][]float64, done func(panel []float64, from, to int)) bool {
	var flat []float64
	for _, c := range centres {
		flat = append(flat, c...)
	}
	var index [width]int64
	var least [width]float64
	return p.each(ctx, len(centres), func(panel []float64, from, to int) {
		simd.Nearest(index[:], least[:], panel, flat, p.d)
		copy(distances[from:to], least[:])
		for i := range labels[from:to] {
			labels[from+i] = int(index[i])
		}
		done(panel, from, to)
	})
}
