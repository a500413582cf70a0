package svm

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/svm/internal/smo"
)

// fit is a Classifier's fit. Its labels are those of the samples times sign, which makes
// Y[0] = +1: swapping the classes changes only the sign of the result, not the steps.
//
// Samples of weight 0 are absent. present are the places of the others among the n samples of
// the caller; nil means all.
type fit struct {
	*smo.Fit
	sign    float64
	present []int
	n       int
}

// newFit returns the fit of c to samples with labels y and the upper bounds of the
// multipliers, without those whose bound is 0.
func newFit(c Classifier, X smo.Samples, y []int, bounds []float64) *fit {
	given := len(y)
	present := rows.Present(bounds)
	if present != nil {
		X.Rows = rows.Within(X.Rows, present)
		y, bounds, c.Start = rows.Pick(y, present), rows.Pick(bounds, present), rows.Pick(c.Start, present)
	}
	n := len(y)
	if c.Kernel == nil {
		c.Kernel = kernel.Linear{}
	}
	c.Tol = cmp.Or(c.Tol, smoTol)
	if c.MaxIter == 0 {
		c.MaxIter = smoMaxIter(n)
	}
	c.CacheBytes = cmp.Or(c.CacheBytes, smoCache)
	f := &fit{sign: float64(y[0]), present: present, n: given, Fit: &smo.Fit{
		Samples: X, Kernel: c.Kernel, Linear: isLinear(c.Kernel), CacheBytes: c.CacheBytes,
		Dual: smo.Dual{
			Y: make([]float64, n), C: bounds, Hard: math.IsInf(c.C, 1), Tol: c.Tol, MaxIter: c.MaxIter,
			Alpha: make([]float64, n), G: make([]float64, n),
		},
	}}
	for i := range y {
		f.Y[i] = f.sign * float64(y[i])
		f.G[i] = f.Y[i]
	}
	if c.Start != nil {
		f.start(c.Start)
	}
	if c.Trace != nil {
		f.Trace = func(i, j int) (bool, error) { return c.Trace(f.step(i, j)), nil }
	}
	return f
}

// start clips the multipliers to their bounds, then scales down those of one class until
// Σ αᵢyᵢ = 0.
func (f *fit) start(alpha []float64) {
	var sum [2]float64
	class := func(i int) int { return int(1+f.Y[i]) / 2 }
	for i, a := range alpha {
		f.Alpha[i] = min(a, f.C[i])
		sum[class(i)] += f.Alpha[i]
	}
	for i := range f.Alpha {
		if mine, other := sum[class(i)], sum[1-class(i)]; mine > other {
			f.Alpha[i] *= other / mine
		}
	}
}

// step returns the state after a step on samples i and j, or at the start if they are -1.
func (f *fit) step(i, j int) Step {
	o := f.Objectives()
	t := Step{
		Iteration: f.Iterations, I: i, J: j, B: f.b(o.B),
		Dual: o.Dual, Primal: o.Primal, Gap: o.Gap, Violation: max(0, f.Violation()),
	}
	if i >= 0 {
		t.I, t.J = rows.Number(i, f.present), rows.Number(j, f.present)
		t.AlphaI, t.AlphaJ = f.Alpha[i], f.Alpha[j]
	}
	return t
}

// weights returns w = Σ αᵢyᵢxᵢ of the linear kernel.
func (f *fit) weights() []float64 {
	_, d := f.Samples.Dims()
	w, z := make([]float64, d), make([]float64, d)
	for i, a := range f.Alpha {
		if a == 0 {
			continue
		}
		x := f.Samples.Row(i)
		if f.Origin != nil {
			x = floats.SubTo(z, x, f.Origin)
		}
		floats.AddScaled(w, a*f.Y[i]*f.sign, x)
	}
	return w
}

// b converts the solver's b to the model's, for the original labels and origin.
func (f *fit) b(b float64) float64 {
	if f.Origin == nil {
		return f.sign * b
	}
	return f.sign*b - floats.Dot(f.weights(), f.Origin)
}

// run solves the problem and returns the model, with the error for its ending. The model
// keeps views of the samples if lent, otherwise copies.
func (f *fit) run(ctx work.Ender, lent bool) (*Model, error) {
	ended, err := f.Solve(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if err != nil {
		ended = smo.Cancelled
	}
	if ended == smo.Overflowed {
		return nil, f.overflow()
	}
	if f.K == nil || !check.Finite(floats.Sum(f.G)) {
		// Cancelled before the first step, or while g was out of date.
		clear(f.Alpha)
		copy(f.G, f.Y)
	}
	m := f.model(lent)
	if !check.Finite(m.Dual) || !check.Finite(m.Norm) {
		return nil, f.overflow()
	}
	return m, f.failure(m, ended, ctx.Err())
}
