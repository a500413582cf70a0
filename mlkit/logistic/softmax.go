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
	index []int
	weights
	g []float64 // scratch
}

func newSoftmaxLoss(index []int, v weights, M int) *softmaxLoss {
	return &softmaxLoss{index: index, weights: v, g: make([]float64, M)}
}

func (s *softmaxLoss) outputs() int { return len(s.g) }

func (s *softmaxLoss) at(i int, f []float64, gradient bool) float64 {
	// log Σ e^{f_l - f_k}, by log1p so that a loss near 0 keeps its digits.
	own := f[s.index[i]]
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
		f[s.index[i]]--
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
	K := s.loss.outputs()
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

// fixShift makes H definite where shifting a weight of all K classes alike changes
// nothing, or nearly nothing because L2 is small. It adds c/K in all K² places of that
// weight, where c is the mean of its diagonal elements. The gradient has no component in this direction, so the Newton step
// stays the same.
func (p *problem) fixShift(H *mat.SymDense, K int) {
	e := len(p.l2)
	for j := range e {
		mean := 0.0
		for k := range K {
			mean += H.At(k*e+j, k*e+j) / float64(K)
		}
		if p.l2[j] > 1e-8*mean || p.l1[j] > 0 {
			continue
		}
		for k := range K {
			for l := k; l < K; l++ {
				H.SetSym(k*e+j, l*e+j, H.At(k*e+j, l*e+j)+mean/float64(K))
			}
		}
	}
}
