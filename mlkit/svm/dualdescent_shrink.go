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
type shrinking struct {
	*dualDescent
	samples []coordinate
	usual   []int32 // the samples that steps can be taken for, in their order
	active  []int32 // those of them that are not left out, in their order
	order   []int32 // those again, in the order of the pass

	low, high float64 // a multiplier at 0 is left out if G > high, at its upper bound if G < low
	gap       float64 // as the pass has seen it: each sample's part when its turn came
}

// A coordinate is what a step needs of a sample, in one place of the memory.
type coordinate struct {
	alpha, y, bound, square float64
	out                     bool // whether it is left out
}

// ahead is how many rows before its turn a row is asked for from the memory.
const ahead = 4

func newShrinking(r *dualDescent) *shrinking {
	s := &shrinking{dualDescent: r, samples: make([]coordinate, len(r.y))}
	for i, y := range r.y {
		if r.bound[i] == 0 || r.square[i] == 0 && r.Loss == Hinge {
			r.alpha[i] = r.bound[i] // its slack is 1 whatever w is
		} else {
			s.usual = append(s.usual, int32(i))
		}
		s.samples[i] = coordinate{alpha: r.alpha[i], y: y, bound: r.bound[i], square: r.square[i]}
	}
	s.restore()
	return s
}

// restore takes all samples into the passes again.
func (s *shrinking) restore() {
	s.active = append(s.active[:0], s.usual...)
	for i := range s.samples {
		s.samples[i].out = false
	}
	s.low, s.high = math.Inf(-1), math.Inf(1)
}

// pass goes once through the active samples in a new random order. It returns the largest
// step that a margin would still ask for, or false if ctx is done.
func (s *shrinking) pass(ctx context.Context, random *rand.Rand) (missed float64, ok bool) {
	s.shuffle(random)
	raw := s.X.RawMatrix()
	row := func(i int32) []float64 { return raw.Data[int(i)*raw.Stride:][:raw.Cols] }
	least, most := math.Inf(1), math.Inf(-1) // of the G that ask for a step
	var product, step [1]float64
	s.gap = 0
	left := false // whether a sample is left out from now on
	for k, i := range s.order {
		if k%256 == 0 && ctx.Err() != nil {
			s.store()
			return 0, false
		}
		if k+ahead < len(s.order) {
			simd.Prefetch(row(s.order[k+ahead]))
		}
		x, c := row(i), &s.samples[i]
		simd.Products(product[:], x, raw.Stride, s.w)
		// G and the step are as in dualDescent.pass.
		G, upper, ridge := c.y*(product[0]+s.b)-1, c.bound, 0.0
		if s.Loss == SquaredHinge {
			upper, ridge = math.Inf(1), 1/(2*c.bound)
			slack := max(0, -G)
			s.gap += c.bound*slack*slack + c.alpha*G + c.alpha*c.alpha*ridge/2
			G += ridge * c.alpha
		} else {
			s.gap += c.bound*max(0, -G) + c.alpha*G
		}
		if c.alpha == 0 && G > s.high || c.alpha == upper && G < s.low {
			c.out, left = true, true
			continue
		}
		if c.alpha == 0 && G >= 0 || c.alpha == upper && G <= 0 {
			continue
		}
		least, most = min(least, G), max(most, G)
		after := min(max(c.alpha-G/(c.square+ridge), 0), upper)
		if after == c.alpha {
			continue
		}
		missed = max(missed, math.Abs(G))
		step[0] = (after - c.alpha) * c.y
		c.alpha = after
		simd.Combine(s.w, x, raw.Stride, step[:])
		s.b += step[0] * s.beta2
	}
	if left {
		s.active = slices.DeleteFunc(s.active, func(i int32) bool { return s.samples[i].out })
	}
	if s.low = least; !(s.low < 0) {
		s.low = math.Inf(-1)
	}
	if s.high = most; !(s.high > 0) {
		s.high = math.Inf(1)
	}
	s.store()
	return missed, true
}

// store hands the multipliers over to the dualDescent.
func (s *shrinking) store() {
	for i := range s.samples {
		s.alpha[i] = s.samples[i].alpha
	}
}

// shuffle sets the order of a pass: the active samples in blocks of neighbours, the
// blocks in a random order and each in a random order in itself. Neighbours share pages
// of the memory, and finding a page takes longer than a step. A free b is moved by what
// all samples ask for in common, and then blocks that stay the same take more passes.
func (s *shrinking) shuffle(random *rand.Rand) {
	size := 16
	if s.Bias == FreeBias {
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
		shuffle(s.order[len(s.order)-len(block):], random)
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

// near reports whether the pass has seen so small a gap that it is worth measuring.
func (s *shrinking) near() bool {
	value := -floats.Dot(s.w, s.w) / 2
	if s.Bias == PenalisedBias {
		value -= s.b * s.b / 2
	}
	for i, a := range s.alpha {
		if value += a; s.Loss == SquaredHinge && a > 0 {
			value -= a * (a / s.bound[i]) / 4
		}
	}
	return s.gap <= s.Tol*value
}
