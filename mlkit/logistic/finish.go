package logistic

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// When the gradient of L-BFGS is below Tol, it may itself prove, with L2, that it is at the
// minimum. Otherwise Newton steps prove that, lead there, or show that there is none. Problems
// with more weights than newtonUpTo compute these steps by conjugate gradients, since the Hessian
// would take too long. So do others with L2, since a rough step is enough for a proof there.
const newtonUpTo = 1000

// finish proves that L-BFGS has ended at the minimum, or goes there.
func (p *problem) finish(run *state) error {
	run.converged = false
	if err := p.proveSeparable(run, nil); err != nil {
		return err
	}
	large := len(run.theta) > newtonUpTo
	switch {
	case p.gapOfGradient(run, p.enough(run)) <= p.enough(run):
		run.converged = true
		return nil
	case !p.likelihood():
		if cause := p.newtonConjugate(run, large); cause != nil || run.converged || large {
			return cause
		}
		q, ok := p.stored()
		if !ok {
			return p.ctx.Err()
		}
		q.MaxIter, q.Tol = min(p.MaxIter, run.iterations+100), 1e-8 // Newton's own Tol
		cause := q.newton(run)
		if cause == nil || run.stopped || run.iterations == p.MaxIter || p.ctx.Err() != nil {
			return cause
		}
		q.MaxIter = p.MaxIter
		return q.fromZero(run, cause) // p may have no samples in Z
	case large:
		if s := p.columnSeparates(); s != nil {
			return s
		}
		return p.newtonConjugate(run, large)
	}
	if proven, err := p.provenByNewton(run); err != nil || proven {
		run.converged = proven
		return err
	}
	if run.stopped {
		return errStopped
	}
	return p.fromZero(run, p.unproven(run))
}

// fromZero finds the minimum by Newton's method from θ = 0 or, if that fails too, returns the given
// cause. From far out on the way to infinity Newton's method finds nothing, since most samples
// have lost their weight in the Hessian. From θ = 0 it does.
func (p *problem) fromZero(run *state, cause error) error {
	q := *p
	q.Solver, q.MaxIter, q.Tol, q.Trace, q.report = Newton, 100, 1e-8, nil, nil
	probe, err := q.run(nil, nil)
	if p.ctx.Err() != nil || errors.As(err, new(*separation)) {
		return err
	}
	if err != nil {
		if p.likelihood() {
			if s := p.columnSeparates(); s != nil {
				return s
			}
		}
		return cause
	}
	probe.iterations = run.iterations + 1
	*run = *probe
	return p.trace(run, 0)
}

// provenByNewton reports whether the Newton step at θ proves that it is at the maximum of the
// likelihood.
func (p *problem) provenByNewton(run *state) (proven bool, err error) {
	var step []float64
	var regular bool
	if err := work.Run(p.ctx, func() { step, regular = solve(p.hessian(run.theta), run.grad, false) }); err != nil {
		return false, err
	}
	switch {
	case regular:
		return p.proven(run, p.prove(run.theta, step))
	case p.basis != nil:
		return false, nil
	default:
		q, err := p.orthonormal()
		if err != nil {
			return false, err
		}
		inBasis := *run
		inBasis.theta = q.basis.inverse(run.theta)
		inBasis.grad = make([]float64, len(inBasis.theta))
		q.value(inBasis.theta, inBasis.grad)
		return q.provenByNewton(&inBasis)
	}
}

// stored returns the problem with its samples in Z. It returns false if the context is done.
func (p *problem) stored() (q *problem, ok bool) {
	if p.Z != nil {
		q := *p
		return &q, true
	}
	Z := rows.NewDense(p.n, len(p.l2))
	read := p.standardised()()
	ok = p.rows(p.n, func(i int) { copy(Z.RawRowView(i), read(i, 1)) })
	return p.over(Z, p.labels), ok
}

// newtonConjugate takes Newton steps by conjugate gradients until one proves that the run
// has converged. If there is a Hessian to fall back on, it gives up when a step takes long or
// leads nowhere.
func (p *problem) newtonConjugate(run *state, large bool) error {
	limit := 50
	if large {
		limit = 1000
	}
	grad, trial := run.grad, make([]float64, len(run.theta))
	for {
		step, proven, solved, err := p.conjugateStep(run, grad, limit)
		if err != nil || proven || !solved && !large {
			run.converged = proven
			return err
		}
		if run.stopped {
			return errStopped
		}
		decrement := -floats.Dot(grad, step)
		if decrement <= 1e-12*run.objective && !large {
			return nil
		}
		if run.iterations >= p.MaxIter || decrement <= 1e-12*run.objective {
			return p.unproven(run)
		}
		length, _, err := search(p.ctx, p, run, step, grad, trial, false)
		if err != nil && p.ctx.Err() == nil && !large {
			return nil // rounding errors of nearly collinear columns, which the Hessian shows
		}
		if err != nil {
			return err
		}
		run.residual = floats.Norm(grad, math.Inf(1)) / p.total
		run.iterations++
		if err := p.trace(run, length); err != nil {
			return err
		}
	}
}

// conjugateStep solves Hs = -∇F by conjugate gradients (Magnus Hestenes and Eduard Stiefel,
// 1952), with residual r and direction v:
//
//	s ← s + αv,  r ← r - αHv,  α = r·r/v·Hv,  v ← r⁺ + (r⁺·r⁺/r·r) v
//
// It stops when s proves that the run has converged, or that it has not. A product Hv is a
// pass over the samples: Σ zᵢ Hᵢ(v·zᵢ), where Hᵢ are the second derivatives with respect to the
// scores.
func (p *problem) conjugateStep(run *state, grad []float64, limit int) (step []float64, proven, solved bool, err error) {
	D, e, K := len(grad), len(p.l2), p.K
	of, sums := proof{run.scores, make([]float64, p.n*K), nil}, p.sums
	if of.f == nil {
		of.f = p.scoresAt(run.theta)
	}
	run.scores = nil // θ will change
	if p.rough != nil {
		sums = p.rough // any step may supply a proof
	}
	step = make([]float64, D)
	rest := floats.ScaleTo(make([]float64, D), -1, grad)
	direction, image, scores := slices.Clone(rest), make([]float64, D), make([]float64, p.n*K)
	products := sums.with(rowwise{p.loss, func(i int, f []float64) {
		copy(scores[i*K:], f)
		p.loss.respond(i, of.f[i*K:][:K], f)
	}})
	size := floats.Dot(rest, rest)
	enough := 0.9 * p.enough(run)
	for range limit {
		if gap := p.foreseen(step, grad, rest); gap <= enough {
			proven, err := p.proven(run, proof{of.f, slices.Clone(of.u), rest})
			if proven || err != nil {
				return step, proven, true, err
			}
			enough /= 10
		} else if gap <= -1.1*floats.Dot(step, grad)/2 {
			return step, false, true, nil // the rest matters no more
		}
		clear(image)
		products.value(p.ctx, direction, image)
		if err := p.ctx.Err(); err != nil {
			return step, false, false, err
		}
		for a, v := range direction {
			image[a] += p.l2[a%e] * v
		}
		length := size / floats.Dot(direction, image)
		if !(length > 0 && length <= math.MaxFloat64) {
			break
		}
		floats.AddScaled(step, length, direction)
		floats.AddScaled(of.u, length, scores)
		floats.AddScaled(rest, -length, image)
		before := size
		size = floats.Dot(rest, rest)
		floats.AddScaledTo(direction, rest, size/before, direction)
	}
	return step, false, false, nil
}

// foreseen returns what the gap of a step will be to second order, if the step leaves the
// given rest of -∇F. Without a penalty any rest must be a rounding error.
func (p *problem) foreseen(step, grad, rest []float64) float64 {
	e := len(p.l2)
	if p.likelihood() {
		if floats.Norm(rest, math.Inf(1)) > 1e-13*p.total {
			return math.Inf(1)
		}
		return -floats.Dot(step, grad) / 2
	}
	gap := -(floats.Dot(step, grad) + floats.Dot(step, rest)) / 2
	for a, r := range rest {
		l2 := p.l2[a%e]
		if a%e == e-1 {
			continue // of a bias, which gap corrects
		}
		gap += (r+l2*step[a])*(r+l2*step[a])/(2*l2) - l2*step[a]*step[a]/2
	}
	return gap
}
