package logistic

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// loss is the loss of a sample as a function of its K scores: one for two classes, otherwise
// one per class. A new loss for two classes implements the three interfaces and rooted in a file
// of its own, as softmaxLoss does for many, and Regression.loss chooses it. TestLosses, TestBlocks
// and TestGapBounds compare the methods with one another: give their Regression the new field.
// The probabilities of a Model stay those of logistic regression.
type loss interface {
	smooth
	dual
	fast
	// atZero returns the loss of a sample of weight 1 at scores 0.
	atZero() float64
}

// smooth is what Newton's method and coordinate descent need. The loss of a sample of weight v
// is convex, and at least v log 2 if another class has at least the score of its own. It falls
// towards 0 as its own score grows, since separable.go takes this to have no minimum. Its
// derivatives are at most v.
type smooth interface {
	// at returns the loss of sample i at scores f. If gradient, it replaces f by the
	// gradient.
	at(i int, f []float64, gradient bool) float64
	// curvature sets h[k*len(f)+l], l ≥ k, to the second derivatives at scores f. Those off the
	// diagonal are at most 0.
	curvature(i int, f, h []float64)
}

// dual is what the proof in maximum.go and the conjugate gradients in finish.go need.
type dual interface {
	// tilt replaces the changes u of the scores f by a = c(g + Hu), where g and H are the first
	// and second derivatives of the loss ℓ at f: for a likelihood, by its derivatives at tilted
	// probabilities (problem.tilt). divergence is ℓ(f) + ℓ*(a) - a·f ≥ 0, with the convex
	// conjugate ℓ*; for a likelihood it is v KL. least is, before the factor c, the least ratio
	// to their values at f of the probabilities or, for another loss of two classes, of |ℓ′|/v
	// and of 1 - |ℓ′|/v.
	tilt(i int, f, u []float64, c float64) (divergence, least float64)
	// respond replaces the changes u of the scores f by those of the derivatives, to first
	// order.
	respond(i int, f, u []float64)
}

// fast is what the sums for large problems need; fast.go has blockScores. For two classes, rooted
// makes Newton's method faster there.
type fast interface {
	// block returns the loss of the samples from the given one on at their scores, and
	// replaces these by the gradient.
	block(from int, scores *blockScores) float64
}

// rooted is a loss of two classes whose Hessian takes no pass of its own.
type rooted interface {
	// roots replaces the derivatives that block has left by the square roots of the second ones.
	roots(from int, scores *blockScores)
}

// loss returns the loss of samples with the given labels.
func (l Regression) loss(of labels) loss {
	if of.K == 1 {
		return &twoClasses{signLoss{of}}
	}
	return &softmaxLoss{of, make([]float64, of.K)}
}

// twoClasses adds to signLoss, in newton.go, what proofs and large problems need.
type twoClasses struct{ signLoss }

func (s *twoClasses) atZero() float64 { return math.Ln2 }

func (s *twoClasses) tilt(i int, f, u []float64, c float64) (divergence, least float64) {
	y, v := float64(s.y[i]), s.weight(i)
	m, t := y*f[0], y*u[0]
	// σ(|m|) and σ(-|m|), and -log σ(|m|)
	e := math.Exp(-math.Abs(m))
	own, other, cost := 1/(1+e), e/(1+e), math.Log1p(e)
	if m < 0 {
		own, other = other, own
	}
	least = 1 + math.Min(other*t, -own*t)
	rise := other * (c - 1 - c*own*t) // of the probability of the other label
	u[0] = -y * v * c * other * (1 - own*t)
	return v * (relative(other, min(-m, 0)-cost, rise) + relative(own, min(m, 0)-cost, -rise)), least
}

func (s *twoClasses) respond(i int, f, u []float64) {
	e := math.Exp(-math.Abs(f[0])) // σ(f)σ(-f) is e/(1 + e)²
	u[0] *= s.weight(i) * e / ((1 + e) * (1 + e))
}

func (s *twoClasses) block(from int, scores *blockScores) (loss float64) {
	for r, f := range scores.f[:scores.rows] {
		scores.exp[r] = -math.Abs(f) / 2
	}
	scores.exponentials()
	for r, f := range scores.f[:scores.rows] {
		y := float64(s.y[from+r])
		// With e = e^{-|m|}, σ(-m) is e/(1 + e) for m ≥ 0, else 1/(1 + e), and -log σ(m)
		// is log(1 + e) + max(-m, 0).
		m, e := y*f, scores.exp[r]
		// A branch would be mispredicted for each sample on its wrong side.
		wrong := uint64(int64(math.Float64bits(m)) >> 63) // all bits, or none
		part := math.Float64frombits(math.Float64bits(1)&wrong | math.Float64bits(e)&^wrong)
		scores.rest[r] = e
		scores.f[r] = s.weight(from+r) * -y * part / (1 + e)
		loss += s.weight(from+r) * max(-m, 0)
	}
	return loss + scores.logs(from, s.weights)
}

func (s *twoClasses) roots(from int, scores *blockScores) {
	// With e = e^{-|f|}, σ(f)σ(-f) is e/(1 + e)².
	for r, e := range scores.rest[:scores.rows] {
		scores.f[r] = math.Sqrt(s.weight(from+r)*e) / (1 + e)
	}
}

// rowwise is a loss of 0 with derivatives that do puts in the place of the scores. The sums
// with it are passes over the samples for something else.
type rowwise struct {
	loss
	do func(i int, f []float64)
}

func (r rowwise) at(i int, f []float64, _ bool) float64 {
	r.do(i, f)
	return 0
}

func (r rowwise) block(from int, scores *blockScores) float64 {
	f := make([]float64, len(scores.f)/block)
	for row := range scores.rows {
		for k := range f {
			f[k] = scores.f[k*block+row]
		}
		r.do(from+row, f)
		for k, v := range f {
			scores.f[k*block+row] = v
		}
	}
	return 0
}

// recorded is a loss that keeps the scores of all samples, n×K.
type recorded struct {
	loss
	scores []float64
}

// recording returns the loss l, rooted if l is, that keeps the scores.
func recording(l loss, scores []float64) loss {
	if of, ok := l.(rooted); ok {
		return struct {
			recorded
			rooted
		}{recorded{l, scores}, of}
	}
	return recorded{l, scores}
}

func (r recorded) at(i int, f []float64, gradient bool) float64 {
	copy(r.scores[i*len(f):], f)
	return r.loss.at(i, f, gradient)
}

func (r recorded) block(from int, scores *blockScores) float64 {
	K := len(scores.f) / block
	for k := range K {
		for row, f := range scores.f[k*block:][:scores.rows] {
			r.scores[(from+row)*K+k] = f
		}
	}
	return r.loss.block(from, scores)
}

// scores sets f[k] to θ_k·z.
func scores(f, theta, z []float64) {
	for k := range f {
		f[k] = floats.Dot(theta[k*len(z):(k+1)*len(z)], z)
	}
}
