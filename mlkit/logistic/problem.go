package logistic

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/posterior"
	"marginalia/mlkit/internal/rows"
)

// problem is the objective of a Regression for columns with mean 0, and variance 1
// if L2 = 0, each sample extended by 1. Its variable θ is (w, b), or one (w_k, b_k) per
// class. Since b is not penalised and the penalties on w are converted, it is the same
// problem.
type problem struct {
	Regression
	ctx         context.Context
	X           *mat.Dense // n×d
	Z           *mat.Dense // n×(d+1); nil with rough or exact
	mean, scale []float64  // of the columns of X
	perScale    []float64  // 1/scale, or 0 for a constant column
	l2, l1      []float64  // penalties of the d+1 weights of a class
	loss        loss

	// rough is Z in float32, for L-BFGS with many samples, which mostly waits for memory.
	// It is a slightly different problem: its gradient over n is usually off by less than
	// 10⁻⁷, a tenth of the smallest Tol with which it is used. exact is set when that is
	// solved, and for CoordinateDescent with many samples: rows of Z are then computed
	// from X as needed.
	rough []float32
	exact bool
}

// loss is the loss of one sample as a function of its scores.
type loss interface {
	outputs() int // scores per sample
	// at returns the loss of sample i at scores f. If gradient, it replaces f by the
	// gradient.
	at(i int, f []float64, gradient bool) float64
	// block returns the loss of the samples from the given one on at their scores, and
	// replaces these by the gradient.
	block(from int, scores *blockScores) float64
	// curvature sets h[k*len(f)+l], l ≥ k, to the second derivatives. Those off the
	// diagonal are at most 0.
	curvature(f, h []float64)
	// margin returns the smallest amount by which f prefers the class of sample i to
	// another.
	margin(i int, f []float64) float64
	// margins calls do once per other class, with the c for which c·f is that amount.
	margins(i int, do func(c []float64))
	// of returns the loss of the given samples, numbered from 0.
	of(rows []int) loss
}

func newProblem(ctx context.Context, l Regression, X *mat.Dense) (*problem, error) {
	if l.Tol == 0 {
		if l.Tol = 1e-6; l.Solver == Newton {
			l.Tol = 1e-8
		}
	}
	if l.MaxIter == 0 {
		if l.MaxIter = 10000; l.Solver == Newton {
			l.MaxIter = 100
		}
	}
	_, d := X.Dims()
	p := &problem{
		Regression: l, ctx: ctx, X: X,
		mean: make([]float64, d), scale: make([]float64, d), perScale: make([]float64, d), l2: make([]float64, d+1), l1: make([]float64, d+1),
	}
	if !p.standardise() {
		// Cancelled: run has nothing to do, and the weights are those of θ = 0.
		clear(p.mean)
		floats.AddConst(1, p.scale)
		return p, nil
	}
	for j, s := range p.scale {
		// The weight of the column is a number of ordinary size, divided by s.
		if !(s >= 1e-300 && s <= 1e300) {
			deviation := fmt.Sprintf("%.3g", s)
			if !(s <= 1e300) {
				deviation = "above 1e300" // it may be finite but overflow on the way
			}
			return nil, fmt.Errorf("logistic: Regression: column %d of X has deviation %s, want one from 1e-300 to 1e300; scale it", j, deviation)
		}
	}
	return p, nil
}

// dims returns the shape of Z.
func (p *problem) dims() (n, e int) {
	if p.Z == nil { // with rough or exact, or the context was done early
		n, d := p.X.Dims()
		return n, d + 1
	}
	return p.Z.Dims()
}

// rows calls do for each of n rows. It returns false if the context was done before the
// end.
func (p *problem) rows(n int, do func(i int)) bool {
	for i := range n {
		if i%early.Chunk == 0 && p.ctx.Err() != nil {
			return false
		}
		do(i)
	}
	return true
}

// original converts θ to the weights and biases for samples as given.
func (p *problem) original(theta []float64) (W [][]float64, B []float64) {
	d := len(p.mean)
	for k := 0; k < len(theta); k += d + 1 {
		w := make([]float64, d)
		floats.DivTo(w, theta[k:k+d], p.scale)
		W = append(W, w)
		B = append(B, theta[k+d]-floats.Dot(w, p.mean))
	}
	return W, B
}

// dim returns the length of θ.
func (p *problem) dim() int { return p.loss.outputs() * (len(p.mean) + 1) }

func (p *problem) scores(f, theta, z []float64) {
	for k := range f {
		f[k] = floats.Dot(theta[k*len(z):(k+1)*len(z)], z)
	}
}

// value returns the loss, and the loss with L2. It writes the gradient of the latter to
// grad unless that is nil. Both are NaN if the context is done.
func (p *problem) value(theta, grad []float64) (loss, smooth float64) {
	clear(grad)
	_, e := p.dims()
	if many(p.X) {
		loss = p.valueOfMany(theta, grad)
	} else {
		loss = p.valueOfFew(theta, grad)
	}
	smooth = loss
	for a, t := range theta {
		smooth += p.l2[a%e] * t * t / 2
		if grad != nil {
			grad[a] += p.l2[a%e] * t
		}
	}
	return loss, smooth
}

// valueOfFew returns the loss, and adds its gradient to grad unless that is nil.
func (p *problem) valueOfFew(theta, grad []float64) (loss float64) {
	f := make([]float64, p.loss.outputs())
	n, e := p.Z.Dims()
	for i := range n {
		if i%early.Chunk == 0 && p.ctx.Err() != nil {
			return math.NaN()
		}
		z := p.Z.RawRowView(i)
		p.scores(f, theta, z)
		loss += p.loss.at(i, f, grad != nil)
		if grad != nil {
			for k, r := range f {
				floats.AddScaled(grad[k*e:(k+1)*e], r, z)
			}
		}
	}
	return loss
}

// absolute returns the L1 penalty of θ.
func (p *problem) absolute(theta []float64) float64 {
	sum := 0.0
	for a, t := range theta {
		sum += p.l1[a%len(p.l1)] * math.Abs(t)
	}
	return sum
}

// hessian returns the Hessian of the loss with L2. If shifting a weight of all classes
// alike changes nothing, H is singular. It is made definite by adding c/M in all M²
// places of that weight, where c is the mean of its diagonal elements. The gradient has
// no component in this direction, so the Newton step stays the same.
func (p *problem) hessian(theta []float64) *mat.SymDense {
	n, e := p.Z.Dims()
	K := p.loss.outputs()
	if K == 1 && n >= gram.OuterFrom {
		return p.hessianOfMany(theta)
	}
	blocks := make([]*mat.SymDense, K*K)
	for k := range K {
		for l := k; l < K; l++ {
			blocks[k*K+l] = mat.NewSymDense(e, nil)
		}
	}
	f, h := make([]float64, K), make([]float64, K*K)
	weights := make([][]float64, K*K)
	for b := range weights {
		weights[b] = make([]float64, early.Chunk)
	}
	buf := mat.NewDense(early.Chunk, e, nil)
	for from := 0; from < n; from += early.Chunk {
		if p.ctx.Err() != nil {
			break
		}
		rows := min(early.Chunk, n-from)
		for r := range rows {
			p.scores(f, theta, p.Z.RawRowView(from+r))
			p.loss.curvature(f, h)
			for b, v := range h {
				weights[b][r] = v
			}
		}
		part := buf.Slice(0, rows, 0, e).(*mat.Dense)
		for b, block := range blocks {
			if block == nil {
				continue
			}
			sign := 1.0
			if b%(K+1) != 0 { // off the diagonal
				sign = -1
			}
			for r := range rows {
				floats.ScaleTo(part.RawRowView(r), math.Sqrt(math.Abs(weights[b][r])), p.Z.RawRowView(from+r))
			}
			block.SymRankK(block, sign, part.T())
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
	for j := range e {
		mean := 0.0
		for k := range K {
			a := k*e + j
			H.SetSym(a, a, H.At(a, a)+p.l2[j])
			mean += H.At(a, a) / float64(K)
		}
		if K == 1 || p.l2[j] > 0 || p.l1[j] > 0 {
			continue
		}
		for k := range K {
			for l := k; l < K; l++ {
				H.SetSym(k*e+j, l*e+j, H.At(k*e+j, l*e+j)+mean/float64(K))
			}
		}
	}
	return H
}

// hessianOfMany is hessian for two classes and many samples.
func (p *problem) hessianOfMany(theta []float64) *mat.SymDense {
	n, e := p.Z.Dims()
	f, h, row := make([]float64, 1), make([]float64, 1), make([]float64, e)
	H, err := gram.Outer(p.ctx, n, e, func(i int) []float64 {
		z := p.Z.RawRowView(i)
		p.scores(f, theta, z)
		p.loss.curvature(f, h)
		floats.ScaleTo(row, math.Sqrt(h[0]), z)
		return row
	}, false)
	if err != nil {
		return mat.NewSymDense(e, nil) // the context is done, and nobody uses the result
	}
	for j, l2 := range p.l2 {
		H.SetSym(j, j, H.At(j, j)+l2)
	}
	return H
}

// signLoss is the loss of two classes, -log σ(yf).
type signLoss struct{ y []int }

func (s *signLoss) outputs() int { return 1 }

func (s *signLoss) at(i int, f []float64, gradient bool) float64 {
	y := float64(s.y[i])
	m := y * f[0]
	if gradient {
		f[0] = -y * posterior.Sigmoid(-m)
	}
	// -log σ(m) = log(1 + e⁻ᵐ), without overflow for large -m.
	return math.Log1p(math.Exp(-math.Abs(m))) + math.Max(-m, 0)
}

func (s *signLoss) curvature(f, h []float64) {
	h[0] = posterior.Sigmoid(f[0]) * posterior.Sigmoid(-f[0])
}

func (s *signLoss) margin(i int, f []float64) float64 { return float64(s.y[i]) * f[0] }

func (s *signLoss) margins(i int, do func(c []float64)) { do([]float64{float64(s.y[i])}) }

func (s *signLoss) of(rows []int) loss { return &signLoss{y: pick(s.y, rows)} }

func pick(from []int, rows []int) []int {
	out := make([]int, len(rows))
	for r, i := range rows {
		out[r] = from[i]
	}
	return out
}

// softmaxLoss is the loss of many classes, -log(e^{f_k} / Σ e^{f_l}) for class k.
type softmaxLoss struct {
	index []int
	g     []float64 // scratch
}

func newSoftmaxLoss(index []int, M int) *softmaxLoss {
	return &softmaxLoss{index: index, g: make([]float64, M)}
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
		posterior.Softmax(f)
		f[s.index[i]]--
	}
	return top + math.Log1p(rest)
}

func (s *softmaxLoss) curvature(f, h []float64) {
	copy(s.g, f)
	posterior.Softmax(s.g)
	for k, p := range s.g {
		for l, q := range s.g {
			h[k*len(f)+l] = -p * q
		}
		rest := 0.0 // 1 - p without cancellation
		for l, q := range s.g {
			if l != k {
				rest += q
			}
		}
		h[k*len(f)+k] = p * rest
	}
}

func (s *softmaxLoss) margin(i int, f []float64) float64 {
	least := math.Inf(1)
	for k, v := range f {
		if k != s.index[i] {
			least = math.Min(least, f[s.index[i]]-v)
		}
	}
	return least
}

func (s *softmaxLoss) margins(i int, do func(c []float64)) {
	c := make([]float64, len(s.g))
	for k := range c {
		if k == s.index[i] {
			continue
		}
		clear(c)
		c[s.index[i]], c[k] = 1, -1
		do(c)
	}
}

func (s *softmaxLoss) of(rows []int) loss {
	return newSoftmaxLoss(pick(s.index, rows), len(s.g))
}
