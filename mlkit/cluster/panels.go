package cluster

import (
	"context"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
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
	_ = p.parts().Do(func(_, from, to int) error {
		for i := from; i < to; i++ {
			panel := p.data[i/width*width*d+i%width:]
			for k, v := range X.RawRowView(i) {
				panel[k*width] = v
			}
		}
		return nil
	})
	return p
}

// parts returns the parts of the samples, whole panels each.
func (p panels) parts() work.Parts { return work.Divide(p.n, 2048) }

// each calls f with every panel, the range of its samples, from inclusive, to exclusive, and
// the number of their part. Workers of t call it at once, for different parts. It reports
// whether it reached the end before ctx was done. products is the number of products per
// feature and sample that f computes.
func (p panels) each(ctx context.Context, t *work.Team, products int, f func(panel []float64, from, to, part int)) bool {
	together := width * min(16, 1+1<<20/(width*products*p.d)) // at most a millisecond
	all := p.parts()
	var done atomic.Bool
	t.Do(all.Count(), func(_, part int) {
		first, last := all.Range(part)
		for from := first; from < last; from += width {
			if (from-first)%together == 0 && (done.Load() || ctx.Err() != nil) {
				done.Store(true)
				return
			}
			f(p.data[from*p.d:(from+width)*p.d], from, min(last, from+width), part)
		}
	})
	return !done.Load()
}

// nearest returns a function for each that sets labels[i] to the centre nearest to sample
// i, the first one on ties, and distances[i] to its squared distance, as nearestCenter does,
// bit for bit.
func (p panels) nearest(labels []int, distances []float64, centres [][]float64) func(panel []float64, from, to, part int) {
	var flat []float64
	for _, c := range centres {
		flat = append(flat, c...)
	}
	return func(panel []float64, from, to, _ int) {
		var index [width]int64
		var least [width]float64
		simd.Nearest(index[:], least[:], panel, flat, p.d)
		copy(distances[from:to], least[:])
		for i := range labels[from:to] {
			labels[from+i] = int(index[i])
		}
	}
}
