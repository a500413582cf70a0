package logistic

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/simd"
)

// Coordinate descent, for L1. F is the loss with L2 and λ the L1 of a weight. A proximal
// Newton step from θ minimises the quadratic model of F plus the penalty,
//
//	Q(t) = ∇F(θ)·(t - θ) + ½ (t - θ)·H(t - θ) + λ Σ |tⱼ|
//
// over one weight after another, with g the derivative of the smooth part:
//
//	tⱼ ← S(tⱼ - gⱼ/Hⱼⱼ, λ/Hⱼⱼ),  S(u, c) = sign(u) max(|u| - c, 0)
//
// H is never formed: g follows from the scores that the step adds to the samples. The model
// is workingProblem.

// descend minimises the objective with L1 by coordinate descent on a working set: the
// columns with nonzero weights, and the others whose derivatives exceed the penalty most.
// When the working set is solved, a pass over X finds which columns to add, if any
// (Mathurin Massias, Alexandre Gramfort and Joseph Salmon, "Celer: a fast solver for the
// lasso with dual extrapolation", 2018). The first working set is the bias
// and the columns with nonzero weights in Start.
func (p *problem) descend(run *state) error {
	n, e := p.total, len(p.l2)
	grad, excess := make([]float64, len(run.theta)), make([]float64, e)
	columns, enough := workingSet(run.theta, excess, 0), p.Tol*n/2
	wanted := p.Tol // falls until the gap is small enough too
	var q *workingProblem
	for tol := enough; ; {
		var err error
		if q, err = p.descendOn(columns, tol, run, q); err != nil {
			return err
		}
		copy(grad, p.combine(q.ofSamples(q.slopes)))
		p.ridge(run.theta, grad)
		if err := p.ctx.Err(); err != nil {
			return err
		}
		clear(excess)
		for a, g := range grad {
			excess[a%e] = math.Max(excess[a%e], p.excess(a%e, run.theta[a], g))
		}
		worst := slices.Max(excess)
		run.residual = worst / n
		if run.residual <= wanted {
			of := proof{q.ofSamples(q.scores), make([]float64, p.n*p.K), floats.ScaleTo(make([]float64, len(grad)), -1, grad)}
			gap, err := p.gap(run.theta, run.objective, of)
			if run.converged = gap <= p.enough(run); err != nil || run.converged {
				return err
			}
			if wanted < 1e-18 { // rounding errors keep it from that
				return p.unproven(run)
			}
			if wanted /= 8; gap > 16*p.enough(run) && wanted > 1e-10 {
				wanted /= 8 // the gap is about proportional to the excess, until rounding errors are not
			}
			enough = wanted * n / 2
		}
		if run.iterations == p.MaxIter {
			return fmt.Errorf("the derivatives exceed the penalty by %.3g n after %d iterations, want %.3g n; raise MaxIter or Tol", run.residual, run.iterations, wanted)
		}
		columns = workingSet(run.theta, excess, enough)
		tol = math.Max(worst/30, enough)
	}
}

// descendOn minimises over the weights of the given columns, until no derivative exceeds
// the penalty by more than tol or MaxIter is reached. It takes columns that the problem before
// had from there, and returns the problem of the columns at the minimum. It is newGLMNET (Guo-Xun
// Yuan, Chia-Hua Ho and Chih-Jen Lin, "An improved GLMNET for L1-regularized logistic
// regression", 2012) as in LIBLINEAR: proximal Newton steps, each solved inexactly by
// coordinate descent.
func (p *problem) descendOn(columns []int, tol float64, run *state, before *workingProblem) (q *workingProblem, err error) {
	C, ok := p.gather(columns, before)
	if !ok {
		return nil, p.ctx.Err()
	}
	q = newWorkingProblem(p, columns, C, run.theta, before)
	scores, theta := make([]float64, len(q.scores)), make([]float64, len(q.theta))
	_, objective := q.objective(q.scores, q.theta)
	const least, most, loose = 10, 100, 0.3
	last, gained, share := math.Inf(1), 0.0, loose
	q.effort = least
	for {
		worst := q.differentiate()
		if worst <= tol || run.iterations == p.MaxIter {
			return q, nil
		}
		// A step that gained little was too inexact. Far from the minimum a more exact
		// one is not worth its time, since the model is inexact there too.
		if worst > last/2 && gained < 1e-3*objective {
			share, q.effort = math.Max(share/4, 1e-6), min(2*q.effort, most)
		} else {
			share, q.effort = math.Min(share*2, loose), max(q.effort/2, least)
		}
		last = worst
		run.residual = worst / q.total
		if err := q.step(share * worst); err != nil {
			return nil, err
		}
		slope := floats.Dot(q.grad, q.at) - floats.Dot(q.grad, q.theta) + q.absolute(q.at) - q.absolute(q.theta)
		copy(theta, q.at)
		length := 1.0
		for {
			floats.AddScaledTo(scores, q.scores, length, q.moved)
			loss, after := q.objective(scores, theta)
			if err := p.ctx.Err(); err != nil {
				return nil, err
			}
			if after <= objective+1e-4*length*slope+1e-13*math.Abs(objective) {
				gained = objective - after
				run.loss, objective = loss, after
				break
			}
			length /= 2
			if length < 1e-20 {
				return nil, fmt.Errorf("no step of coordinate descent makes the objective %v smaller, though derivatives exceed the penalty by %.3g n; raise Tol or scale the columns of X", objective, run.residual)
			}
			for a, t := range q.theta {
				theta[a] = t + length*(q.at[a]-t)
			}
		}
		copy(q.scores, scores)
		copy(q.theta, theta)
		q.store(run.theta)
		run.objective = objective
		run.iterations++
		if err := p.trace(run, length); err != nil {
			return nil, err
		}
	}
}

// step sets at to θ plus the step that minimises the quadratic model of the smooth part
// plus the penalty, and moved to the change of the scores. It ends when no derivative of
// the model moves by more than tol. The second derivatives of the softmax couple the
// classes: a step u of the scores changes the derivative of class k by
// p_k (u_k - Σ p_l u_l).
func (q *workingProblem) step(tol float64) error {
	copy(q.at, q.theta)
	clear(q.moved)
	const rounds = 20
	for range rounds {
		most := 0.0
		for k := range q.K {
			if err := q.ctx.Err(); err != nil {
				return err
			}
			moved := q.moved[k*q.n:][:q.n]
			q.weigh(k)
			before := append([]float64(nil), q.at[k*q.w:][:q.w]...)
			if err := q.sweeps(k, tol); err != nil {
				return err
			}
			if q.two != nil && floats.Min(q.root) > 1e-100 { // the model has the same sums, times root
				floats.DivTo(moved, q.model, q.root)
				break
			}
			for c, t := range before {
				delta := q.at[k*q.w+c] - t
				if delta != 0 {
					most = math.Max(most, math.Abs(delta)*q.curvature[c])
					simd.Axpy(moved, delta, q.C[c])
				}
			}
		}
		if q.K == 1 || most <= tol {
			break
		}
	}
	return nil
}

// sweeps passes over the weights of class k: repeatedly over the nonzero ones, then once
// over all, until no derivative moves by more than tol or effort is spent. The minimum in
// one weight is soft thresholding, as in proximalStep. As there, passes converge slowly
// on correlated columns, so with a large effort conjugate gradients help.
func (q *workingProblem) sweeps(k int, tol float64) error {
	const together = 10
	nonzero := make([]int, 0, q.w)
	all := true
	for s := range q.effort {
		if err := q.ctx.Err(); err != nil {
			return err
		}
		most := 0.0
		if all {
			nonzero = nonzero[:0]
			for c := range q.w {
				most = math.Max(most, q.move(k, c))
				if q.at[k*q.w+c] != 0 {
					nonzero = append(nonzero, c)
				}
			}
			if most <= tol {
				break
			}
			all = false
			continue
		}
		for _, c := range nonzero {
			most = math.Max(most, q.move(k, c))
		}
		if all = most <= tol; !all && q.effort > 4*together && s%together == together-1 {
			q.conjugate(k, nonzero, tol)
		}
	}
	return nil
}

// move minimises the model in one weight and returns the change of its derivative.
func (q *workingProblem) move(k, c int) float64 {
	h := q.curvature[c]
	if h == 0 {
		return 0
	}
	a, j := k*q.w+c, q.columns[c]
	weighted := q.weighted[c*q.n:][:q.n]
	var product [1]float64
	simd.Products(product[:], weighted, q.n, q.model)
	t := q.at[a] - (q.grad[a]+product[0]+q.l2[j]*(q.at[a]-q.theta[a]))/h
	next := math.Copysign(math.Max(math.Abs(t)-q.l1[j]/h, 0), t)
	delta := next - q.at[a]
	if delta == 0 {
		return 0
	}
	q.at[a] = next
	simd.Axpy(q.model, delta, weighted)
	return math.Abs(delta) * h
}
