package logistic

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// L-BFGS is a quasi-Newton method: in place of the inverse of the Hessian it uses the last
// m differences s = θ⁺ - θ and y = ∇F(θ⁺) - ∇F(θ), with ρ = 1/(s·y), from the newest on:
//
//	H⁺ = (I - ρsyᵀ) H (I - ρysᵀ) + ρssᵀ,  θ⁺ = θ - tH∇F(θ)
//
// The length t satisfies the weak Wolfe conditions (Nocedal and Wright, "Numerical
// Optimization", 2006, algorithms 7.4 and 7.5). gonum takes the steps. Here are the
// objective, its gradient and the stopping rule: the largest element of ∇F over n.

// errEnded ends a run of gonum's L-BFGS that has converged or reached its limit.
var errEnded = errors.New("ended")

// lbfgs minimises the objective, beginning on the float32 copy of the samples if there is
// one.
func (p *problem) lbfgs(run *state) error {
	cause := p.minimise(run)
	if p.exact == nil || p.ctx.Err() != nil {
		return cause
	}
	p.rough, p.sums, p.exact = p.sums, p.exact, nil
	if run.stopped {
		run.converged = false
		run.loss, run.objective = p.value(run.theta, nil)
		return errStopped
	}
	return p.minimise(run)
}

// minimise minimises the objective with gonum's L-BFGS.
func (p *problem) minimise(run *state) error {
	D := len(run.theta)
	// gonum calls Func and Grad for the same point one after the other.
	at, grad := make([]float64, D), make([]float64, D)
	at[0] = math.NaN()
	var loss, objective float64
	of := *p
	if p.exact == nil && !p.likelihood() { // for the proof
		run.scores = make([]float64, p.n*p.K)
		of.sums = p.sums.with(recording(p.loss, run.scores))
	}
	evaluate := func(theta []float64) {
		if !slices.Equal(at, theta) {
			copy(at, theta)
			loss, objective = of.value(theta, grad)
		}
	}
	problem := optimize.Problem{
		Func: func(theta []float64) float64 { evaluate(theta); return objective },
		Grad: func(g, theta []float64) { evaluate(theta); copy(g, grad) },
	}
	evaluate(run.theta)
	run.grad = grad
	if err := p.ctx.Err(); err != nil {
		return err
	}
	if p.exact == nil {
		run.loss, run.objective = loss, objective
	}
	run.residual = floats.Norm(grad, math.Inf(1)) / p.total
	if run.converged = p.nearEnough(run, grad); run.converged {
		return nil
	}
	before := run.iterations
	if before >= p.MaxIter {
		return fmt.Errorf("%s; raise MaxIter or Tol", run.left(p.Tol))
	}
	look := func(loc *optimize.Location, op optimize.Operation, stats *optimize.Stats) error {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		if op != optimize.MajorIteration || stats.MajorIterations == 1 { // the first is the start
			return nil
		}
		copy(run.theta, loc.X)
		evaluate(loc.X)
		run.loss, run.objective = loss, objective
		run.residual = floats.Norm(loc.Gradient, math.Inf(1)) / p.total
		run.iterations = before + stats.MajorIterations - 1
		run.converged = p.nearEnough(run, loc.Gradient)
		if err := p.proveSeparable(run, nil); err != nil {
			return err
		}
		if err := p.trace(run, 0); err != nil {
			return err
		}
		if run.converged || run.iterations == p.MaxIter {
			return errEnded
		}
		return nil
	}
	// When gonum ends the run, it does not show the recorder the last iteration. So the
	// recorder ends the run.
	_, err := optimize.Minimize(problem, run.theta, &optimize.Settings{
		Converger: optimize.NeverTerminate{},
		Recorder:  recorder(look),
	}, &optimize.LBFGS{GradStopThreshold: math.NaN()})
	if err := p.ctx.Err(); err != nil {
		run.converged = false
		return err
	}
	if s := (*separation)(nil); errors.As(err, &s) || errors.Is(err, errStopped) {
		return err
	}
	if run.converged = run.residual <= p.Tol; run.converged {
		evaluate(run.theta) // the last steps may have failed
		return nil
	}
	if !errors.Is(err, errEnded) {
		return fmt.Errorf("%s, and %v; raise Tol or use Newton", run.left(p.Tol), err)
	}
	return fmt.Errorf("%s; raise MaxIter or Tol", run.left(p.Tol))
}

// nearEnough reports whether L-BFGS may end: the residual is at most Tol. In large problems with
// L2 it goes on to a tenth of Tol as long as the gradient proves too little, since an iteration
// takes less time than a step of the proof.
func (p *problem) nearEnough(run *state, grad []float64) bool {
	if p.likelihood() || p.rough != nil || !many(p.X) || run.residual <= p.Tol/10 {
		return run.residual <= p.Tol
	}
	return run.residual <= p.Tol && p.slack(run.theta, grad, 0) <= 0.9*p.enough(run)
}

// left says how far the run is from a gradient over n of tol.
func (run *state) left(tol float64) string {
	return fmt.Sprintf("the gradient over n is %.3g after %d iterations, want %.3g", run.residual, run.iterations, tol)
}

// recorder adapts a function to optimize.Recorder.
type recorder func(*optimize.Location, optimize.Operation, *optimize.Stats) error

func (recorder) Init() error { return nil }

func (r recorder) Record(loc *optimize.Location, op optimize.Operation, stats *optimize.Stats) error {
	return r(loc, op, stats)
}
