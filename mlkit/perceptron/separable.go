package perceptron

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"marginalia/mlkit"

	"gonum.org/v1/gonum/mat"
)

// impossible looks for a proof that no hyperplane separates the samples: numbers
// αᵢ ≥ 0, not all zero, with Σ αᵢyᵢ(xᵢ, c) = 0. It returns them with a sentence that
// states the proof, or nil. v is the verdict of any hyperplane.
func (r *learner) impossible(ended ending, v *verdict) (alpha []float64, reason string) {
	if i, j, ok := r.opposed(v); ok {
		alpha = make([]float64, len(r.y))
		alpha[i], alpha[j] = 1, 1
		if i == j {
			return alpha, fmt.Sprintf("row %d of X is 0, which no hyperplane through the origin has on a side", i)
		}
		return alpha, fmt.Sprintf("rows %d and %d of X are the same point with labels %+d and %+d", i, j, r.y[i], r.y[j])
	}
	if ended == inCycle && r.cycle.proves(r.Perceptron, r.X, r.y) {
		alpha = make([]float64, len(r.y))
		for i, count := range r.cycle.mistakes {
			alpha[i] = float64(count)
		}
		return alpha, fmt.Sprintf("%s, so no hyperplane has each of them on its own side", cancelling(r.cycle.mistakes))
	}
	return nil, ""
}

// opposed finds two equal rows of X with different labels, the pair with the smallest
// row numbers. With NoBias, a zero row is opposed to itself. Two opposed rows
// have the same score, so one of them is wrong.
func (r *learner) opposed(v *verdict) (i, j int, ok bool) {
	s := opposedSearch{learner: r, keys: make([]uint64, len(r.y)), steps: 4 * len(r.y)}
	for i, score := range v.scores {
		s.keys[i] = math.Float64bits(score + 0)
	}
	if !s.run(v.wrong) { // too many distinct points share a score: hash the points instead
		for i := range s.keys {
			s.keys[i] = hash(r.X.RawRowView(i))
		}
		s.steps = math.MaxInt
		s.run(v.wrong)
	}
	return s.i, s.j, s.ok
}

// opposedSearch is the state of a search for opposed rows.
type opposedSearch struct {
	*learner
	keys  []uint64 // one per row; equal for equal rows
	steps int      // comparisons left
	i, j  int      // found
	ok    bool
}

// run compares rows that have the same key. It returns false if the comparisons run
// out.
func (s *opposedSearch) run(wrong []int32) bool {
	// last is a hash table with open addressing, at most half full: last[slot] is
	// 1 + the index in wrong of the newest distinct point with that key and label,
	// before chains to older ones.
	free := 63 - bits.Len(uint(len(wrong)))
	last, before := make([]int32, 1<<(64-free)), make([]int32, len(wrong))
	place := func(key uint64) uint64 {
		at := key * golden >> free
		for last[at] != 0 && s.keys[wrong[last[at]-1]] != key {
			at = (at + 1) % uint64(len(last))
		}
		return at
	}
	for k, row := range wrong {
		a, known := int(row), false
		if s.Bias == mlkit.NoBias && s.mistake(0, s.y[a]) && !slices.ContainsFunc(s.X.RawRowView(a), notZero) {
			s.found(a, a)
		}
		at := place(s.keys[a])
		for l := last[at]; l > 0 && !known; l = before[l-1] {
			b := int(wrong[l-1])
			known = s.y[a] == s.y[b] && slices.Equal(s.X.RawRowView(a), s.X.RawRowView(b))
			if s.steps--; s.steps < 0 {
				return false
			}
		}
		if !known {
			before[k], last[at] = last[at], int32(k+1)
		}
	}
	for a, key := range s.keys {
		for l := last[place(key)]; l > 0; l = before[l-1] {
			b := int(wrong[l-1])
			if s.y[a] != s.y[b] && slices.Equal(s.X.RawRowView(a), s.X.RawRowView(b)) {
				s.found(min(a, b), max(a, b))
			}
			if s.steps--; s.steps < 0 {
				return false
			}
		}
	}
	return true
}

// found records a pair if it precedes the one found so far.
func (s *opposedSearch) found(i, j int) {
	if !s.ok || i < s.i || i == s.i && j < s.j {
		s.i, s.j, s.ok = i, j, true
	}
}

// golden is 2⁶⁴ over the golden ratio, an odd number. Multiplication by it mixes the
// bits (Donald Knuth, "The Art of Computer Programming", volume 3, section 6.4).
const golden = 0x9e3779b97f4a7c15

// hash returns equal values for equal points; it treats -0 as 0.
func hash(x []float64) uint64 {
	var h [4]uint64 // four independent words, so that the products can overlap
	for ; len(x) >= len(h); x = x[len(h):] {
		for k := range h {
			h[k] = (bits.RotateLeft64(h[k], 29) ^ math.Float64bits(x[k]+0)) * golden
		}
	}
	for _, v := range x {
		h[0] = (bits.RotateLeft64(h[0], 29) ^ math.Float64bits(v+0)) * golden
	}
	for _, v := range h[1:] {
		h[0] = (bits.RotateLeft64(h[0], 29) ^ v) * golden
	}
	return h[0]
}

func notZero(v float64) bool { return v != 0 }

// cancelling describes the vanishing sum: its samples and how many times each occurs.
func cancelling(alpha []int) string {
	const most = 8
	var rows, times []string
	for i, a := range alpha {
		if a == 0 {
			continue
		}
		if len(rows) == most {
			rows, times = append(rows, "…"), append(times, "…")
			break
		}
		rows, times = append(rows, fmt.Sprint(i)), append(times, fmt.Sprint(a))
	}
	return fmt.Sprintf("Σ αᵢyᵢxᵢ = 0 with α = %s for rows %s of X", strings.Join(times, ", "), strings.Join(rows, ", "))
}

// cycle detects that a run cycles. In row order, a pass depends only on the hyperplane
// at its start, so a hyperplane that recurs once recurs for ever. On samples that are
// not separable the weights stay bounded (Block and Levin, "On the boundedness of an
// iterative procedure for solving a system of linear inequalities", 1970), so with
// whole numbers they must recur. The hyperplane of pass 2^k is compared with those up
// to pass 2^(k+1), as in Richard Brent's cycle detection (1980).
type cycle struct {
	kept     mlkit.Hyperplane
	next     int   // the next pass whose hyperplane to keep
	mistakes []int // on each sample, since the hyperplane was kept
}

func newCycle(start mlkit.Hyperplane, n int) cycle {
	return cycle{kept: start.Clone(), next: 1, mistakes: make([]int, n)}
}

func (c *cycle) count(i int) { c.mistakes[i]++ }

// closed reports whether h, the hyperplane after the given number of passes, equals the
// kept one. If not, and it is due, h is kept.
func (c *cycle) closed(h mlkit.Hyperplane, passes int) bool {
	if h.B == c.kept.B && slices.Equal(h.W, c.kept.W) {
		return true
	}
	if passes == c.next {
		copy(c.kept.W, h.W)
		c.kept.B = h.B
		c.next *= 2
		clear(c.mistakes)
	}
	return false
}

// proves reports whether the mistakes αᵢ of a closed cycle prove that the samples are
// not separable: Σ αᵢyᵢxᵢ = 0 and, with a bias, Σ αᵢyᵢ = 0. That holds unless rounding
// lost an update. With ZeroIsPositive, a negative sample must be among the mistakes.
func (c *cycle) proves(p Perceptron, X *mat.Dense, y []int) bool {
	labels, negative := 0, false
	for i, a := range c.mistakes {
		labels += a * y[i]
		negative = negative || a > 0 && y[i] < 0
	}
	return (p.Bias == mlkit.NoBias || labels == 0) && (negative || !p.ZeroIsPositive) && c.cancels(X, y)
}

// cancels reports whether Σ αᵢyᵢxᵢ = 0 in exact arithmetic. A float64 sum may be 0 for
// separable samples: 5·8.1 - 40.5 is 0 in float64, although five times the float64 8.1
// is not exactly 40.5.
func (c *cycle) cancels(X *mat.Dense, y []int) bool {
	// All bits of a float64, from 2⁻¹⁰⁷⁴ to 2¹⁰²⁴, and 64 each for the number of
	// samples and of mistakes.
	const precision = 1074 + 1024 + 64 + 64
	_, d := X.Dims()
	for j := range d {
		sum := new(big.Float).SetPrec(precision)
		var count, v, product big.Float
		product.SetPrec(precision)
		for i, a := range c.mistakes {
			if a != 0 {
				sum.Add(sum, product.Mul(count.SetInt64(int64(a*y[i])), v.SetFloat64(X.At(i, j))))
			}
		}
		if sum.Sign() != 0 {
			return false
		}
	}
	return true
}
