package linear

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// impossible looks for a proof that no hyperplane separates the samples: numbers
// αᵢ ≥ 0, not all zero, with Σ αᵢyᵢ(xᵢ, c) = 0. It returns them and a sentence, or
// nil. The rows that some hyperplane has on the wrong side are given, ascending.
func (r *perceptronRun) impossible(ended ending, wrong []int32) (alpha []int, reason string) {
	if i, j, ok := r.opposed(wrong); ok {
		alpha = make([]int, len(r.y))
		alpha[i], alpha[j] = 1, 1
		if i == j {
			return alpha, fmt.Sprintf("row %d of X is 0, which no hyperplane through the origin has on a side", i)
		}
		return alpha, fmt.Sprintf("rows %d and %d of X are the same point with labels %+d and %+d", i, j, r.y[i], r.y[j])
	}
	if ended == inCircle && r.circle.proves(r.Perceptron, r.X, r.y) {
		return r.circle.mistakes, fmt.Sprintf("%s, so no hyperplane has each of them on its own side", cancelling(r.circle.mistakes))
	}
	return nil, ""
}

// opposed finds two rows of X that are one point with both labels, those of the smallest
// numbers. Through the origin, a row that is 0 is opposed to itself. One of two such rows
// is among the wrong ones.
func (r *perceptronRun) opposed(wrong []int32) (i, j int, ok bool) {
	_, d := r.X.Dims()
	const line = 8 // numbers that the memory gives at once
	s := opposedSearch{perceptronRun: r, steps: 4 * len(r.y)}
	if d <= line || !s.run(wrong, line) {
		s.steps = math.MaxInt
		s.run(wrong, d)
	}
	return s.i, s.j, s.ok
}

// opposedSearch is a search for opposed rows.
type opposedSearch struct {
	*perceptronRun
	steps int // left
	i, j  int // found
	ok    bool
}

// run compares rows that have the same hash of some first columns. It returns false if
// that takes more steps than there are.
func (s *opposedSearch) run(wrong []int32, columns int) bool {
	// The wrong rows of a hash, each point once with each label, the last of them first.
	last, before := map[uint64]int32{}, make([]int32, len(wrong))
	key := func(row int) uint64 { return hash(s.X.RawRowView(row)[:columns]) }
	each := func(row int, do func(other int) (goOn bool)) {
		for k, ok := last[key(row)]; ok && k >= 0; k = before[k] {
			if s.steps--; !do(int(wrong[k])) {
				return
			}
		}
	}
	for k, row := range wrong {
		a, known := int(row), false
		if s.Bias == ThroughOrigin && s.mistake(0, s.y[a]) && !slices.ContainsFunc(s.X.RawRowView(a), notZero) {
			s.found(a, a)
		}
		each(a, func(b int) bool {
			known = s.y[a] == s.y[b] && slices.Equal(s.X.RawRowView(a), s.X.RawRowView(b))
			return !known && s.steps > 0
		})
		if known {
			continue
		}
		before[k] = -1
		if first, ok := last[key(a)]; ok {
			before[k] = first
		}
		last[key(a)] = int32(k)
	}
	for a := range s.y {
		each(a, func(b int) bool {
			if s.y[a] != s.y[b] && slices.Equal(s.X.RawRowView(a), s.X.RawRowView(b)) {
				s.found(min(a, b), max(a, b))
			}
			return s.steps > 0
		})
	}
	return s.steps > 0
}

// found keeps a pair if it is the first.
func (s *opposedSearch) found(i, j int) {
	if !s.ok || i < s.i || i == s.i && j < s.j {
		s.i, s.j, s.ok = i, j, true
	}
}

// hash is the same for equal points: -0 is 0.
func hash(x []float64) uint64 {
	const odd = 0x9e3779b97f4a7c15
	var h [4]uint64 // so that one product need not wait for the other
	for ; len(x) >= len(h); x = x[len(h):] {
		for k := range h {
			h[k] = (bits.RotateLeft64(h[k], 29) ^ math.Float64bits(x[k]+0)) * odd
		}
	}
	for _, v := range x {
		h[0] = (bits.RotateLeft64(h[0], 29) ^ math.Float64bits(v+0)) * odd
	}
	for _, v := range h[1:] {
		h[0] = (bits.RotateLeft64(h[0], 29) ^ v) * odd
	}
	return h[0]
}

func notZero(v float64) bool { return v != 0 }

// cancelling says which samples, how many times each, sum to nothing.
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

// circle finds out that a run goes round in a circle: in the order of the rows, a
// pass depends on nothing but the hyperplane it begins with, so a hyperplane
// that comes back comes back for ever. On samples that can't be separated the
// weights stay bounded (Block and Levin, "On the boundedness of an iterative
// procedure for solving a system of linear inequalities", 1970), so with whole
// numbers they must come back. The hyperplane of pass 2^k is compared with those
// after it until pass 2^(k+1), as in Richard Brent's search for cycles (1980).
type circle struct {
	kept     Hyperplane
	next     int   // the pass whose hyperplane is kept next
	mistakes []int // of each sample, since the hyperplane was kept
}

func newCircle(start Hyperplane, n int) circle {
	return circle{kept: start.Clone(), next: 1, mistakes: make([]int, n)}
}

func (c *circle) count(i int) { c.mistakes[i]++ }

// closed reports whether h, the hyperplane after the given number of passes, is
// the one that is kept.
func (c *circle) closed(h Hyperplane, passes int) bool {
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

// proves reports whether the mistakes αᵢ of a closed circle sum to 0, as they do
// if nothing was rounded away: Σ αᵢyᵢxᵢ = 0 and, with a bias, Σ αᵢyᵢ = 0. If a
// score of 0 is right for positive samples a negative one must be among them.
func (c *circle) proves(p Perceptron, X *mat.Dense, y []int) bool {
	_, d := X.Dims()
	sum := make([]float64, d)
	labels, negative := 0, false
	for i, a := range c.mistakes {
		if a == 0 {
			continue
		}
		floats.AddScaled(sum, float64(a*y[i]), X.RawRowView(i))
		labels += a * y[i]
		negative = negative || y[i] < 0
	}
	return !slices.ContainsFunc(sum, notZero) && (p.Bias == ThroughOrigin || labels == 0) && (negative || !p.ZeroIsPositive)
}
