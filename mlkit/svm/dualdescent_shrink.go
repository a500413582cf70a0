package svm

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/simd"
)

// shrinking runs the passes of dualDescent over many samples. A pass leaves out the
// samples at a bound whose gradient G is beyond the previous pass's largest violation,
// until the gap has been measured again (Hsieh and others, 2008, algorithm 3).
//
// A pass mostly waits for memory, so its rows are in float32. The multipliers that are
// optimal for those are nearly optimal for X; measure finds the gap on X. If it is too
// large, all later passes run on X itself.
type shrinking struct {
	descent *dualDescent
	rough   []float32 // n×d, rows padded as in w; nil if the passes run on X
	misled  int       // how often the gap was small on rough but not on X
	samples []simd.Coordinate
	usual   []int32 // samples that take steps, ascending
	active  []int32 // the active set: samples of usual that are not shrunk, ascending
	order   []int32 // the active set in the order of the pass
	state   simd.Descent

	steps int     // steps since the gap was measured
	total float64 // Σ Cᵢ
}

// newShrinking takes over the curvatures and the initial multipliers of r.
func newShrinking(r *dualDescent, rough []float32) *shrinking {
	s := &shrinking{descent: r, rough: rough, samples: make([]simd.Coordinate, len(r.y)), total: floats.Sum(r.bound)}
	s.state.Bias2 = r.beta2
	if r.Loss == SquaredHinge {
		s.state.Squared = 1
	}
	for i, y := range r.y {
		if r.bound[i] == 0 || r.square[i] == 0 && r.Loss == Hinge {
			r.alpha[i] = r.bound[i] // its slack is 1 for every w
		} else {
			s.usual = append(s.usual, int32(i))
		}
		s.samples[i] = simd.Coordinate{Alpha: r.alpha[i], Y: y, Bound: r.bound[i], Square: r.square[i]}
	}
	s.restore()
	return s
}

// restore resets the active set to all samples after the gap has been measured.
func (s *shrinking) restore() {
	s.active = append(s.active[:0], s.usual...)
	for i := range s.samples {
		s.samples[i].Out = 0
	}
	s.state.Low, s.state.High = math.Inf(-1), math.Inf(1)
	s.steps = 0
}

// pass goes once over the active set in a new random order. It returns the largest |G| of
// the multipliers it changed, or false if ctx is done.
func (s *shrinking) pass(ctx context.Context, random *rand.Rand) (missed float64, ok bool) {
	s.shuffle(random)
	s.steps += len(s.order)
	q, raw := &s.state, s.descent.X.RawMatrix()
	q.B, q.Gap, q.Least, q.Most, q.Missed = s.descent.b, 0, math.Inf(1), math.Inf(-1), 0
	for order := s.order; len(order) > 0; {
		if ctx.Err() != nil {
			return 0, false
		}
		some := order[:min(len(order), 1024)]
		order = order[len(some):]
		if s.rough != nil {
			w := s.descent.w[:cap(s.descent.w)] // padded with zeros like the rows
			simd.Descend(s.rough, len(w), w, some, s.samples, q)
		} else {
			simd.Descend(raw.Data, raw.Stride, s.descent.w, some, s.samples, q)
		}
		s.descent.b = q.B
	}
	s.active = slices.DeleteFunc(s.active, func(i int32) bool { return s.samples[i].Out != 0 })
	if q.Low = q.Least; !(q.Low < 0) {
		q.Low = math.Inf(-1)
	}
	if q.High = q.Most; !(q.High > 0) {
		q.High = math.Inf(1)
	}
	return q.Missed, true
}

// store copies the multipliers to the dualDescent.
func (s *shrinking) store() {
	for i, q := range s.samples {
		s.descent.alpha[i] = q.Alpha
	}
}

// shuffle sets the order of a pass. It shuffles the active set in blocks of 16
// neighbours, and each block in itself: neighbours share memory pages, and looking up a
// page takes longer than a step. With a free b all samples pull b the same way, and fixed
// blocks would take more passes, so blocks have a single sample.
func (s *shrinking) shuffle(random *rand.Rand) {
	size := 16
	if s.descent.Bias == mlkit.FreeBias {
		size = 1
	}
	starts := make([]int32, (len(s.active)+size-1)/size)
	for i := range starts {
		starts[i] = int32(i * size)
	}
	shuffle(starts, random)
	s.order = s.order[:0]
	for _, from := range starts {
		block := s.active[from:min(int(from)+size, len(s.active))]
		s.order = append(s.order, block...)
		if size > 1 {
			permute(s.order[len(s.order)-len(block):], random.Uint64())
		}
	}
}

// permute permutes at most 16 numbers by the fraction part/2⁶⁴, read as a number in mixed
// radix: each swap takes one digit, in the base of the places left. The probabilities of
// two orders differ by at most 16!/2⁶⁴, relative to their size.
func permute(order []int32, part uint64) {
	for i := len(order) - 1; i > 0; i-- {
		j, rest := bits.Mul64(part, uint64(i+1))
		order[i], order[j] = order[j], order[i]
		part = rest
	}
}

// shuffle shuffles the numbers (Ronald Fisher and Frank Yates, 1938).
func shuffle(order []int32, random *rand.Rand) {
	for i := len(order) - 1; i > 0; i-- {
		// Multiplying instead of taking a remainder has a bias of at most n/2⁶⁴.
		j, _ := bits.Mul64(random.Uint64(), uint64(i+1))
		order[i], order[j] = order[j], order[i]
	}
}

// due reports whether to measure the gap, which takes as long as some passes over all
// samples: after many steps, or if the pass has seen a gap small enough to end the fit.
// If that happens three times, the float32 samples are misleading, and later passes run
// on X.
func (s *shrinking) due() bool {
	if s.near() {
		const patience = 3
		if s.misled++; s.misled == patience {
			s.exactly()
		}
		return true
	}
	return s.steps >= 10*len(s.descent.y)
}

// near reports whether the gap that the pass has seen is within tolerance.
func (s *shrinking) near() bool {
	r := s.descent
	// The value of the dual is at most Σ Cᵢ: αᵢ ≤ Cᵢ, or αᵢ - αᵢ²/(4Cᵢ) ≤ Cᵢ.
	if s.state.Gap > r.Tol*s.total {
		return false
	}
	value := -floats.Dot(r.w, r.w) / 2
	if r.Bias == mlkit.PenalisedBias {
		value -= r.b * r.b / 2
	}
	for _, q := range s.samples {
		if value += q.Alpha; r.Loss == SquaredHinge && q.Alpha > 0 {
			value -= q.Alpha * (q.Alpha / q.Bound) / 4
		}
	}
	return s.state.Gap <= r.Tol*value
}

// exactly makes the next passes run on X.
func (s *shrinking) exactly() {
	s.rough = nil
	signed := make([]float64, len(s.descent.y))
	for i, q := range s.samples {
		signed[i] = q.Alpha * q.Y
	}
	copy(s.descent.w, s.descent.combination(signed))
}
