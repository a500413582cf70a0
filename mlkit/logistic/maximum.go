package logistic

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/work"
)

// The proof that a fit is at the maximum. A small gradient proves nothing: it is also small
// far from the maximum if columns are nearly collinear, and on the way to infinity if there
// is none. The dual problem proves both. For two classes or many, let pᵢₖ be the probability
// of class k for sample i at θ, eᵢₖ 1 for its own class and otherwise 0, and q a subgradient
// of the penalty Ω. If probabilities aᵢₖ satisfy
//
//	Σᵢ vᵢ(eᵢₖ - aᵢₖ) zᵢ = qₖ   for all classes k,
//
// Fenchel's inequality bounds the distance to the minimum by a sum of terms that are all at
// least 0 (Boyd and Vandenberghe, section 5.5.1; Adam Berger, Stephen Della Pietra and
// Vincent Della Pietra, "A maximum entropy approach to natural language processing", 1996):
//
//	F(θ) - min F ≤ Σᵢ vᵢ KL(aᵢ ‖ pᵢ) + Ω(θ) + Ω*(q) - q·θ,  KL(a ‖ p) = Σₖ aₖ log(aₖ/pₖ)
//
// A Newton step s supplies such aᵢ. With the scores uᵢₖ = sₖ·zᵢ they are the linearised
// probabilities at θ + s,
//
//	aᵢₖ = pᵢₖ (1 + uᵢₖ - Σₗ pᵢₗuᵢₗ),
//
// and the bound is the ½ s·Hs that the Newton decrement estimates, up to terms of third
// order. Without a penalty, q is 0. If also all aᵢₖ are positive, the likelihood has a
// maximum: multiply the equation by a direction h along which it does not fall. On the left
// is a combination, with positive factors vᵢaᵢₗ, of the margins (hₖ - hₗ)·zᵢ ≥ 0 of the
// classes k of the samples, and on the right is 0. So all margins are 0, and the likelihood
// does not grow either. That is the theorem of Erich Stiemke, 1915, applied to the condition
// of Albert and Anderson.

// proof holds, for n samples and K scores, the scores f at θ and their changes u by a step.
type proof struct {
	f, u []float64 // n×K
	rest []float64 // -∇F - Hs, nil if unknown
}

// prove returns the proof that the step supplies.
func (p *problem) prove(theta, step []float64) proof {
	return proof{p.scoresAt(theta), p.scoresAt(step), nil}
}

// proven reports whether the proof bounds the distance to the minimum by enough.
func (p *problem) proven(run *state, of proof) (bool, error) {
	gap, err := p.gap(run.theta, run.objective, of)
	return gap <= p.enough(run), err
}

// enough returns the distance to the minimum at which a run has converged: Tol times the
// objective, or times the mean weight of a sample if that is more. A Tol above 1e-6 asks for
// a quick fit, and is multiplied by the objective at θ = 0.
func (p *problem) enough(run *state) float64 {
	if p.Tol > 1e-6 {
		return p.Tol * p.atZero()
	}
	return p.Tol * math.Max(run.objective, p.total/float64(p.n))
}

// unproven returns the error of a run that seems to have converged, but without a proof.
func (p *problem) unproven(run *state) error {
	if p.likelihood() {
		return fmt.Errorf("it is not known whether the likelihood has a maximum: after %d iterations there is neither a proof of one nor a direction along which the likelihood grows for ever; use L2, leave out nearly collinear columns, or raise MaxIter or Tol", run.iterations)
	}
	return fmt.Errorf("it is not known how far the objective %v is from its minimum after %d iterations; raise L2, MaxIter or Tol", run.objective, run.iterations)
}

// gap returns the bound on F(θ) - min F, or +Inf if there is none. The step may be inexact
// with a penalty. It returns the error of the context if that is done.
func (p *problem) gap(theta []float64, objective float64, of proof) (gap float64, err error) {
	slopes := make([]float64, len(of.u))
	gap = math.Inf(1)
	if !p.likelihood() {
		p.centre(of, slopes)
		gap = objective // since the minimum is at least 0
	}
	divergence, least := p.tilt(of, 1, slopes)
	q := p.combine(slopes)
	if err := p.ctx.Err(); err != nil {
		return gap, err
	}
	// Without a penalty all aᵢₖ must be positive, and those near 0 could be rounding errors.
	if !(least >= 0 && (least >= 0.5 || !p.likelihood())) {
		return gap, nil
	}
	floats.Scale(-1, q)
	e, shrink, rounding := len(p.l2), 1.0, 1e-12*floats.Norm(slopes, 1)
	for a, v := range q {
		// With L1 alone, q must be at most L1. aᵢ + (1 - c)(eᵢ - aᵢ) has c times the q of aᵢ.
		if j := a % e; p.l2[j] == 0 && p.l1[j] > 0 && math.Abs(v) > p.l1[j]+rounding {
			shrink = math.Min(shrink, p.l1[j]/math.Abs(v))
		}
	}
	if shrink < 1 {
		divergence, _ = p.tilt(of, shrink, slopes)
		floats.Scale(shrink, q)
	}
	for a, v := range q {
		divergence += p.penalties.gap(a%e, theta[a], v, rounding)
	}
	return math.Min(gap, divergence), nil
}

// tilt sets slopes to vᵢ(aᵢ - eᵢ) with aᵢ moved towards eᵢ by the factor c. It returns
// Σ vᵢ KL(aᵢ ‖ pᵢ), and the least aᵢₖ/pᵢₖ before that move.
func (p *problem) tilt(of proof, c float64, slopes []float64) (divergence, least float64) {
	K, parts := p.K, work.Divide(p.n, 1024)
	divergences, leasts := make([]float64, parts.Count()), make([]float64, parts.Count())
	_ = parts.Do(func(part, from, to int) error {
		leasts[part] = 1
		for i := from; i < to; i++ {
			r := slopes[i*K:][:K]
			copy(r, of.u[i*K:])
			d, l := p.loss.tilt(i, of.f[i*K:][:K], r, c)
			divergences[part] += d
			leasts[part] = math.Min(leasts[part], l)
		}
		return p.ctx.Err() // gap looks at it as well
	})
	return floats.Sum(divergences), floats.Min(leasts)
}

// centre adds to u the step of the biases that makes the slopes sum to 0 in each class, as
// they must since biases have no penalty. The slopes are linear in u, and sum to -rest.
func (p *problem) centre(of proof, slopes []float64) {
	K, e := p.K, len(p.l2)
	rest := make([]float64, K)
	if of.rest == nil {
		p.tilt(of, 1, slopes)
		for i, s := range slopes {
			rest[i%K] -= s
		}
	} else {
		for k := range K {
			rest[k] = of.rest[k*e+e-1]
		}
	}
	if t, ok := p.biasStep(of.f, rest); ok { // otherwise what is left shows in the gap
		for i := range p.n {
			floats.Add(of.u[i*K:][:K], t)
		}
	}
}

// biasStep returns the step t of the biases whose product with their Hessian at scores f is
// the given rest. It returns false if the Hessian is singular.
func (p *problem) biasStep(f, rest []float64) (t []float64, ok bool) {
	K := p.K
	H, h, mean := mat.NewSymDense(K, nil), make([]float64, K*K), 0.0
	for i := range p.n {
		p.loss.curvature(i, f[i*K:][:K], h)
		for k := range K {
			for l := k; l < K; l++ {
				H.SetSym(k, l, H.At(k, l)+h[k*K+l])
			}
		}
	}
	if K > 1 { // a shift of all biases changes nothing
		mean = mat.Trace(H) / float64(K*K)
	}
	for k := range K {
		for l := k; l < K; l++ {
			H.SetSym(k, l, H.At(k, l)+mean)
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(H) {
		return nil, false
	}
	v := mat.NewVecDense(K, slices.Clone(rest))
	_ = chol.SolveVecTo(v, v) // the gap shows how inexact it is
	return v.RawVector().Data, true
}

// scoresAt returns the scores θ_k·zᵢ, n×K. They are incomplete if the context is done.
func (p *problem) scoresAt(theta []float64) []float64 {
	K := p.K
	scores := make([]float64, p.n*K)
	p.sums.with(rowwise{p.loss, func(i int, f []float64) { copy(scores[i*K:], f) }}).value(p.ctx, theta, nil)
	return scores
}

// combine returns Σ rᵢₖzᵢ for slopes r, n×K. It is incomplete if the context is done.
func (p *problem) combine(slopes []float64) []float64 {
	K := p.K
	sum := make([]float64, K*len(p.l2))
	p.sums.with(rowwise{p.loss, func(i int, f []float64) { copy(f, slopes[i*K:]) }}).value(p.ctx, make([]float64, len(sum)), sum)
	return sum
}

// relative returns a log(a/p) - a + p for a = p + rise, a term of KL(a ‖ p). It keeps its
// digits where a is near p, and where p is too small for its logarithm.
func relative(p, logP, rise float64) float64 {
	t := rise / p
	switch a := p + rise; {
	case rise == 0:
		return 0
	case math.Abs(t) < 1e-3:
		return p * t * t * (1./2 - t/6 + t*t/12 - t*t*t/20)
	case a <= 0:
		return p
	default:
		return a*(math.Log(a)-logP) - rise
	}
}
