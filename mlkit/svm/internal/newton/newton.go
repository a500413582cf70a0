// Package newton solves the primal problem of the linear support vector machine with squared
// slacks by Newton's method. Package svm is its API: it checks the arguments, and makes models of
// the solutions. Package linear has what the algorithms for the linear kernel share.
//
// # The files
//
//   - newton.go: the algorithm, with the gradient, the Hessian and the line search
//   - sums.go: its sums over the samples, plain and with vector instructions
//   - wide.go: the direction with more columns than samples
package newton

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/svm/internal/linear"
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
// minimum (S. Sathiya Keerthi, Dennis DeCoste, "A modified finite Newton method for fast
// solution of large scale linear SVMs", 2005).

// Fit is a fit by Newton's method. Solve expects Tol and MaxIter above 0.
type Fit struct {
	*linear.Problem
	Tol     float64                           // tolerance for Gap/Primal
	MaxIter int                               // limit on the steps
	Trace   func(s *linear.Solution) bool     // if not nil, called after every step; false ends Solve
	Report  func(steps int, residual float64) // if not nil, called at the start and after every step with Gap/Primal

	v      []float64 // w, then b
	scores []float64 // w·xᵢ + b
	sums   sums
	sum    []float64    // Σ αᵢyᵢxᵢ with αᵢ = 2Cᵢξᵢ, if solution has computed it; otherwise nil
	wide   *wideProblem // nil until the first step with more columns than samples
}

// New returns the fit of p before the first step, at the w and b of start, or at 0 if it is nil.
func New(p *linear.Problem, start *linear.Solution) *Fit {
	n, d := p.X.Dims()
	r := &Fit{Problem: p, v: make([]float64, d+1), scores: make([]float64, n), sums: plainSums{}}
	if p.Many() {
		r.sums = &fastSums{rough: roughSteps}
	}
	if start != nil {
		copy(r.v, start.W)
		if p.Bias != mlkit.NoBias {
			r.v[d] = start.B
		}
		copy(r.scores, linear.Add(r.v[d], r.Products(r.v[:d])))
	}
	return r
}

// Solve takes steps until the gap is within tolerance.
func (r *Fit) Solve(ctx context.Context) (*linear.Solution, linear.Ending) {
	for k := 0; ; k++ {
		s := r.solution(k)
		if r.Report != nil && s.Finite() {
			r.Report(k, s.Residual())
		}
		switch {
		case !s.Finite():
			return s, linear.Overflowed
		case s.Converged, k > 0 && r.Trace != nil && !r.Trace(s):
			return s, linear.Done
		case k == r.MaxIter || !r.step(ctx):
			return s, linear.Unfinished
		}
	}
}

// step takes a step, v ← v + tΔ. It returns false if ctx is done, or if the Hessian is not
// positive definite.
func (r *Fit) step(ctx context.Context) bool {
	Δ := r.direction(ctx)
	if Δ == nil && ctx.Err() == nil && r.sums.refine() {
		Δ = r.direction(ctx)
	}
	if Δ == nil {
		return false
	}
	d := len(Δ) - 1
	change := linear.Add(Δ[d], r.Products(Δ[:d]))
	t := r.search(Δ, change)
	floats.AddScaled(r.v, t, Δ)
	floats.AddScaled(r.scores, t, change)
	return true
}

// direction returns Newton's direction Δ, or nil if ctx is done or the Hessian is not
// positive definite.
func (r *Fit) direction(ctx context.Context) []float64 {
	gradient, slack := r.gradient()
	if n, d := r.X.Dims(); n < d {
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
func (r *Fit) gradient() (gradient []float64, slack []int) {
	_, d := r.X.Dims()
	gradient = slices.Clone(r.v)
	if r.Bias == mlkit.FreeBias {
		gradient[d] = 0
	}
	for i, s := range r.scores {
		ξ := 1 - r.Y[i]*s
		if ξ <= 0 {
			continue
		}
		slack = append(slack, i)
		if r.sum == nil {
			floats.AddScaled(gradient[:d], -2*r.C[i]*ξ*r.Y[i], r.X.RawRowView(i))
		}
		if r.Bias != mlkit.NoBias {
			gradient[d] -= 2 * r.C[i] * ξ * r.Y[i]
		}
	}
	if r.sum != nil {
		floats.Sub(gradient[:d], r.sum)
	}
	return gradient, slack
}

// hessian returns ∇²F(v), given the samples with slack. It returns false if ctx is done.
func (r *Fit) hessian(ctx context.Context, slack []int) (*mat.SymDense, bool) {
	_, d := r.X.Dims()
	H := mat.NewSymDense(d+1, nil)
	for j := range d + 1 {
		H.SetSym(j, j, 1)
	}
	if r.Bias == mlkit.FreeBias {
		H.SetSym(d, d, 0)
	}
	ok := r.sums.outer(ctx, H, len(slack), func(z []float64, k int) { // √(2Cᵢ) zᵢ
		root := math.Sqrt(2 * r.C[slack[k]])
		floats.ScaleTo(z[:d], root, r.X.RawRowView(slack[k]))
		z[d] = 0
		if r.Bias != mlkit.NoBias {
			z[d] = root
		}
	})
	if H.At(d, d) == 0 {
		H.SetSym(d, d, 1) // no sample has slack, so b has no influence
	}
	return H, ok
}

// search returns the t > 0 that minimises F(v + tΔ). The derivative in t,
//
//	t‖Δ‖² + v·Δ - 2 Σ Cᵢδᵢ max(0, ξᵢ - tδᵢ)   with δᵢ = yᵢ(Δ·zᵢ) and ξᵢ = 1 - yᵢ(v·zᵢ),
//
// is increasing and piecewise linear, so Newton's method, safeguarded by bisection, finds
// its zero.
func (r *Fit) search(Δ, change []float64) float64 {
	k := len(Δ)
	if r.Bias == mlkit.FreeBias {
		k--
	}
	square, product := floats.Dot(Δ[:k], Δ[:k]), floats.Dot(r.v[:k], Δ[:k])
	low, high, t := 0.0, math.Inf(1), 1.0
	δ, ξ := make([]float64, len(change)), make([]float64, len(change))
	for i, s := range r.scores {
		δ[i], ξ[i] = r.Y[i]*change[i], 1-r.Y[i]*s
	}
	for range 100 {
		slope, curvature := r.sums.hinge(t*square+product, square, ξ, δ, r.C, t)
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

// solution returns the solution of the current state. With αᵢ = 2Cᵢξᵢ the gradient in w is
// w - Σ αᵢyᵢxᵢ, so at the minimum these multipliers solve the dual.
func (r *Fit) solution(steps int) *linear.Solution {
	d := len(r.v) - 1
	s := &linear.Solution{
		Hyperplane: mlkit.Hyperplane{W: slices.Clone(r.v[:d]), B: r.v[d]},
		Alpha:      make([]float64, len(r.scores)), Iterations: steps,
	}
	for i, f := range r.scores {
		s.Alpha[i] = 2 * r.C[i] * max(0, 1-r.Y[i]*f)
	}
	s.Primal = r.Primal(s.W, s.B, r.scores)
	w, dual := r.Dual(s.Alpha)
	if s.Dual = dual; r.Many() && r.Bias != mlkit.FreeBias { // Dual has left α unchanged
		r.sum = w
	}
	s.Close(r.Tol)
	return s
}
