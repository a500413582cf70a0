package cluster

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
)

// width is the number of samples in a panel.
const width = 32

// panels are samples as package simd takes them: of each panel d times one number of
// each of its samples, and 0 for those that fill the last one up.
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

// each calls f with every panel and its samples, from up to to, and reports whether it
// came to the end before ctx did. A panel takes the given number of products per feature.
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

// nearest sets labels[i] to the first of the centres nearest to sample i and
// distances[i] to its squared distance: nearestCentre's, to the bit. It shows done each
// panel, and which samples it has, from one on up to another.
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
