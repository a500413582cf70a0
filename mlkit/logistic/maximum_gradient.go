package logistic

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// quick is what saves Newton's method passes over the samples, a third of the time.
type quick struct {
	// proved reports whether ∇F(θ) proves that θ is the minimum. It takes the place of the proof
	// before the last step; if it fails, one more step has that.
	proved func(grad []float64) bool
	// small is a decrement that hardly changes the Hessian: if it has also fallen to a tenth, the next
	// step takes the same one.
	small float64
}

// quickly returns that of p, and p with sums that keep the scores for it in the run.
func (p *problem) quickly(run *state) (*problem, *quick) {
	of := *p
	run.scores = make([]float64, p.n*p.K)
	of.sums = p.sums.with(recording(p.loss, run.scores))
	return &of, &quick{func(grad []float64) bool {
		run.grad = grad
		return p.gapOfGradient(run, p.enough(run)) <= p.enough(run)
	}, 1e-4 * math.Sqrt(p.total)}
}

// gapOfGradient returns a bound on F(θ) - min F, with a penalty, from the gradient and the scores of
// the run. It takes no pass over the samples or, if it is then above enough, half of one. It is
// +Inf far from the minimum. For aᵢ it takes the linearised probabilities after a step t of the
// biases that makes the slopes sum to 0. With H the Hessian of the loss, t also as a step of θ, and
// L2 alone,
//
//	F(θ) - min F ≤ t·Ht + Σ (∇F(θ) + Ht)ₐ²/(2λₐ)
//
// over the weights a, since KL(a ‖ p) ≤ Σₖ (aₖ - pₖ)²/pₖ. The columns have at most variance 1, and
// second derivatives are at most vᵢ/4, so by Cauchy and Schwarz (Ht)ₐ² ≤ ¼ Σvᵢ t·Ht.
func (p *problem) gapOfGradient(run *state, enough float64) float64 {
	if run.scores == nil {
		return math.Inf(1)
	}
	K, e := p.K, len(p.l2)
	rest := make([]float64, K)
	for k := range rest {
		rest[k] = -run.grad[k*e+e-1]
	}
	t, ok := p.biasStep(run.scores, rest)
	if !ok || !(floats.Norm(t, math.Inf(1)) <= 0.5) { // aᵢ must not be negative
		return math.Inf(1)
	}
	divergence := floats.Dot(t, rest)
	most := math.Sqrt(p.total / 4 * divergence)
	if gap := p.slackOf(run, run.grad, most, divergence); gap <= enough {
		return gap
	}
	sums, rounding := p.sums, 1e-12*most
	if p.rough != nil {
		sums, rounding = p.rough, 1e-6*most // of float32, and more
	}
	near := slices.Clone(run.grad)
	sums.with(rowwise{p.loss, func(i int, f []float64) {
		copy(f, t)
		p.loss.respond(i, run.scores[i*K:][:K], f)
	}}).value(p.ctx, make([]float64, len(near)), near)
	if p.ctx.Err() != nil {
		return math.Inf(1)
	}
	return p.slackOf(run, near, rounding, divergence)
}

// slackOf returns the bound of gapOfGradient, where g is ∇F(θ), or ∇F(θ) + Ht, and a derivative of
// the loss is off by at most more.
func (p *problem) slackOf(run *state, g []float64, more, divergence float64) float64 {
	if p.L2 > 0 {
		return divergence + p.slack(run.theta, g, more)
	}
	return p.slackSparse(run, g, more, divergence)
}

// slack returns Σ (excessₐ + more)²/(2λₐ) over the weights a, where an excess is |gₐ| without L1. With
// L2, more = 0 and a gradient g that is 0 for the biases, that is a bound on F(θ) - min F.
func (p penalties) slack(theta, g []float64, more float64) (sum float64) {
	e := len(p.l2)
	for a, v := range g {
		if a%e < e-1 {
			v = p.excess(a%e, theta[a], v) + more
			sum += v * v / (2 * p.l2[a%e])
		}
	}
	return sum
}

// slackSparse is slackOf with L1 alone. The derivatives must be at most L1, so aᵢ moves towards eᵢ
// by a factor c, which gives c times the derivatives. KL is convex in aᵢ, and KL(eᵢ ‖ pᵢ) is the
// loss ℓᵢ, so
//
//	F(θ) - min F ≤ c t·Ht + (1 - c) Σ ℓᵢ + Σ (L1|θₐ| + c gₐθₐ)
func (p *problem) slackSparse(run *state, g []float64, more, divergence float64) float64 {
	e, c := len(p.l2), 1.0
	for a, v := range g {
		if a%e < e-1 {
			c = math.Min(c, p.l1[a%e]/(math.Abs(v)+more))
		}
	}
	gap := c*divergence + (1-c)*run.loss
	for a, v := range g {
		if t := run.theta[a]; a%e < e-1 {
			gap += math.Max(0, p.l1[a%e]*math.Abs(t)+c*(v*t+more*math.Abs(t)))
		}
	}
	return gap
}
