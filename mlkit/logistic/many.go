package logistic

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
)

// From this many samples, or elements of X, a fit works on blocks of rows with vector
// instructions. Smaller fits take milliseconds, and every processor gives the same bits.
const (
	manyRows     = 10000
	manyElements = 1 << 20
)

// many reports whether X is that large.
func many(X *mat.Dense) bool {
	n, d := X.Dims()
	return n >= manyRows || n >= manyElements/d
}

// block is the largest number of rows in a block. They stay in the cache while the
// scores, the losses and the gradient are computed.
const block = 64

// blockOf returns the number of rows of e elements in a block: at most 2¹⁷ elements, or 8
// rows if these have more. 2¹⁷ elements in float64 are half of a second-level cache of
// 2 MB.
func blockOf(e int) int { return min(block, max(8, 1<<17/e&^7)) }

// valueOfMany is valueOfFew by blocks, in one pass over Z.
func (p *problem) valueOfMany(theta, grad []float64) (loss float64) {
	_, e := p.dims()
	switch {
	case p.exact:
		return valueOver(p, e, p.standardised(), theta, grad)
	case p.rough != nil:
		return valueOver(p, e, inOrder(p.rough, e), theta, grad)
	}
	raw := p.Z.RawMatrix()
	return valueOver(p, raw.Stride, inOrder(raw.Data, raw.Stride), theta, grad)
}

// inOrder returns a function that returns the rows of z from one on, and prefetches as
// many rows after them.
func inOrder[T simd.Float](z []T, stride int) func(from, rows int) []T {
	return func(from, rows int) []T {
		some := z[from*stride:]
		simd.Prefetch(some[min(rows*stride, len(some)):min(2*rows*stride, len(some))])
		return some
	}
}

// valueOver is valueOfMany on rows that a function returns, given the first and the
// number of them.
func valueOver[T simd.Float](p *problem, stride int, rows func(from, rows int) []T, theta, grad []float64) (loss float64) {
	n, e := p.dims()
	K := p.loss.outputs()
	scores := newBlockScores(K)
	step := blockOf(e)
	// Few enough rows to stay in the first-level cache through all classes.
	few := step
	if K > 1 {
		few = min(step, max(8, 1<<12/e&^7))
	}
	for from := 0; from < n; from += step {
		if p.ctx.Err() != nil {
			return math.NaN()
		}
		scores.rows = min(step, n-from)
		z := rows(from, scores.rows)
		for r := 0; r < scores.rows; r += few {
			rows := min(few, scores.rows-r)
			for k := range K {
				simd.Products(scores.f[k*block+r:][:rows], z[r*stride:], stride, theta[k*e:(k+1)*e])
			}
		}
		loss += p.loss.block(from, scores)
		if grad == nil {
			continue
		}
		for r := 0; r < scores.rows; r += few {
			rows := min(few, scores.rows-r)
			for k := range K {
				simd.Combine(grad[k*e:(k+1)*e], z[r*stride:], stride, scores.f[k*block+r:][:rows])
			}
		}
	}
	return loss
}

// blockScores holds the scores of the samples in a block, and scratch for the losses.
type blockScores struct {
	rows int
	f    []float64 // class k's score of sample r is at k·block+r
	exp  []float64 // as f
	rest [block]float64
	top  [block]float64
	at   [block]int

	zeros []float64
}

func newBlockScores(K int) *blockScores {
	w := simd.Width[float64]()
	return &blockScores{f: make([]float64, K*block), exp: make([]float64, K*block), zeros: make([]float64, max(w, K*block/w))}
}

// exponentials replaces exp by e^{2exp}. The elements of exp must be at most 0.
func (s *blockScores) exponentials() {
	// This is the Gaussian kernel with γ = 1 for inner products exp of samples of length
	// 0.
	w := simd.Width[float64]()
	simd.Gauss(s.exp, s.zeros[:len(s.exp)/w], s.zeros[:w], 1)
}

// logs returns Σ log(1 + rest). It takes only one logarithm for sixteen elements, of
// 1 + q = Π (1 + restᵢ). A factor adds rest·(1 + q) to q. Since nothing is subtracted,
// elements near 0 keep their digits.
func (s *blockScores) logs() (sum float64) {
	for from := 0; from < s.rows; from += 16 {
		q := 0.0
		for _, r := range s.rest[from:min(from+16, s.rows)] {
			q += r + q*r
		}
		sum += math.Log1p(q)
	}
	return sum
}

func (s *signLoss) block(from int, scores *blockScores) (loss float64) {
	for r, f := range scores.f[:scores.rows] {
		scores.exp[r] = -math.Abs(f) / 2
	}
	scores.exponentials()
	for r, f := range scores.f[:scores.rows] {
		y := float64(s.y[from+r])
		// With e = e^{-|m|}, σ(-m) is e/(1 + e) for m ≥ 0, else 1/(1 + e), and -log σ(m)
		// is log(1 + e) + max(-m, 0).
		m, e := y*f, scores.exp[r]
		part := 1.0
		if m >= 0 {
			part = e
		}
		scores.rest[r] = e
		scores.f[r] = -y * part / (1 + e)
		loss += max(-m, 0)
	}
	return loss + scores.logs()
}

func (s *softmaxLoss) block(from int, scores *blockScores) (loss float64) {
	rows, K := scores.rows, len(s.g)
	top, at, rest := scores.top[:rows], scores.at[:rows], scores.rest[:rows]
	copy(top, scores.f)
	clear(at)
	for k := 1; k < K; k++ {
		for r, v := range scores.f[k*block:][:rows] {
			if v > top[r] {
				top[r], at[r] = v, k
			}
		}
	}
	for k := range K {
		exp := scores.exp[k*block:][:rows]
		for r, v := range scores.f[k*block:][:rows] {
			exp[r] = (v - top[r]) / 2
		}
	}
	scores.exponentials()
	// The largest term is 1. Adding it last keeps the digits of a loss near 0.
	for r, k := range at {
		loss += top[r] - scores.f[s.index[from+r]*block+r]
		scores.exp[k*block+r] = 0
		rest[r] = 0
	}
	for k := range K {
		for r, v := range scores.exp[k*block:][:rows] {
			rest[r] += v
		}
	}
	loss += scores.logs()
	for r, k := range at {
		scores.exp[k*block+r] = 1
		rest[r] = 1 / (1 + rest[r])
	}
	for k := range K {
		f := scores.f[k*block:][:rows]
		for r, v := range scores.exp[k*block:][:rows] {
			f[r] = v * rest[r]
		}
	}
	for r := range at {
		scores.f[s.index[from+r]*block+r]--
	}
	return loss
}
