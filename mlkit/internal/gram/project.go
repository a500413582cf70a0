package gram

import (
	"runtime"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// Projection maps a sample x to the C numbers
//
//	Σⱼ V[c·m+j]·kⱼ,  k = (k(z₁, x), …, k(zₘ, x))
//
// for many samples at once. It computes in float64.
type Projection struct {
	F     Function
	Z     [][]float64 // the m samples zⱼ
	V     []float64   // C×m, row by row
	Shift []float64   // subtracted from all samples first; nil means none

	// Values sets k for a sample, for a kernel that is no Function; nil means F. Only the
	// goroutine of Apply calls it.
	Values func(k, x []float64)

	// Center changes k before it is multiplied by V; nil leaves it as it is. Several
	// goroutines call it at once.
	Center func(k []float64)
}

// Apply sets dst(t) to the image of sample row(t), for n samples as long as each zⱼ. Several
// goroutines call dst and row. The images do not depend on their number. If ctx is done, Apply
// returns ctx.Err() soon after, and the contents of dst are then meaningless.
func (p *Projection) Apply(ctx work.Ender, dst func(t int) []float64, n int, row func(t int) []float64) error {
	m := len(p.Z)
	a := &applied{Projection: p, dst: dst, n: n, m: m, d: len(p.Z[0]), rows: len(p.V) / m, row: row}
	if p.Values == nil {
		a.packSamples()
	}
	a.packVectors()
	panels := (n + width64 - 1) / width64
	workers := min(runtime.GOMAXPROCS(0), panels)
	if p.Values != nil {
		workers = 1
	}
	parallel(workers, func(int) { a.work(ctx, panels) })
	return ctx.Err()
}

// applied is the state of Apply.
type applied struct {
	*Projection
	dst     func(t int) []float64
	n, m, d int
	rows    int // C
	row     func(t int) []float64
	samples []group[float64] // of zⱼ
	vectors []group[float64] // of the rows of V

	next atomic.Int64 // the next panel that no goroutine has taken
}

func (a *applied) packSamples() {
	var samples [simd.Rows][]float64
	var squares [simd.Rows]float64
	for r := range samples {
		samples[r] = make([]float64, a.d)
	}
	for from := 0; from < a.m; from += simd.Rows {
		part := a.Z[from:min(a.m, from+simd.Rows)]
		for r, z := range part {
			squares[r] = shifted(samples[r], z, a.Shift)
		}
		a.samples = append(a.samples, group[float64]{})
		set(&a.samples[len(a.samples)-1], samples[:len(part)], squares[:len(part)])
	}
}

func (a *applied) packVectors() {
	for from := 0; from < a.rows; from += simd.Rows {
		var part [][]float64
		for c := from; c < min(a.rows, from+simd.Rows); c++ {
			part = append(part, a.V[c*a.m:(c+1)*a.m])
		}
		a.vectors = append(a.vectors, group[float64]{})
		set(&a.vectors[len(a.vectors)-1], part, make([]float64, len(part)))
	}
}

// work takes panels until none is left.
func (a *applied) work(ctx work.Ender, panels int) {
	panel, squares := make([]float64, a.d*width64), make([]float64, width64)
	// The kernels of a panel are a panel themselves: feature j is the kernel with zⱼ. Groups
	// write whole tiles, so there is room for the rest of the last one.
	values := make([]float64, (a.m+simd.Rows-1)/simd.Rows*simd.Rows*width64)
	tile, x, k := make([]float64, simd.Rows*width64), make([]float64, a.d), make([]float64, a.m)
	for ctx.Err() == nil {
		p := int(a.next.Add(1)) - 1
		if p >= panels {
			return
		}
		from, to := p*width64, min(a.n, (p+1)*width64)
		if a.Values == nil {
			for t := from; t < to; t++ {
				squares[t-from] = shifted(x, a.row(t), a.Shift)
				for j, v := range x {
					panel[j*width64+t-from] = v
				}
			}
			for q := range a.samples {
				evaluate(&a.samples[q], a.F, values[q*simd.Rows*width64:][:simd.Rows*width64], panel, squares)
			}
		}
		if a.Values != nil || a.Center != nil {
			for t := range to - from {
				for j := range k {
					k[j] = values[j*width64+t]
				}
				if a.Values != nil {
					a.Values(k, a.row(from+t))
				}
				if a.Center != nil {
					a.Center(k)
				}
				for j, v := range k {
					values[j*width64+t] = v
				}
			}
		}
		for q := range a.vectors {
			g := &a.vectors[q]
			simd.Tile(tile, values, g.x, g.features, g.tall)
			for t := from; t < to; t++ {
				image := a.dst(t)[q*simd.Rows:][:g.rows]
				for r := range image {
					image[r] = tile[r*width64+t-from]
				}
			}
		}
	}
}

// shifted sets dst to x - shift and returns its squared norm.
func shifted(dst, x, shift []float64) float64 {
	copy(dst, x)
	if shift != nil {
		floats.Sub(dst, shift)
	}
	return floats.Dot(dst, dst)
}
