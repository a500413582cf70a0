package cluster

import (
	"context"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/team"
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
// exclusive; workers of t call it at once. It reports whether it reached the end before ctx
// was done. products is the number of products per feature and sample that f computes.
func (p panels) each(ctx context.Context, t *team.Team, products int, f func(panel []float64, from, to int)) bool {
	together := width * min(16, 1+1<<20/(width*products*p.d)) // at most a millisecond
	var done atomic.Bool
	t.Do((p.n+together-1)/together, func(_, part int) {
		if done.Load() || ctx.Err() != nil {
			done.Store(true)
			return
		}
		for from := part * together; from < min(p.n, (part+1)*together); from += width {
			f(p.data[from*p.d:(from+width)*p.d], from, min(p.n, from+width))
		}
	})
	return !done.Load()
}

// nearest returns a function for each that sets labels[i] to the centre nearest to sample
// i, the first one on ties, and distances[i] to its squared distance, as nearestCentre does,
// bit for bit.
func (p panels) nearest(labels []int, distances []float64, centres [][]float64) func(panel []float64, from, to int) {
	var flat []float64
	for _, c := range centres {
		flat = append(flat, c...)
	}
	return func(panel []float64, from, to int) {
		var index [width]int64
		var least [width]float64
		simd.Nearest(index[:], least[:], panel, flat, p.d)
		copy(distances[from:to], least[:])
		for i := range labels[from:to] {
			labels[from+i] = int(index[i])
		}
	}
}
