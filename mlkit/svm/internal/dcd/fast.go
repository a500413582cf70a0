package dcd

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/simd"
)

// fastPasses are the passes over many samples. simd.Descend takes their steps, with vector
// instructions. What else is not in dcd.go:
//
// Shrinking (Hsieh and others, 2008, section 3.2 and algorithm 3). Most multipliers soon
// reach the bound where they stay. Let m and M be the smallest and the largest Gᵢ of the
// previous pass that do not point out of the bounds. A sample that points further out is
// left out,
//
//	αᵢ = 0 and Gᵢ > M̄,  or  αᵢ = Uᵢ and Gᵢ < m̄,   with m̄ = m if m < 0, else -∞,  and M̄ = M if M > 0, else ∞
//
// until the gap over all samples has been measured.
//
// Rows in float32. A pass mostly waits for memory, and these take half of it. The
// multipliers that are optimal for them are nearly optimal for X. Solve measures the gap
// on X; once it makes no more progress there, all later passes run on X itself.
type fastPasses struct {
	rough  []float32 // X in float32, rows padded as w is; nil if the passes run on X
	moving []int32   // samples whose multipliers are not settled, ascending
	active []int32   // the active set: samples of moving that are not left out, ascending
	next   []int32   // the active set in the order of the pass
	blocks int       // the number of neighbours that shuffled keeps together
	state  simd.Descent

	taken int     // steps since the gap was measured
	total float64 // Σ Cᵢ

	least float64 // the smallest gap measured while the rows were in float32
	near  bool    // whether the last pass saw a gap within tolerance
	stuck int     // measurements without progress, one after another
}

func newFastPasses(r *Fit, rough []float32) *fastPasses {
	p := &fastPasses{rough: rough, blocks: 16, total: floats.Sum(r.C), least: math.Inf(1)}
	if r.Bias == mlkit.FreeBias {
		p.blocks = 1 // see shuffled
	}
	p.state.Bias2 = r.beta2
	if r.Squared {
		p.state.Squared = 1
	}
	for i := range r.samples {
		if !r.settled(&r.samples[i]) {
			p.moving = append(p.moving, int32(i))
		}
	}
	p.restore(r)
	return p
}

// restore resets the active set to all samples that move.
func (p *fastPasses) restore(r *Fit) {
	p.active = append(p.active[:0], p.moving...)
	for i := range r.samples {
		r.samples[i].Out = 0
	}
	p.state.Low, p.state.High = math.Inf(-1), math.Inf(1)
	p.taken = 0
}

func (p *fastPasses) order(random *rand.Rand) []int32 {
	p.state.Gap, p.state.Least, p.state.Most = 0, math.Inf(1), math.Inf(-1)
	p.next = shuffled(p.next[:0], p.active, p.blocks, random)
	return p.next
}

func (p *fastPasses) steps(r *Fit, some []int32) float64 {
	p.state.B, p.state.Missed = r.b, 0
	if raw := r.X.RawMatrix(); p.rough == nil {
		simd.Descend(raw.Data, raw.Stride, r.w, some, r.samples, &p.state)
	} else {
		w := r.w[:cap(r.w)] // padded with zeros like the rows
		simd.Descend(p.rough, len(w), w, some, r.samples, &p.state)
	}
	r.b = p.state.B
	return p.state.Missed
}

// passed shrinks the active set. Measuring the gap takes as long as some passes over all
// samples, so it is due after many steps, or if the pass has seen a gap small enough to end
// the fit.
func (p *fastPasses) passed(r *Fit) bool {
	p.taken += len(p.next)
	p.active = slices.DeleteFunc(p.active, func(i int32) bool { return r.samples[i].Out != 0 })
	if p.state.Low = p.state.Least; !(p.state.Low < 0) {
		p.state.Low = math.Inf(-1)
	}
	if p.state.High = p.state.Most; !(p.state.High > 0) {
		p.state.High = math.Inf(1)
	}
	p.near = p.within(r)
	return p.near || p.taken >= 10*len(r.samples) || r.Passes%100 == 0
}

// within reports whether the gap that the pass has seen is within tolerance.
func (p *fastPasses) within(r *Fit) bool {
	// The value of the dual is at most Σ Cᵢ: αᵢ ≤ Cᵢ, or αᵢ - αᵢ²/(4Cᵢ) ≤ Cᵢ.
	if p.state.Gap > r.Tol*p.total {
		return false
	}
	value := -floats.Dot(r.w, r.w) / 2
	if r.Bias == mlkit.PenalizedBias {
		value -= r.b * r.b / 2
	}
	for _, q := range r.samples {
		if value += q.Alpha; r.Squared && q.Alpha > 0 {
			value -= q.Alpha * (q.Alpha / q.Bound) / 4
		}
	}
	return p.state.Gap <= r.Tol*value
}

// tooLarge restores the active set. It gives up float32 after three measurements in a row
// without progress. If the pass has seen the gap within tolerance and it is not, that gap has
// to fall by a tenth to count as progress: it is measured after every such pass, and
// rounding alone can make it a little smaller.
func (p *fastPasses) tooLarge(r *Fit, gap float64) {
	p.restore(r)
	if p.rough == nil {
		return
	}
	enough := p.least
	if p.near {
		enough *= 0.9
	}
	if p.stuck++; gap < enough {
		p.stuck = 0
	}
	p.least = min(p.least, gap)
	const patience = 3
	if p.stuck == patience {
		p.exactly(r)
	}
}

// exactly makes the next passes run on X.
func (p *fastPasses) exactly(r *Fit) {
	p.rough = nil
	signed := make([]float64, len(r.samples))
	for i, q := range r.samples {
		signed[i] = q.Alpha * q.Y
	}
	copy(r.w, r.Combination(signed))
}
