package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/kernel"
)

// fastFrom is the number of samples from which a fit is fast: with less it takes no
// time, and every processor gives the same bits.
const fastFrom = 1000

// fast takes the steps of smo with rows of the Gram matrix in float32, by the kernels
// of package simd. What it loses by that it doesn't lose for good: run evaluates g in
// float64 in the end, and goes on from there if the violation is above Tol. The changes
// of g are then small, and so are their errors.
type fast struct {
	*smo
	f      gram.Function
	shift  []float64
	matrix *gram.Matrix
	cache  *rowCache[float32]
	diag32 []float32

	// For simd.Update: 0 where yₜαₜ may grow and else -Inf, 0 where it may shrink and
	// else +Inf.
	upper, lower []float32

	// Rows that were evaluated because they may be needed soon, and how many have been.
	guessed       []bool
	guesses, hits int
	which         []int
	rows          [][]float32
}

// newFast returns nil if the reference is to be taken: if there are few samples, the margin
// is hard, the kernel isn't one of inner products, or float32 is too coarse for the samples.
func newFast(ctx context.Context, s *smo) (*fast, error) {
	n, d := s.X.dims()
	f, ok := products(s.kernel)
	if n < fastFrom || s.hard || !ok || floats.Max(s.bound) > 1e15 {
		return nil, nil
	}
	shift, err := gram.Shift(ctx, f, n, d, s.X.row)
	if err != nil {
		return nil, err
	}
	m, ok, err := gram.New(ctx, f, n, d, s.X.row, shift, s.memory.panels)
	if !ok || err != nil {
		return nil, err
	}
	if !f.Gauss {
		shift = nil // g is to be that of the kernel as it is
	}
	a := &fast{
		smo: s, f: f, shift: shift, matrix: m, diag32: m.Diagonal(), cache: newRowCache[float32](n, m.Padded(), 4, s.bytes),
		upper: make([]float32, n), lower: make([]float32, n), guessed: make([]bool, n),
	}
	a.cache.spare = s.memory.rows
	return a, nil
}

// products returns k as a function of inner products, if it is one.
func products(k kernel.Kernel) (gram.Function, bool) {
	positive := func(gamma, zero float64) float64 {
		if gamma == 0 {
			return zero
		}
		return gamma
	}
	switch k := k.(type) {
	case kernel.Any:
		return products(k.Kernel)
	case kernel.Linear:
		return gram.Function{Gamma: 1, Degree: 1}, true
	case kernel.Polynomial:
		return gram.Function{Gamma: positive(k.Gamma, 1), Coef0: k.Coef0, Degree: int(positive(float64(k.Degree), 2))}, true
	case kernel.RBF:
		return gram.Function{Gauss: true, Gamma: positive(k.Gamma, 0.5)}, true
	}
	return gram.Function{}, false
}

// release leaves the memory of a to the next fit.
func (a *fast) release() {
	rows := a.cache.spare
	for _, row := range a.cache.rows {
		if row != nil {
			rows = append(rows, row)
		}
	}
	*a.memory = memory{panels: a.matrix.Memory(), rows: rows}
}

func (a *fast) diagonal(context.Context) ([]float64, error) {
	diag := make([]float64, len(a.y))
	for i := range diag {
		diag[i] = float64(a.diag32[i])
	}
	return diag, nil
}

func (a *fast) improve(ctx context.Context) (ending, error) {
	for t := range a.y {
		a.limit32(t)
	}
	i, m, M := a.first()
	for {
		if ctx.Err() != nil {
			return cancelled, nil
		}
		if m-M <= a.tol {
			return converged, nil
		}
		if !finite(m - M) {
			return overflowed, nil
		}
		if a.iterations >= a.limit {
			return outOfSteps, nil
		}
		Ki, err := a.row(ctx, i, m, M)
		if err != nil {
			return 0, err
		}
		j := simd.Partner(a.g, a.lower, a.diag32[:len(a.g)], Ki, m, a.diag[i])
		if j < 0 {
			return stalled, nil
		}
		Kj, err := a.row(ctx, j, m, M)
		if err != nil {
			return 0, err
		}
		Δi, Δj := a.step(i, j, float64(Ki[j]))
		if Δi == 0 && Δj == 0 {
			return stalled, nil
		}
		a.limit32(i)
		a.limit32(j)
		was := i
		i, m, M = simd.Update(a.g, a.upper, a.lower, Ki, Kj, -a.y[i]*Δi, -a.y[j]*Δj)
		a.iterations++
		if !a.report(was, j) {
			return stopped, nil
		}
	}
}

// limit32 sets upper and lower for a multiplier that has changed.
func (a *fast) limit32(t int) {
	a.upper[t], a.lower[t] = 0, 0
	if !a.up(t) {
		a.upper[t] = float32(math.Inf(-1))
	}
	if !a.low(t) {
		a.lower[t] = float32(math.Inf(1))
	}
}

// row returns row i, which is valid until row has been called for another row that
// isn't in the cache. If it has to be evaluated, others that will be needed soon are
// evaluated with it, since twelve cost not much more than two.
func (a *fast) row(ctx context.Context, i int, m, M float64) ([]float32, error) {
	if a.guessed[i] {
		a.guessed[i] = false
		a.hits++
	}
	if row := a.cache.get(i); row != nil {
		return row, nil
	}
	a.which, a.rows = append(a.which[:0], i), a.rows[:0]
	a.guess(m, M)
	for _, t := range a.which {
		a.rows = append(a.rows, a.cache.put(t))
	}
	if err := a.matrix.Rows(ctx, a.rows, a.which); err != nil {
		return nil, err
	}
	return a.cache.get(i), nil
}

// guess adds to which the rows not in the cache that violate the conditions of the
// optimum most.
func (a *fast) guess(m, M float64) {
	more := min(batch, a.cache.capacity/4) - 1
	if more <= 0 || 3*a.hits < a.guesses-200 {
		return
	}
	own, middle := a.which[0], m/2+M/2
	var best [batch]float64
	at := a.which[:1]
	for t, g := range a.g {
		v := max(g+float64(a.upper[t])-middle, middle-g-float64(a.lower[t]))
		if v <= best[more-1] || a.cache.rows[t] != nil || t == own {
			continue
		}
		k := len(at) - 1
		if k < more {
			at = append(at, t)
		} else {
			k--
		}
		for ; k > 0 && best[k-1] < v; k-- {
			best[k], at[k+1] = best[k-1], at[k]
		}
		best[k], at[k+1] = v, t
	}
	a.which = at
	for _, t := range at[1:] {
		a.guessed[t] = true
	}
	a.guesses += len(at) - 1
}

// batch is how many rows are evaluated together, at most.
const batch = 12

func (a *fast) evaluate(ctx context.Context) error {
	sum := make([]float64, len(a.g))
	var z [][]float64
	var terms [][]gram.Term
	for i, α := range a.alpha {
		if α != 0 {
			z = append(z, a.X.row(i))
			terms = append(terms, []gram.Term{{Coef: α * a.y[i]}})
		}
	}
	if err := gram.Sums(ctx, [][]float64{sum}, a.f, z, terms, len(sum), a.X.row, a.shift); err != nil {
		return err
	}
	floats.SubTo(a.g, a.y, sum)
	return nil
}
