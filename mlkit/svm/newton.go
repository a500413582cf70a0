package svm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
)

// Newton is the support vector machine with the linear kernel and squared slacks. It
// minimises ½‖w‖² + C Σ ξᵢ² by Newton's method in the primal. A step solves the least
// squares problem of the samples that currently have slack. An exact line search makes
// the objective fall, so the method ends after finitely many steps (S. Sathiya Keerthi,
// Dennis DeCoste, "A modified finite Newton method for fast solution of large scale
// linear SVMs", 2005; Olivier Chapelle, "Training a support vector machine in the
// primal", 2007). The zero value has C = 1.
//
// A step takes O(nd² + d³) time and O(d²) memory, and few steps are needed. With at least
// 10,000 samples, sums use vector instructions and the first Hessians are in float32. The
// last steps then differ between types of processors, but Primal is within Tol·Primal of
// the minimum, and w within √(2 Tol Primal) of the optimum.
type Newton struct {
	C            float64               // penalty per unit of squared slack, above 0; 0 means 1
	Bias         mlkit.Bias            // FreeBias, PenalisedBias or NoBias
	Tol          float64               // tolerance for Gap/Primal, above 0; 0 means 1e-9
	MaxIter      int                   // limit on the steps; 0 means 100
	ClassWeights map[int]float64       // factors of C by label, above 0; 1 if absent
	Start        *LinearModel          // model whose w and b to start from, such as that for another C; nil means 0
	Trace        func(LinearStep) bool // if not nil, called after every step; returning false ends the fit
}

const (
	newtonTol     = 1e-9
	newtonMaxIter = 100
)

// Fit trains a machine on the rows of X (n×d) with labels y[i], each -1 or +1. The
// model's Iterations counts steps. If the gap is above Tol after MaxIter steps, Fit
// returns the model with a *mlkit.NotConvergedError and Gap/Primal in its Residual. Other
// errors report invalid X, y or c.
func (c Newton) Fit(X *mat.Dense, y []int) (*LinearModel, error) {
	return c.FitContext(context.Background(), X, y)
}

// FitContext is like Fit but stops soon after ctx is done, with a
// *mlkit.NotConvergedError that wraps the context's error.
func (c Newton) FitContext(ctx context.Context, X *mat.Dense, y []int) (*LinearModel, error) {
	return c.FitWeightedContext(ctx, X, y, nil)
}

// FitWeighted is like Fit with a factor of C for each row of X, as in
// Classifier.FitWeighted.
func (c Newton) FitWeighted(X *mat.Dense, y []int, weights []float64) (*LinearModel, error) {
	return c.FitWeightedContext(context.Background(), X, y, weights)
}

// FitWeightedContext is like FitWeighted but stops soon after ctx is done, as FitContext
// does.
func (c Newton) FitWeightedContext(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*LinearModel, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	if err := checkLinear("Newton", SquaredHinge, c.Bias, c.C, c.Tol, c.MaxIter); err != nil {
		return nil, err
	}
	if err := check.TwoClasses("svm", X, y); err != nil {
		return nil, err
	}
	if err := checkStart("Newton", c.Start, X, false); err != nil {
		return nil, err
	}
	bound, err := bounds(c.C, c.ClassWeights, y, weights)
	if err != nil {
		return nil, err
	}
	if c.Tol == 0 {
		c.Tol = newtonTol
	}
	if c.MaxIter == 0 {
		c.MaxIter = newtonMaxIter
	}
	n, d := X.Dims()
	r := &newton{linearProblem: newLinearProblem(X, y, bound, SquaredHinge, c.Bias), v: make([]float64, d+1), scores: make([]float64, n)}
	if r.many() {
		r.rough = roughSteps
	}
	if c.Start != nil {
		copy(r.v, c.Start.W)
		if c.Bias != mlkit.NoBias {
			r.v[d] = c.Start.B
		}
		copy(r.scores, add(r.v[d], r.products(r.v[:d])))
	}
	m := r.model(0, c.Tol)
	if !check.Finite(m.Primal) || !check.Finite(m.Dual) {
		return nil, overflow("Newton", 0)
	}
	if m.Converged {
		return m, nil
	}
	for k := range c.MaxIter {
		if !r.step(ctx) {
			break
		}
		m = r.model(k+1, c.Tol)
		if !check.Finite(m.Primal) || !check.Finite(m.Dual) {
			return nil, overflow("Newton", k+1)
		}
		if m.Converged || c.Trace != nil && !c.Trace(m.step()) {
			return m, nil
		}
	}
	return m, notConverged("Newton", "MaxIter", m, m.Iterations, c.Tol, ctx.Err())
}

// newton is the state of a Newton's fit.
type newton struct {
	*linearProblem
	v      []float64 // w, then b
	scores []float64 // w·xᵢ + b

	sum []float64 // Σ αᵢyᵢxᵢ with αᵢ = 2Cᵢξᵢ, if model has computed it; otherwise nil

	rough int // remaining steps with a float32 Hessian of many samples
}

// roughSteps is the number of steps with a float32 Hessian, usually more than Newton's
// method needs. If float32 is too coarse for that, later steps use float64.
const roughSteps = 8

// step takes a step. It returns false if ctx is done, or if the Hessian is not positive
// definite.
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
	change := add(Δ[d], r.products(Δ[:d]))
	t := r.search(Δ, change)
	floats.AddScaled(r.v, t, Δ)
	floats.AddScaled(r.scores, t, change)
	return true
}

// direction returns the Newton direction, or nil if ctx is done or the Hessian is not
// positive definite.
func (r *newton) direction(ctx context.Context) []float64 {
	gradient, hessian, ok := r.derivatives(ctx)
	if !ok {
		return nil
	}
	var solution mat.VecDense
	definite := false
	err := early.Run(ctx, func() {
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

// derivatives returns the gradient and the Hessian, with x extended by 1 and sums over
// the samples with slack ξᵢ > 0:
//
//	gradient v - 2 Σ Cᵢξᵢyᵢxᵢ   and   Hessian I + 2 Σ Cᵢxᵢxᵢᵀ
//
// If b is not penalised, its elements of v and I are 0. The last result is false if ctx
// is done.
func (r *newton) derivatives(ctx context.Context) ([]float64, *mat.SymDense, bool) {
	_, d := r.X.Dims()
	gradient := slices.Clone(r.v)
	H := mat.NewSymDense(d+1, nil)
	for j := range d + 1 {
		H.SetSym(j, j, 1)
	}
	if r.bias == mlkit.FreeBias {
		gradient[d] = 0
		H.SetSym(d, d, 0)
	}
	var slack []int // samples with ξᵢ > 0 and positive weight
	for i, s := range r.scores {
		ξ := 1 - r.y[i]*s
		if ξ <= 0 || r.bound[i] == 0 {
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
	if !r.addOuter(ctx, H, slack) {
		return nil, nil, false
	}
	if H.At(d, d) == 0 {
		H.SetSym(d, d, 1) // no sample has slack, so b has no influence
	}
	return gradient, H, true
}

// addOuter adds 2 Σ Cᵢxᵢxᵢᵀ over the samples some, extended by 1, to H. It returns false
// if ctx is done.
func (r *newton) addOuter(ctx context.Context, H *mat.SymDense, some []int) bool {
	_, d := r.X.Dims()
	scaled := func(row []float64, i int) {
		root := math.Sqrt(2 * r.bound[i])
		floats.ScaleTo(row[:d], root, r.X.RawRowView(i))
		row[d] = 0
		if r.bias != mlkit.NoBias {
			row[d] = root
		}
	}
	if len(some) >= gram.OuterFrom {
		row := make([]float64, d+1)
		sum, err := gram.Outer(ctx, len(some), d+1, func(k int) []float64 {
			scaled(row, some[k])
			return row
		}, r.rough > 0)
		if err == nil {
			H.AddSym(H, sum)
		}
		return err == nil
	}
	const size = 512
	chunk := mat.NewDense(min(len(r.scores), size), d+1, nil)
	for ; len(some) > 0; some = some[min(len(some), size):] {
		rows := chunk.Slice(0, min(len(some), size), 0, d+1).(*mat.Dense)
		for k, i := range some[:min(len(some), size)] {
			scaled(rows.RawRowView(k), i)
		}
		if early.Run(ctx, func() { H.SymRankK(H, 1, rows.T()) }) != nil {
			return false
		}
	}
	return true
}

// search returns the t > 0 that minimises the objective at v + tΔ. Its derivative
//
//	t‖Δ‖² + v·Δ - 2 Σ Cᵢδᵢ max(0, ξᵢ - tδᵢ),   δᵢ = yᵢ(Δ·xᵢ),  ξᵢ = 1 - yᵢ(v·xᵢ)
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
		slope, curvature := t*square+product, square
		if r.many() {
			first, second := simd.Hinge(ξ, δ, r.bound, t)
			slope, curvature = slope-2*first, curvature+2*second
		} else {
			for i, δ := range δ {
				if ξ := ξ[i] - t*δ; ξ > 0 {
					slope -= 2 * r.bound[i] * δ * ξ
					curvature += 2 * r.bound[i] * δ * δ
				}
			}
		}
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

// model returns the model of the current state. With αᵢ = 2Cᵢξᵢ the gradient is
// w - Σ αᵢyᵢxᵢ, so at the minimum these multipliers solve the dual.
func (r *newton) model(iterations int, tol float64) *LinearModel {
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
	m.close(tol)
	return m
}
