package logistic

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// softmaxLoss is the loss of many classes, -v log(e^{f_k} / Σ e^{f_l}) for class k.
type softmaxLoss struct {
	labels
	g []float64 // scratch
}

func (s *softmaxLoss) atZero() float64 { return math.Log(float64(s.K)) }

func (s *softmaxLoss) at(i int, f []float64, gradient bool) float64 {
	// log Σ e^{f_l - f_k}, by log1p so that a loss near 0 keeps its digits.
	own := f[s.y[i]]
	top, rest := f[rows.Largest(f)]-own, 0.0
	skipped := false
	for _, v := range f {
		if v-own == top && !skipped {
			skipped = true
			continue
		}
		rest += math.Exp(v - own - top)
	}
	if gradient {
		rows.Softmax(f)
		f[s.y[i]]--
		floats.Scale(s.weight(i), f)
	}
	return s.weight(i) * (top + math.Log1p(rest))
}

func (s *softmaxLoss) curvature(i int, f, h []float64) {
	v := s.weight(i)
	copy(s.g, f)
	rows.Softmax(s.g)
	for k, p := range s.g {
		for l, q := range s.g {
			h[k*len(f)+l] = v * -p * q
		}
		rest := 0.0 // 1 - p without cancellation
		for l, q := range s.g {
			if l != k {
				rest += q
			}
		}
		h[k*len(f)+k] = v * p * rest
	}
}

// softmaxHessian is hessian for many classes. Its block of the classes k and l is
// Σ hᵢzᵢzᵢᵀ, where hᵢ is vᵢp_k(1 - p_k) if k = l and -vᵢp_k p_l otherwise.
func (s plain) softmaxHessian(ctx work.Ender, theta []float64) *mat.SymDense {
	n, e := s.Z.Dims()
	K := len(theta) / e
	blocks, weights := make([]*mat.SymDense, K*K), make([][]float64, K*K)
	for b := range blocks {
		if b/K <= b%K {
			blocks[b] = mat.NewSymDense(e, nil)
		}
		weights[b] = make([]float64, work.Chunk)
	}
	f, h, A := make([]float64, K), make([]float64, K*K), mat.NewDense(work.Chunk, e, nil)
	for from := 0; from < n && ctx.Err() == nil; from += work.Chunk {
		rows := min(work.Chunk, n-from)
		for r := range rows {
			scores(f, theta, s.Z.RawRowView(from+r))
			s.loss.curvature(from+r, f, h)
			for b, v := range h {
				weights[b][r] = v
			}
		}
		for b, block := range blocks {
			if block == nil {
				continue
			}
			sign := 1.0
			if b%(K+1) != 0 { // off the diagonal
				sign = -1
			}
			for r := range rows {
				floats.ScaleTo(A.RawRowView(r), math.Sqrt(math.Abs(weights[b][r])), s.Z.RawRowView(from+r))
			}
			block.SymRankK(block, sign, A.Slice(0, rows, 0, e).T())
		}
	}
	H := mat.NewSymDense(K*e, nil)
	for k := range K {
		for l := k; l < K; l++ {
			for i := range e {
				for j := range e {
					if k != l || j >= i {
						H.SetSym(k*e+i, l*e+j, blocks[k*K+l].At(i, j))
					}
				}
			}
		}
	}
	return H
}

func (s *softmaxLoss) tilt(i int, f, u []float64, c float64) (divergence, least float64) {
	v, own := s.weight(i), s.y[i]
	log, mean := floats.LogSumExp(f), 0.0
	for k, t := range f {
		mean += math.Exp(t-log) * u[k]
	}
	least = math.Inf(1)
	rise, slope := 0.0, 0.0
	for k := range f {
		q, t := math.Exp(f[k]-log), u[k]-mean
		least = math.Min(least, 1+t)
		if k != own {
			rise += q * (c - 1 + c*t)
			divergence += relative(q, f[k]-log, q*(c-1+c*t))
			u[k] = v * c * q * (1 + t)
			slope += u[k]
		}
	}
	u[own] = -slope
	return v * (divergence + relative(math.Exp(f[own]-log), f[own]-log, -rise)), least
}

func (s *softmaxLoss) respond(i int, f, u []float64) {
	log, mean, v := floats.LogSumExp(f), 0.0, s.weight(i)
	for k, t := range f {
		mean += math.Exp(t-log) * u[k]
	}
	for k, t := range f {
		u[k] = v * math.Exp(t-log) * (u[k] - mean)
	}
}

func (s *softmaxLoss) block(from int, scores *blockScores) (loss float64) {
	rows, K := scores.rows, s.K
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
		loss += s.weight(from+r) * (top[r] - scores.f[s.y[from+r]*block+r])
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
		scores.f[s.y[from+r]*block+r]--
	}
	if s.weights != nil {
		for k := range K {
			floats.Mul(scores.f[k*block:][:rows], s.weights[from:from+rows])
		}
	}
	return loss
}
