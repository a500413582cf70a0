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
	n      int
	total  float64   // Σ vᵢ, which takes the place of n
	least  float64   // min vᵢ
	l2, l1 []float64 // penalties of the d+1 weights of a class
	loss   loss
	sums   sums
	exact  sums // while sums reads a float32 copy of the samples: the sums over themselves; otherwise nil

	units            // of the columns of X
	basis *basis     // if the columns of Z are combined; otherwise nil
	X     *mat.Dense // n×d, the samples as given
	Z     *mat.Dense // n×(d+1), the samples of the problem; nil if sums computes them, as it may with a penalty
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

// loss is the loss of one sample as a function of its scores.
type loss interface {
	outputs() int // scores per sample
	// at returns the loss of sample i at scores f. If gradient, it replaces f by the
	// gradient.
	at(i int, f []float64, gradient bool) float64
	// block returns the loss of the samples from the given one on at their scores, and
	// replaces these by the gradient.
	block(from int, scores *blockScores) float64
	// curvature sets h[k*len(f)+l], l ≥ k, to the second derivatives at scores f. Those off the
	// diagonal are at most 0.
	curvature(i int, f, h []float64)
	// margin returns the smallest amount by which f prefers the class of sample i to
	// another.
	margin(i int, f []float64) float64
	// has reports whether sample i counts for score k: is of class k or, of two, +1.
	has(i, k int) bool
	// margins calls do once per other class, with the c for which c·f is that amount.
	margins(i int, do func(c []float64))
	// tilt replaces the changes u of the scores f by the derivatives of the loss at tilted
	// probabilities; see problem.tilt.
	tilt(i int, f, u []float64, c float64) (divergence, least float64)
	// respond replaces the changes u of the scores f by those of the derivatives, to first
	// order.
	respond(i int, f, u []float64)
	// weight returns the weight of sample i, amounts the total and the least of n.
	weight(i int) float64
	amounts(n int) (total, least float64)
	// of returns the loss of the given samples, numbered from 0.
	of(some []int) loss
}

// newProblem returns the problem of l for the samples X.
func newProblem(ctx context.Context, l Regression, X *mat.Dense, loss loss) (*problem, error) {
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
	p := &problem{Regression: l, ctx: ctx, n: n, loss: loss, X: X, l2: make([]float64, d+1), l1: make([]float64, d+1)}
	p.total, p.least = loss.amounts(n)
	if !p.standardise() {
		// Cancelled: run has nothing to do, and the weights are those of θ = 0.
		p.units = newUnits(d)
		return p, nil
	}
	return p, p.units.check()
}

// over returns the problem p for other samples, the rows of Z.
func (p *problem) over(Z *mat.Dense, loss loss) *problem {
	q := *p
	q.n, _ = Z.Dims()
	q.total, q.least = loss.amounts(q.n)
	q.Z, q.loss, q.sums = Z, loss, plain{Z, loss}
	if many(p.X) {
		q.sums = blocksOf(Z, loss)
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
	grad            []float64 // at theta, after L-BFGS
	loss, objective float64
	residual        float64
	iterations      int
	converged       bool // with a proof that it is at the minimum
	stopped         bool // by the trace
}

// errStopped ends a fit when its trace returns false.
var errStopped = errors.New("stopped by the trace")

// run minimises the objective from the given weights and biases, or from θ = 0. The cause is nil if it has converged, otherwise
// it says why not.
func (p *problem) run(W [][]float64, B []float64) (run *state, cause error) {
	K := p.loss.outputs()
	run = &state{theta: make([]float64, K*len(p.l2))}
	run.loss = p.atZero()
	run.objective = run.loss
	if err := p.ctx.Err(); err != nil {
		return run, err // there may be no sums
	}
	if W != nil {
		p.begin(run, W, B)
	} else if p.startsOnSubsample() {
		p.startOnSubsample(run)
	}
	switch p.Solver {
	case CoordinateDescent:
		return run, p.descend(run)
	case LBFGS:
		if cause := p.lbfgs(run); cause != nil {
			return run, cause
		}
		return run, p.finish(run)
	}
	return run, p.newton(run)
}

// atZero returns the objective at θ = 0, where all classes are equally likely.
func (p *problem) atZero() float64 {
	return p.total * math.Log(math.Max(2, float64(p.loss.outputs())))
}

// likelihood reports whether nothing is penalised.
func (p *problem) likelihood() bool { return p.L1 == 0 && p.L2 == 0 }

// trace calls Trace, and returns errStopped if that ends the fit.
func (p *problem) trace(run *state, length float64) error {
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
