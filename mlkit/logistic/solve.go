package logistic

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/early"
)

// state is that of a fit.
type state struct {
	theta           []float64
	loss, objective float64
	residual        float64
	iterations      int
	converged       bool
}

// errStopped ends a fit when its trace returns false.
var errStopped = errors.New("stopped by the trace")

// run minimises the objective from θ = 0. The cause is nil if it has converged, otherwise
// it says why not.
func (p *problem) run() (run *state, cause error) {
	n, _ := p.dims()
	run = &state{theta: make([]float64, p.dim())}
	// All classes are equally likely at θ = 0.
	run.loss = float64(n) * math.Log(math.Max(2, float64(p.loss.outputs())))
	run.objective = run.loss
	if err := p.ctx.Err(); err != nil {
		return run, err // there may be no Z
	}
	switch p.Solver {
	case CoordinateDescent:
		return run, p.descend(run)
	case LBFGS:
		if cause := p.lbfgs(run); cause != nil || !p.likelihood() || p.dim() > 1000 {
			return run, cause
		}
		// The gradient also becomes small on the way to infinity. Newton steps from here
		// show whether there is a maximum.
		probe := *run
		probe.theta = slices.Clone(run.theta)
		q := *p
		q.MaxIter, q.Tol, q.Trace = 100, 1e-8, nil
		var e *separation
		if cause := q.newton(&probe); errors.As(cause, &e) {
			run.converged = false
			return run, cause
		}
		return run, nil
	}
	return run, p.newton(run)
}

// likelihood reports whether nothing is penalised.
func (p *problem) likelihood() bool { return p.L1 == 0 && p.L2 == 0 }

// newton takes Newton steps, or proximal Newton steps with L1. It halves a step until the
// objective decreases enough.
func (p *problem) newton(run *state) error {
	D := len(run.theta)
	grad, trial := make([]float64, D), make([]float64, D)
	p.value(run.theta, grad)
	for range p.MaxIter {
		var H *mat.SymDense
		var step []float64
		if err := early.Run(p.ctx, func() {
			H = p.hessian(run.theta)
			if p.L1 > 0 {
				step = p.proximalStep(H, grad, run.theta)
			} else {
				step = newtonStep(H, grad)
			}
		}); err != nil {
			return err
		}
		v := mat.NewVecDense(D, step)
		run.residual = math.Sqrt(math.Max(0, mat.Inner(v, H, v)))
		// The objective must decrease by a fraction of what the model predicts, up to
		// rounding error.
		floats.AddTo(trial, run.theta, step)
		slope := floats.Dot(grad, step) + p.absolute(trial) - p.absolute(run.theta)
		length := 1.0
		var loss, objective float64
		for {
			for a := range trial {
				trial[a] = run.theta[a] + length*step[a]
			}
			loss, objective = p.value(trial, grad)
			objective += p.absolute(trial)
			if err := p.ctx.Err(); err != nil {
				return err
			}
			if objective <= run.objective+1e-4*length*slope+1e-13*math.Abs(run.objective) {
				break
			}
			length /= 2
			if length < 1e-20 {
				return fmt.Errorf("no step along Newton's direction makes the objective %v smaller, though the decrement is still %.3g; raise Tol or scale the columns of X", run.objective, run.residual)
			}
		}
		copy(run.theta, trial)
		run.loss, run.objective = loss, objective
		run.iterations++
		run.converged = run.residual <= p.Tol
		if p.likelihood() {
			var s *separation
			if err := early.Run(p.ctx, func() { s = p.separates(run, step) }); err != nil {
				run.converged = false
				return err
			}
			if s != nil {
				run.converged = false
				return s
			}
		}
		if err := p.trace(run, length); err != nil {
			return err
		}
		if run.converged {
			return nil
		}
	}
	return fmt.Errorf("the Newton decrement is %.3g after %d iterations, want %.3g; raise MaxIter or Tol", run.residual, run.iterations, p.Tol)
}

// trace calls Trace, and returns errStopped if that ends the fit.
func (p *problem) trace(run *state, length float64) error {
	if p.Trace == nil {
		return nil
	}
	W, B := p.original(run.theta)
	objective := run.objective
	if p.rough != nil && !p.exact {
		of := *p
		of.exact = true
		_, objective = of.value(run.theta, nil)
	}
	if !p.Trace(Step{
		Iteration: run.iterations, W: W, B: B, Objective: objective, Residual: run.residual, Length: length,
	}) && !run.converged {
		return errStopped
	}
	return nil
}

// newtonStep solves Hp = -g. If H is singular, it returns the shortest solution in
// unknowns scaled to a diagonal of 1.
func newtonStep(H *mat.SymDense, g []float64) []float64 {
	D := len(g)
	scale := make([]float64, D)
	for a := range scale {
		scale[a] = 1
		if h := H.At(a, a); h > 0 {
			scale[a] = 1 / math.Sqrt(h)
		}
	}
	S := mat.NewSymDense(D, nil)
	for a := range D {
		for b := a; b < D; b++ {
			S.SetSym(a, b, H.At(a, b)*scale[a]*scale[b])
		}
	}
	step := mat.NewVecDense(D, nil)
	for a, v := range g {
		step.SetVec(a, -v*scale[a])
	}
	const limit = 1e13
	var chol mat.Cholesky
	if chol.Factorize(S) && chol.Cond() < limit {
		_ = chol.SolveVecTo(step, step) // the condition number was checked
	} else {
		throughEigen(S, step, func(value, largest float64) float64 {
			if value <= largest/limit {
				return 0
			}
			return 1 / value
		})
	}
	p := step.RawVector().Data
	floats.Mul(p, scale)
	return p
}

// throughEigen replaces v by Q f(Λ) Qᵀ v, where S = QΛQᵀ. It passes f the largest
// eigenvalue too.
func throughEigen(S *mat.SymDense, v *mat.VecDense, f func(value, largest float64) float64) {
	var eig mat.EigenSym
	if !eig.Factorize(S, true) {
		v.Zero() // does not happen with finite numbers
		return
	}
	var Q mat.Dense
	eig.VectorsTo(&Q)
	values := eig.Values(nil)
	var c mat.VecDense
	c.MulVec(Q.T(), v)
	for a, value := range values {
		c.SetVec(a, c.AtVec(a)*f(value, values[len(values)-1]))
	}
	v.MulVec(&Q, &c)
}

// proximalStep minimises g·p + ½p·Hp + Σ L1|θ + p| by coordinate descent. In one
// coordinate the minimum is soft thresholding:
//
//	θₐ + pₐ ← S(θₐ + pₐ - (g + Hp)ₐ/Hₐₐ, L1/Hₐₐ),  S(t, c) = sign(t) max(|t| - c, 0)
//
// Sweeps find which weights are 0 but converge slowly on correlated columns, so
// solveNonzero solves for the other weights after every few sweeps.
func (p *problem) proximalStep(H *mat.SymDense, g, theta []float64) []float64 {
	at, slope := slices.Clone(theta), slices.Clone(g) // θ + p and g + Hp
	const rounds, sweeps = 100, 10
	for range rounds {
		moved := false
		for range sweeps {
			moved = p.sweep(H, at, slope)
		}
		if !moved || p.ctx.Err() != nil || p.solveNonzero(H, g, theta, at, slope) {
			break
		}
	}
	floats.Sub(at, theta)
	return at
}

// sweep passes once over the coordinates and reports whether one has moved.
func (p *problem) sweep(H *mat.SymDense, at, slope []float64) (moved bool) {
	for a := range at {
		h := H.At(a, a)
		if h == 0 {
			continue
		}
		t := at[a] - slope[a]/h
		next := math.Copysign(math.Max(math.Abs(t)-p.l1[a%len(p.l1)]/h, 0), t)
		if delta := next - at[a]; delta != 0 {
			moved = true
			at[a] = next
			for b := range slope {
				slope[b] += delta * H.At(a, b)
			}
		}
	}
	return moved
}

// solveNonzero minimises over the nonzero weights with their signs kept, and stops where
// the first of them becomes 0. It reports whether the result is the minimum over all
// weights.
func (p *problem) solveNonzero(H *mat.SymDense, g, theta, at, slope []float64) bool {
	e := len(p.l1)
	var active []int
	for a, t := range at {
		if (t != 0 || p.l1[a%e] == 0) && H.At(a, a) > 0 {
			active = append(active, a)
		}
	}
	S := mat.NewSymDense(len(active), nil)
	q := mat.NewVecDense(len(active), nil)
	scale := func(i int) float64 { return 1 / math.Sqrt(H.At(active[i], active[i])) }
	for i, a := range active {
		for j := i; j < len(active); j++ {
			S.SetSym(i, j, H.At(a, active[j])*scale(i)*scale(j))
		}
		// A little more than H: in a direction in which H is flat, the step is then long
		// but finite, and ends where a weight becomes 0.
		S.SetSym(i, i, 1+1e-11)
		q.SetVec(i, -(slope[a]+math.Copysign(p.l1[a%e], at[a]))*scale(i))
	}
	var chol mat.Cholesky
	if !chol.Factorize(S) {
		return false
	}
	_ = chol.SolveVecTo(q, q) // perhaps ill-conditioned, but a descent direction
	length, first := 1.0, -1
	for i, a := range active {
		q.SetVec(i, q.AtVec(i)*scale(i))
		if p.l1[a%e] == 0 {
			continue
		}
		if t := -at[a] / q.AtVec(i); t >= 0 && t < length {
			length, first = t, a
		}
	}
	for i, a := range active {
		at[a] += length * q.AtVec(i)
	}
	if first >= 0 {
		at[first] = 0
	}
	delta := mat.NewVecDense(len(at), nil)
	for a := range at {
		delta.SetVec(a, at[a]-theta[a])
	}
	delta.MulVec(H, delta)
	floats.AddTo(slope, g, delta.RawVector().Data)
	if first >= 0 {
		return false
	}
	for a, t := range at {
		if t == 0 && math.Abs(slope[a]) > p.l1[a%e]*(1+1e-9) {
			return false
		}
	}
	return true
}
