package logistic

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/work"
)

// problem is the objective of a Regression for columns with mean 0, and variance 1
// if L2 = 0, each sample extended by 1. Its variable θ is (w, b), or one (w_k, b_k) per
// class. Since b is not penalised and the penalties on w are converted, it is the same
// problem.
type problem struct {
	Regression
	ctx    context.Context
	report func(iterations int, residual float64) // or nil
	n      int
	total  float64 // Σ vᵢ, which takes the place of n
	least  float64 // min vᵢ
	penalties
	sides
	loss  loss
	sums  sums
	exact sums // while sums reads a float32 copy of the samples: the sums over themselves; otherwise nil
	rough sums // the sums over a float32 copy once sums reads the samples themselves; nil if there is none

	units            // of the columns of X
	basis *basis     // if the columns of Z are combined; otherwise nil
	X     *mat.Dense // n×d, the samples as given
}

// sums are the sums over the samples, which take nearly all of the time: plain, or fast
// for large problems.
type sums interface {
	// value returns the loss, and adds its gradient to grad unless that is nil. The loss is
	// NaN if ctx is done.
	value(ctx work.Ender, theta, grad []float64) (loss float64)

	// both is value, and returns the Hessian if it takes no pass of its own; otherwise H is nil.
	both(ctx work.Ender, theta, grad []float64) (loss float64, H *mat.SymDense)

	// hessian returns the Hessian of the loss. It may be incomplete if ctx is done.
	hessian(ctx work.Ender, theta []float64) *mat.SymDense

	// with returns the sums of another loss.
	with(l loss) sums
}

// newProblem returns the problem of l for the samples X with the given labels.
func newProblem(ctx context.Context, l Regression, X *mat.Dense, of labels) (*problem, error) {
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
	n, d := X.Dims()
	p := &problem{Regression: l, ctx: ctx, n: n, sides: sides{nil, of}, loss: l.loss(of), X: X, penalties: penalties{make([]float64, d+1), make([]float64, d+1)}}
	p.total, p.least = of.amounts(n)
	if !p.standardise() {
		// Cancelled: run has nothing to do, and the weights are those of θ = 0.
		p.units = newUnits(d)
		return p, nil
	}
	return p, p.units.check()
}

// over returns the problem p for other samples, the rows of Z, with the given labels.
func (p *problem) over(Z *mat.Dense, of labels) *problem {
	q := *p
	q.n, _ = Z.Dims()
	q.total, q.least = of.amounts(q.n)
	q.sides, q.loss = sides{Z, of}, p.Regression.loss(of)
	q.sums = plain{Z, q.loss}
	if many(p.X) {
		q.sums = blocksOf(Z, q.loss)
	}
	return &q
}

// rows calls do for each of n rows. It returns false if the context was done before the
// end.
func (p *problem) rows(n int, do func(i int)) bool {
	for i := range n {
		if i%work.Chunk == 0 && p.ctx.Err() != nil {
			return false
		}
		do(i)
	}
	return true
}

// state is that of a fit.
type state struct {
	theta           []float64
	grad            []float64     // at theta, after L-BFGS or with hessian
	hessian         *mat.SymDense // at theta, if Newton's method begins with it
	loss, objective float64
	scores          []float64 // n×K, at theta on the samples themselves, after L-BFGS with L2 and in large problems of Newton's method with a penalty; otherwise nil
	residual        float64
	iterations      int
	converged       bool // with a proof that it is at the minimum
	stopped         bool // by the trace
}

// errStopped ends a fit when its trace returns false.
var errStopped = errors.New("stopped by the trace")

// value is evaluate without the Hessian.
func (p *problem) value(theta, grad []float64) (loss, F float64) {
	loss, F, _ = p.evaluate(theta, grad, false)
	return loss, F
}

// atZero returns the objective at θ = 0, where all classes are equally likely.
func (p *problem) atZero() float64 {
	return p.total * p.loss.atZero()
}

// likelihood reports whether nothing is penalised.
func (p *problem) likelihood() bool { return p.L1 == 0 && p.L2 == 0 }

// trace reports an iteration and calls Trace. It returns errStopped if that ends the fit.
func (p *problem) trace(run *state, length float64) error {
	if p.report != nil {
		p.report(min(run.iterations, p.MaxIter), run.residual) // what follows L-BFGS may take one more
	}
	if p.Trace == nil {
		return nil
	}
	theta := run.theta
	if p.basis != nil {
		theta = p.basis.theta(theta)
	}
	W, B := p.original(theta)
	objective := run.objective
	if p.exact != nil {
		q := *p
		q.sums = p.exact
		_, objective = q.value(run.theta, nil)
	}
	run.stopped = !p.Trace(Step{
		Iteration: run.iterations, W: W, B: B, Objective: objective, Residual: run.residual, Length: length,
	})
	if run.stopped && !run.converged {
		return errStopped
	}
	return nil
}

// failure returns the error of a fit with model m that ended for the given cause; nil if
// it converged or the trace stopped it.
func (p *problem) failure(run *state, cause error, m any) error {
	if cause == nil || cause == errStopped {
		return nil
	}
	e := &mlkit.NotConvergedError{
		Algorithm:  "logistic: Regression",
		Iterations: run.iterations,
		Residual:   run.residual,
		Reason:     cause.Error(),
		Model:      m,
	}
	if p.ctx.Err() != nil {
		e.Err = cause
		e.Reason = fmt.Sprintf("%v after %d iterations", cause, run.iterations)
	}
	var s *separation
	if errors.As(cause, &s) {
		W, B := p.original(s.theta)
		return &SeparableError{Complete: s.complete, W: W, B: B, Fit: e}
	}
	return e
}

// penalties are those of the d+1 weights of a class, ½ Σ λⱼθⱼ² and Σ l1ⱼ|θⱼ|. newton.go has the
// first sum.
type penalties struct {
	l2, l1 []float64
}

// absolute returns the L1 penalty of θ.
func (p penalties) absolute(theta []float64) float64 {
	sum := 0.0
	for a, t := range theta {
		sum += p.l1[a%len(p.l1)] * math.Abs(t)
	}
	return sum
}

// excess returns how far a derivative g of the smooth part is from making t optimal as a
// weight of column j: -g must be a subgradient of the penalty, which at 0 is any number
// from -L1 to L1.
func (p penalties) excess(j int, t, g float64) float64 {
	if t == 0 {
		return math.Max(0, math.Abs(g)-p.l1[j])
	}
	return math.Abs(g + math.Copysign(p.l1[j], t))
}

// gap returns the term Ω(t) + Ω*(q) - qt of weight t of column j. It is 0 if q is a
// derivative of the penalty at t up to rounding.
func (p penalties) gap(j int, t, q, rounding float64) float64 {
	l1, l2 := p.l1[j], p.l2[j]
	over := math.Abs(q) - l1
	switch {
	case p.excess(j, t, l2*t-q) <= rounding:
		return 0
	case l2 == 0 && over > rounding:
		return math.Inf(1)
	case over <= 0 || l2 == 0:
		return math.Max(0, l1*math.Abs(t)-q*t) + l2*t*t/2
	}
	// q is the derivative of the penalty at s.
	s := math.Copysign(over/l2, q)
	return l1*(math.Abs(t)-math.Copysign(t, t*q)) + l2*(t-s)*(t-s)/2
}
