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
// nil.
func (r *perceptronRun) impossible(ended ending) (alpha []int, reason string) {
	if i, j, ok := r.opposed(); ok {
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

// opposed finds two rows of X that are one point with both labels. Through the
// origin, a row that is 0 is opposed to itself.
func (r *perceptronRun) opposed() (i, j int, ok bool) {
	n := len(r.y)
	// The latest row of each hash, from 1, in the first free place from where the hash's
	// highest bits point; twice as many places as rows.
	free := 63 - bits.Len(uint(n))
	places := make([]int32, 1<<(64-free))
	hashes := make([]uint64, n)
	earlier := make([]int32, n) // the row before of the same hash, from 1
	first := n
	for b := range n {
		x := r.X.RawRowView(b)
		if r.Bias == ThroughOrigin && b < first && r.mistake(0, r.y[b]) && !slices.ContainsFunc(x, notZero) {
			first, i, j = b, b, b
		}
		hashes[b] = hash(x)
		at := hashes[b] >> free
		for places[at] != 0 && hashes[places[at]-1] != hashes[b] {
			at = (at + 1) % uint64(len(places))
		}
		a := places[at]
		places[at], earlier[b] = int32(b+1), a
		for a > 0 && !slices.Equal(x, r.X.RawRowView(int(a-1))) {
			a = earlier[a-1]
		}
		if a > 0 && r.y[a-1] != r.y[b] && int(a-1) < first {
			first, i, j = int(a-1), int(a-1), b
		}
	}
	return i, j, first < n
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
