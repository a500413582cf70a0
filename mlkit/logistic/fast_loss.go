package logistic

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/simd"
)

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

// logs returns Σ v log(1 + rest) for the samples from the given one on. Without weights it
// takes only one logarithm for sixteen elements, of
// 1 + q = Π (1 + restᵢ). A factor adds rest·(1 + q) to q. Since nothing is subtracted,
// elements near 0 keep their digits.
func (s *blockScores) logs(from int, v weights) (sum float64) {
	if v != nil {
		for r, rest := range s.rest[:s.rows] {
			sum += v[from+r] * math.Log1p(rest)
		}
		return sum
	}
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
		scores.f[r] = s.weight(from+r) * -y * part / (1 + e)
		loss += s.weight(from+r) * max(-m, 0)
	}
	return loss + scores.logs(from, s.weights)
}

// roots replaces the derivatives that block has left by the square roots of the second ones:
// with e = e^{-|f|}, σ(f)σ(-f) is e/(1 + e)².
func (s *signLoss) roots(from int, scores *blockScores) {
	for r, e := range scores.rest[:scores.rows] {
		scores.f[r] = math.Sqrt(s.weight(from+r)*e) / (1 + e)
	}
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
		loss += s.weight(from+r) * (top[r] - scores.f[s.index[from+r]*block+r])
		scores.exp[k*block+r] = 0
		rest[r] = 0
	}
	for k := range K {
		for r, v := range scores.exp[k*block:][:rows] {
			rest[r] += v
		}
	}
	loss += scores.logs(from, s.weights)
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
	if s.weights != nil {
		for k := range K {
			floats.Mul(scores.f[k*block:][:rows], s.weights[from:from+rows])
		}
	}
	return loss
}
