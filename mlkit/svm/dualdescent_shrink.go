package svm

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/simd"
)

// shrinking is the passes of a dualDescent over many rows. It leaves out, until the gap
// has been measured anew, samples whose multiplier is at a bound that the derivative G
// holds it to more firmly than it asked of any other in the pass before (Hsieh and
// others, 2008, algorithm 3).
//
// A pass waits for the memory most of the time, so its rows are in float32. Multipliers
// that are good for those are nearly as good for X itself; measure says how good, and if
// that is too little, the passes are over X from then on.
type shrinking struct {
	descent *dualDescent
	rough   []float32 // n×d; nil if the passes are over X
	misled  int       // how often the gap was small for the rough samples, but not for X
	samples []simd.Coordinate
	usual   []int32 // the samples that steps can be taken for, in their order
	active  []int32 // those of them that are not left out, in their order
	order   []int32 // those again, in the order of the pass
	state   simd.Descent

	steps int     // since the gap was measured
	total float64 // Σ Cᵢ
}

// newShrinking takes over the curvatures, and the multipliers to start from.
func newShrinking(r *dualDescent, rough []float32) *shrinking {
	s := &shrinking{descent: r, rough: rough, samples: make([]simd.Coordinate, len(r.y)), total: floats.Sum(r.bound)}
	s.state.Bias2 = r.beta2
	if r.Loss == SquaredHinge {
		s.state.Squared = 1
	}
	for i, y := range r.y {
		if r.bound[i] == 0 || r.square[i] == 0 && r.Loss == Hinge {
			r.alpha[i] = r.bound[i] // its slack is 1 whatever w is
		} else {
			s.usual = append(s.usual, int32(i))
		}
		s.samples[i] = simd.Coordinate{Alpha: r.alpha[i], Y: y, Bound: r.bound[i], Square: r.square[i]}
	}
	s.restore()
	return s
}

// restore takes all samples into the passes again, after the gap was measured.
func (s *shrinking) restore() {
	s.active = append(s.active[:0], s.usual...)
	for i := range s.samples {
		s.samples[i].Out = 0
	}
	s.state.Low, s.state.High = math.Inf(-1), math.Inf(1)
	s.steps = 0
}

// pass goes once through the active samples in a new random order. It returns the largest
// step that a margin would still ask for, or false if ctx is done.
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
			w := s.descent.w[:cap(s.descent.w)] // with zeros, as the rows
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

// store hands the multipliers over to the dualDescent.
func (s *shrinking) store() {
	for i, q := range s.samples {
		s.descent.alpha[i] = q.Alpha
	}
}

// shuffle sets the order of a pass: the active samples in blocks of neighbours, the
// blocks in a random order and each in a random order in itself. Neighbours share pages
// of the memory, and finding a page takes longer than a step. A free b is moved by what
// all samples ask for in common, and then blocks that stay the same take more passes.
func (s *shrinking) shuffle(random *rand.Rand) {
	size := 16
	if s.descent.Bias == FreeBias {
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

// permute puts at most 16 numbers into the order that is the given part of 2⁶⁴ of all: of
// what is left of it, each turn takes a digit to the base of the places there are. No
// order is more likely than another by 16!/2⁶⁴.
func permute(order []int32, part uint64) {
	for i := len(order) - 1; i > 0; i-- {
		j, rest := bits.Mul64(part, uint64(i+1))
		order[i], order[j] = order[j], order[i]
		part = rest
	}
}

// shuffle puts the numbers into a random order (Ronald Fisher and Frank Yates, 1938).
func shuffle(order []int32, random *rand.Rand) {
	for i := len(order) - 1; i > 0; i-- {
		// The bias of a multiplication in place of a remainder is at most n/2⁶⁴.
		j, _ := bits.Mul64(random.Uint64(), uint64(i+1))
		order[i], order[j] = order[j], order[i]
	}
}

// due reports whether the gap is to be measured, which takes the time of some passes over
// all samples: if there were many steps since it was, or if the pass has seen so small a
// gap that it may be the last. If that happens again and again, it is the rough samples
// that are misleading, and they are given up.
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

// near reports whether the pass has seen a small gap.
func (s *shrinking) near() bool {
	r := s.descent
	// The value of the dual is at most Σ Cᵢ: αᵢ ≤ Cᵢ, or αᵢ - αᵢ²/(4Cᵢ) ≤ Cᵢ.
	if s.state.Gap > r.Tol*s.total {
		return false
	}
	value := -floats.Dot(r.w, r.w) / 2
	if r.Bias == PenalisedBias {
		value -= r.b * r.b / 2
	}
	for _, q := range s.samples {
		if value += q.Alpha; r.Loss == SquaredHinge && q.Alpha > 0 {
			value -= q.Alpha * (q.Alpha / q.Bound) / 4
		}
	}
	return s.state.Gap <= r.Tol*value
}

// exactly makes the next passes go over X.
func (s *shrinking) exactly() {
	s.rough = nil
	signed := make([]float64, len(s.descent.y))
	for i, q := range s.samples {
		signed[i] = q.Alpha * q.Y
	}
	copy(s.descent.w, s.descent.combination(signed))
}
