package svm

import (
	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/kernel"
)

// fastFrom is the number of samples from which a fit uses the fast solver. Smaller fits
// are fast anyway, and keep the same bits on every processor.
const fastFrom = 1000

// fast takes the steps of smo with float32 rows of the Gram matrix, evaluated by package
// simd. The loss of precision is temporary: run finally evaluates g in float64 and goes
// on from there if the violation is above Tol. Later changes of g are small, and so are
// their errors.
type fast struct {
	smo    *smo
	f      gram.Function
	shift  []float64
	matrix *gram.Matrix
	active *active // nil before the first step

	traced [][]float32 // rows i and j of all samples, for report
}

// newFast returns nil if the fit is to take float64 steps: for few samples, a hard
// margin, a kernel that is not a function of inner products, or samples for which float32
// is too coarse.
func newFast(ctx early.Ender, s *smo) (*fast, error) {
	n, d := s.X.dims()
	form, ok := kernel.OfProducts(s.kernel)
	f := gram.Function(form)
	if n < fastFrom || s.hard || !ok || floats.Max(s.bound) > 1e15 {
		return nil, nil
	}
	shift, err := gram.Shift(ctx, f, n, d, s.X.row)
	if err != nil {
		return nil, err
	}
	m, ok, err := gram.New(ctx, f, n, d, s.X.row, shift, s.memory.matrix)
	if m != nil {
		s.memory.matrix = m
	}
	if !ok || err != nil {
		return nil, err
	}
	if isLinear(s.kernel) {
		s.origin = shift
	} else if !f.Gauss {
		shift = nil // g must be that of the unshifted kernel
	}
	return &fast{smo: s, f: f, shift: shift, matrix: m}, nil
}

// release leaves the cache of a to the next fit.
func (a *fast) release() {
	if a.active == nil {
		return
	}
	a.smo.memory.cache = a.active.cache
}

func (a *fast) diagonal(early.Ender) ([]float64, error) {
	u := a.smo.memory
	u.diag32 = a.matrix.Diagonal(u.diag32)
	u.diag = gram.Resized(u.diag, len(a.smo.y))
	for i := range u.diag {
		u.diag[i] = float64(u.diag32[i])
	}
	return u.diag, nil
}

// improve starts with all samples. After 4n iterations it begins to shrink the active
// set, and tries again every n. If evaluate finds that dropped samples violate the
// conditions, run calls improve again, with all samples.
func (a *fast) improve(ctx early.Ender) (ending, error) {
	s := a.smo
	n := len(s.y)
	if a.active == nil || a.active.index != nil {
		if a.active != nil {
			s.memory.cache = a.active.cache
		}
		a.active = newActive(a)
	}
	p := a.active
	i, m, M := p.begin(s.memory)
	look := s.iterations + 4*n
	for {
		if ctx.Err() != nil {
			return cancelled, nil // alpha and g are consistent: if p has shrunk, as they were before
		}
		if m-M <= s.tol {
			break
		}
		if !finite(m - M) {
			return overflowed, nil
		}
		if s.iterations >= s.limit {
			p.finish(s)
			return outOfSteps, nil
		}
		if s.iterations >= look {
			look = s.iterations + n
			if q := p.without(m, M); q != nil {
				p, a.active = q, q
				i, m, M = p.begin(s.memory)
			}
		}
		j, next, high, low, err := p.iterate(ctx, i, m, M)
		if err != nil {
			return 0, err
		}
		if j < 0 {
			p.finish(s)
			return stalled, nil
		}
		s.iterations++
		if goOn, err := a.report(ctx, i, j); err != nil {
			return 0, err
		} else if !goOn {
			return stopped, nil
		}
		i, m, M = next, high, low
	}
	p.finish(s)
	return converged, nil
}

// report is smo.report for a step on the active samples i and j. If the active set has
// shrunk, it first brings α and g of all samples up to date, with rows of its own: what a
// Trace sees is the state of the whole fit, and costs time, but does not touch the steps.
func (a *fast) report(ctx early.Ender, i, j int) (goOn bool, err error) {
	s, p := a.smo, a.active
	if s.trace == nil {
		return true, nil
	}
	if p.index == nil {
		return s.report(i, j), nil
	}
	if a.traced == nil {
		a.traced = [][]float32{make([]float32, a.matrix.Padded()), make([]float32, a.matrix.Padded())}
	}
	of := []int{p.index[i], p.index[j]}
	if err := a.matrix.Rows(ctx, a.traced, of); err != nil {
		return false, err
	}
	for k, after := range []float64{p.smo.alpha[i], p.smo.alpha[j]} {
		t := of[k]
		Δ := after - s.alpha[t]
		s.alpha[t] = after
		for u := range s.g {
			s.g[u] -= s.y[t] * Δ * float64(a.traced[k][u])
		}
	}
	return s.report(of[0], of[1]), nil
}

func (a *fast) evaluate(ctx early.Ender) error {
	s := a.smo
	u := s.memory
	u.terms = gram.Resized(u.terms, s.vectors())
	u.z, u.termsOf = u.z[:0], u.termsOf[:0]
	for i, α := range s.alpha {
		if k := len(u.z); α != 0 {
			u.terms[k] = gram.Term{Coef: α * s.y[i]}
			u.z, u.termsOf = append(u.z, s.X.row(i)), append(u.termsOf, u.terms[k:k+1])
		}
	}
	u.sum = gram.Resized(u.sum, len(s.g))
	clear(u.sum)
	if err := gram.Sums(ctx, [][]float64{u.sum}, a.f, u.z, u.termsOf, len(u.sum), s.X.row, a.shift, &u.space); err != nil {
		return err
	}
	floats.SubTo(s.g, s.y, u.sum)
	return nil
}
