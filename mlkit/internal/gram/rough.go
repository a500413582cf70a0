package gram

import (
	"math"
	"sync/atomic"

	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// Error returns a bound on the errors of the elements of m:
// |Kᵢⱼ - k(xᵢ, xⱼ)| ≤ relative·Kᵢⱼ + absolute. It returns infinities unless the kernel is Gaussian
// and the relative error is below a tenth.
//
// With u = 2⁻²⁴, rounding samples to float32 changes ‖x-z‖² by up to 4u(‖x‖² + ‖z‖²), and
// summing the products of d features by up to 2du(‖x‖² + ‖z‖²). Rounding γ changes the
// argument t = γ‖x-z‖² by up to tu. With the error of simd.Gauss the relative error is at most
// (5 + 3t + γ(5 + 2d)(‖x‖² + ‖z‖²))u, and t·exp(-t) ≤ 1/e.
func (m *Matrix) Error() (relative, absolute float64) {
	const u = 0x1p-24
	const higher = 1.2 // the terms of higher order, and of numbers that are denormal or cut off
	relative = higher * u * (8 + m.f.Gamma*float64(5+2*m.terms)*2*m.square)
	if !m.f.Gauss || !(relative < 0.1) {
		return math.Inf(1), math.Inf(1)
	}
	return relative, higher * u * 3 / math.E
}

// Sums adds to dst[k] the sum Σ coef[j]·K of the elements in the rows of[j] and in the column
// at[k], in float64 and in the order of j. If ctx is done, it returns ctx.Err() soon after. It
// is not safe for concurrent use.
func (m *Matrix) Sums(ctx work.Ender, dst []float64, of []int, coef []float64, at []int) error {
	panels := (len(at) + width - 1) / width
	workers := m.employ(processors(len(at) * len(of) * m.d))
	chunk := simd.Rows * max(1, (1<<23)/(4*simd.Rows*(m.d+1))) // rows that stay in the cache
	for ; len(of) > 0; of, coef = of[min(len(of), chunk):], coef[min(len(of), chunk):] {
		groups := m.grouped(of[:min(len(of), chunk)])
		var next atomic.Int64
		parallel(workers, func(w int) {
			own := &m.workers[w]
			panel, squares := Resized(own.panel, m.d*width), make([]float32, width)
			own.panel = panel
			for p := int(next.Add(1)) - 1; p < panels; p = int(next.Add(1)) - 1 {
				from, to := p*width, min(len(at), (p+1)*width)
				for k, i := range at[from:to] {
					squares[k] = m.squares[i]
					column := m.panel(i / width)[i%width:]
					for feature := range m.d {
						panel[feature*width+k] = column[feature*width]
					}
				}
				for q := range groups {
					if q%every(m.d) == 0 && ctx.Err() != nil {
						return
					}
					tile := evaluate(&groups[q], m.f, own.tile, panel, squares)
					simd.CombineCached(dst[from:to], tile, width, coef[q*simd.Rows:][:groups[q].rows])
				}
			}
		})
		if ctx.Err() != nil {
			break
		}
	}
	return ctx.Err()
}
