package svm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
)

// Newton's method in the primal. With zᵢ = (xᵢ, 1), v = (w, b) and the slacks
// ξᵢ = max(0, 1 - yᵢ(v·zᵢ)), the objective is smooth, and quadratic as long as the same
// samples have slack:
//
//	F(v)   = ½‖v‖² + Σ Cᵢξᵢ²
//	∇F(v)  = v - 2 Σ Cᵢξᵢyᵢzᵢ
//	∇²F(v) = I + 2 Σ Cᵢzᵢzᵢᵀ    over the i with ξᵢ > 0
//
// This penalises b. If b is free, the last elements of v and of the diagonal of I are 0
// here; without b, the last element of zᵢ is 0. A step goes to the minimum of F on a line, in
// Newton's direction:
//
//	∇²F(v) Δ = -∇F(v),  v ← v + tΔ   with the t > 0 that minimises F(v + tΔ)
//
// Once the same samples have slack before and after it, a step with t = 1 ends at the
// minimum (Keerthi and DeCoste, 2005). The sums over the samples are in linearsums.go, and the
// direction with more columns than samples in newton_wide.go.

// newton is the state of Newton's method.
type newton struct {
	Newton
	*linearProblem
	v      []float64 // w, then b
	scores []float64 // w·xᵢ + b

	sum []float64 // Σ αᵢyᵢxᵢ with αᵢ = 2Cᵢξᵢ, if model has computed it; otherwise nil

	rough   int          // remaining steps with a float32 Hessian
	samples *wideProblem // nil until the first step with more columns than samples
}

// roughSteps is the number of steps with a float32 Hessian, usually more than Newton's
// method needs. If float32 is too coarse for that, later steps use float64.
const roughSteps = 8

// newNewton returns the state before the first step, at c.Start if there is one.
func newNewton(c Newton, p *linearProblem) *newton {
	n, d := p.X.Dims()
	r := &newton{Newton: c, linearProblem: p, v: make([]float64, d+1), scores: make([]float64, n)}
	if p.many() {
		r.rough = roughSteps
	}
	if c.Start != nil {
		copy(r.v, c.Start.W)
		if c.Bias != mlkit.NoBias {
			r.v[d] = c.Start.B
		}
		copy(r.scores, add(r.v[d], r.sums.products(r.v[:d])))
	}
	return r
}

// run takes steps until the gap is within tolerance.
func (r *newton) run(ctx context.Context) (*LinearModel, error) {
	for k := 0; ; k++ {
		m := r.model(k)
		switch {
		case !check.Finite(m.Primal) || !check.Finite(m.Dual):
			return nil, overflow("Newton", k)
		case m.Converged, k > 0 && r.Trace != nil && !r.Trace(m.step()):
			return m, nil
		case k == r.MaxIter || !r.step(ctx):
			return m, notConverged("Newton", "MaxIter", m, k, r.Tol, ctx.Err())
		}
	}
}

// step takes a step, v ← v + tΔ. It returns false if ctx is done, or if the Hessian is not
// positive definite.
func (r *newton) step(ctx context.Context) bool {
	Δ := r.direction(ctx)
	if Δ == nil && r.rough > 0 && ctx.Err() == nil {
		r.rough = 0
		Δ = r.direction(ctx)
	}
	if Δ == nil {
		return false
	}
	r.rough--
	d := len(Δ) - 1
	change := add(Δ[d], r.sums.products(Δ[:d]))
	t := r.search(Δ, change)
	floats.AddScaled(r.v, t, Δ)
	floats.AddScaled(r.scores, t, change)
	return true
}

// direction returns Newton's direction Δ, or nil if ctx is done or the Hessian is not
// positive definite.
func (r *newton) direction(ctx context.Context) []float64 {
	gradient, slack := r.gradient()
	if r.wide() {
		return r.wideDirection(ctx, gradient, slack)
	}
	hessian, ok := r.hessian(ctx, slack)
	if !ok {
		return nil
	}
	var solution mat.VecDense
	definite := false
	err := work.Run(ctx, func() {
		var cholesky mat.Cholesky
		if definite = cholesky.Factorize(hessian); definite {
			// With a condition error there still is a direction. The line search decides
			// what it is worth.
			_ = cholesky.SolveVecTo(&solution, mat.NewVecDense(len(gradient), gradient))
		}
	})
	if err != nil || !definite {
		return nil
	}
	Δ := solution.RawVector().Data
	floats.Scale(-1, Δ)
	return Δ
}

// gradient returns ∇F(v), and the samples with ξᵢ > 0 and positive weight.
func (r *newton) gradient() (gradient []float64, slack []int) {
	_, d := r.X.Dims()
	gradient = slices.Clone(r.v)
	if r.bias == mlkit.FreeBias {
		gradient[d] = 0
	}
	for i, s := range r.scores {
		ξ := 1 - r.y[i]*s
		if ξ <= 0 {
			continue
		}
		slack = append(slack, i)
		if r.sum == nil {
			floats.AddScaled(gradient[:d], -2*r.bound[i]*ξ*r.y[i], r.X.RawRowView(i))
		}
		if r.bias != mlkit.NoBias {
			gradient[d] -= 2 * r.bound[i] * ξ * r.y[i]
		}
	}
	if r.sum != nil {
		floats.Sub(gradient[:d], r.sum)
	}
	return gradient, slack
}

// hessian returns ∇²F(v), given the samples with slack. It returns false if ctx is done.
func (r *newton) hessian(ctx context.Context, slack []int) (*mat.SymDense, bool) {
	_, d := r.X.Dims()
	H := mat.NewSymDense(d+1, nil)
	for j := range d + 1 {
		H.SetSym(j, j, 1)
	}
	if r.bias == mlkit.FreeBias {
		H.SetSym(d, d, 0)
	}
	if !r.addOuter(ctx, H, slack) {
		return nil, false
	}
	if H.At(d, d) == 0 {
		H.SetSym(d, d, 1) // no sample has slack, so b has no influence
	}
	return H, true
}

// addOuter adds 2 Σ Cᵢzᵢzᵢᵀ over some samples to H. It returns false if ctx is done.
func (r *newton) addOuter(ctx context.Context, H *mat.SymDense, some []int) bool {
	_, d := r.X.Dims()
	return r.sums.outer(ctx, H, len(some), func(z []float64, k int) {
		i := some[k]
		root := math.Sqrt(2 * r.bound[i])
		floats.ScaleTo(z[:d], root, r.X.RawRowView(i))
		z[d] = 0
		if r.bias != mlkit.NoBias {
			z[d] = root
		}
	}, r.rough > 0)
}

// search returns the t > 0 that minimises F(v + tΔ). The derivative in t,
//
//	t‖Δ‖² + v·Δ - 2 Σ Cᵢδᵢ max(0, ξᵢ - tδᵢ)   with δᵢ = yᵢ(Δ·zᵢ) and ξᵢ = 1 - yᵢ(v·zᵢ),
//
// is increasing and piecewise linear, so Newton's method, safeguarded by bisection, finds
// its zero.
func (r *newton) search(Δ, change []float64) float64 {
	k := len(Δ)
	if r.bias == mlkit.FreeBias {
		k--
	}
	square, product := floats.Dot(Δ[:k], Δ[:k]), floats.Dot(r.v[:k], Δ[:k])
	low, high, t := 0.0, math.Inf(1), 1.0
	δ, ξ := make([]float64, len(change)), make([]float64, len(change))
	for i, s := range r.scores {
		δ[i], ξ[i] = r.y[i]*change[i], 1-r.y[i]*s
	}
	for range 100 {
		slope, curvature := r.sums.hinge(t*square+product, square, ξ, δ, r.bound, t)
		if slope < 0 {
			low = t
		} else {
			high = t
		}
		next := t - slope/curvature
		if !(next > low && next < high) {
			next = min(2*t, low/2+high/2)
		}
		if math.Abs(next-t) <= 1e-15*t {
			break
		}
		t = next
	}
	return t
}

// model returns the model of the current state. With αᵢ = 2Cᵢξᵢ the gradient in w is
// w - Σ αᵢyᵢxᵢ, so at the minimum these multipliers solve the dual.
func (r *newton) model(iterations int) *LinearModel {
	d := len(r.v) - 1
	m := &LinearModel{
		Hyperplane: mlkit.Hyperplane{W: slices.Clone(r.v[:d]), B: r.v[d]},
		Alpha:      make([]float64, len(r.scores)), Iterations: iterations,
	}
	for i, s := range r.scores {
		m.Alpha[i] = 2 * r.bound[i] * max(0, 1-r.y[i]*s)
	}
	m.Primal = r.primal(m.W, m.B, r.scores)
	w, dual := r.dual(m.Alpha)
	if m.Dual = dual; r.many() && r.bias != mlkit.FreeBias { // dual has left α unchanged
		r.sum = w
	}
	m.close(r.Tol)
	return m
}
