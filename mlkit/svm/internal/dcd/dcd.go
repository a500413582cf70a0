// Package dcd solves the dual problem of the linear support vector machine by dual coordinate
// descent. Package svm is its API: it checks the arguments, and makes models of the solutions.
// Package linear has what the algorithms for the linear kernel share.
//
// # The files
//
//   - dcd.go: the algorithm, with the step on one multiplier
//   - start.go: the state before the first pass
//   - fast.go, order.go: the passes over many samples, with shrinking, float32 and vector
//     instructions; their order
package dcd

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/svm/internal/linear"
)

// Dual coordinate descent (Hsieh and others, "A dual coordinate descent method for
// large-scale linear SVM", 2008, algorithm 1). In the paper's letters it minimises, over α,
//
//	f(α) = ½ Σᵢⱼ αᵢαⱼQᵢⱼ + ½ Σ Dᵢαᵢ² + b₀ Σ αᵢyᵢ - Σ αᵢ   where   0 ≤ αᵢ ≤ Uᵢ,  Qᵢⱼ = yᵢyⱼ(xᵢ·xⱼ + β²)
//
// with Uᵢ = Cᵢ and Dᵢ = 0 for the hinge loss, and Uᵢ = ∞ and Dᵢ = 1/(2Cᵢ) for the squared
// hinge loss. β is one more feature of every sample, with (b - b₀)/β as its weight: β = 1 and
// b₀ = 0 penalise b with ½b², β = 0 leaves b out, and a free b moves b₀ (see pass).
//
// The gradient of f takes O(nd) time, but one element takes only O(d) if w = Σ αⱼyⱼxⱼ and
// b = b₀ + β² Σ αⱼyⱼ are at hand:
//
//	Gᵢ = ∂f/∂αᵢ = yᵢ(w·xᵢ + b) - 1 + Dᵢαᵢ
//
// Along αᵢ alone, f is a parabola of curvature Qᵢᵢ + Dᵢ. A step moves αᵢ to its lowest
// point within the bounds, and keeps w and b up to date:
//
//	ᾱᵢ ← αᵢ,  αᵢ ← min(max(αᵢ - Gᵢ/(Qᵢᵢ + Dᵢ), 0), Uᵢ)
//	w ← w + (αᵢ - ᾱᵢ)yᵢxᵢ,  b ← b + (αᵢ - ᾱᵢ)yᵢβ²
//
// A pass takes a step for each sample, in random order.

// Fit is a fit by dual coordinate descent. Solve expects Tol and MaxIter above 0.
type Fit struct {
	*linear.Problem
	Tol     float64                            // tolerance for Gap/Primal
	MaxIter int                                // limit on the passes
	Seed    uint64                             // seed of the order of each pass
	Trace   func(s *linear.Solution) bool      // if not nil, called after passes 1 to 10 and every tenth; false ends Solve
	Report  func(passes int, residual float64) // if not nil, called after each pass with the smallest Gap/Primal so far
	Passes  int                                // the number of passes made

	samples      []simd.Coordinate // αᵢ, yᵢ, Cᵢ and Qᵢᵢ = ‖xᵢ‖² + β²
	w            []float64         // Σ αᵢyᵢxᵢ
	b, b0, beta2 float64           // b = b₀ + β² Σ αᵢyᵢ
	warm         bool              // whether α has a start other than 0
	passes       passes
	best         *linear.Solution
}

// Solve makes passes until the gap is within tolerance, and returns the solution with the
// smallest gap that it has measured. The solution is nil if the sums overflow.
func (r *Fit) Solve(ctx context.Context) (*linear.Solution, linear.Ending) {
	if r.warm {
		if ended := r.keep(r.solution()); ended != linear.Unfinished {
			return r.best, ended
		}
	}
	random := rand.New(rand.NewPCG(r.Seed, 0))
	for ; r.Passes < r.MaxIter && r.pass(ctx, random); r.report() {
		r.Passes++
		due := r.passes.passed(r) || r.Passes == r.MaxIter
		shown := r.Trace != nil && (r.Passes <= 10 || r.Passes%10 == 0)
		if !due && !shown {
			continue
		}
		s := r.solution()
		if due || !s.Finite() {
			if ended := r.keep(s); ended != linear.Unfinished {
				return r.best, ended
			}
			r.passes.tooLarge(r, s.Gap)
		}
		if shown && !r.Trace(s) {
			r.keep(s)
			return r.best, linear.Done
		}
	}
	if r.best != nil {
		return r.best, linear.Unfinished
	}
	ended := r.keep(r.solution())
	return r.best, ended
}

// pass goes once over the samples. It returns false if ctx is done.
func (r *Fit) pass(ctx context.Context, random *rand.Rand) bool {
	const some = 1024 // samples between two looks at ctx
	missed := 0.0
	for order := r.passes.order(random); len(order) > 0; order = order[min(len(order), some):] {
		if ctx.Err() != nil {
			return false
		}
		missed = max(missed, r.passes.steps(r, order[:min(len(order), some)]))
	}
	// The proximal point method for a free b: b₀ ← b, once the multipliers have converged
	// relative to |b - b₀|, which bounds how far b is from its optimum.
	if r.Bias == mlkit.FreeBias && missed <= math.Abs(r.b-r.b0)/10 {
		r.b, r.b0 = r.b+(r.b-r.b0), r.b // b = b₀ + β² Σ αᵢyᵢ
	}
	return true
}

// passes are the parts of a pass that depend on the number of samples: plainPasses, or for many
// samples fastPasses in fast.go.
type passes interface {
	// order returns the samples of the next pass, in random order.
	order(random *rand.Rand) []int32

	// steps takes a step for each of some samples. It returns the largest |Gᵢ| of the
	// multipliers that moved.
	steps(r *Fit, some []int32) float64

	// passed is called after each pass and reports whether to measure the gap.
	passed(r *Fit) bool

	// tooLarge is called if passed has asked for the gap and it exceeds the tolerance.
	tooLarge(r *Fit, gap float64)
}

// plainPasses take a step for every sample, and measure the gap after passes 1 to 10 and
// every tenth pass.
type plainPasses struct{ all []int32 }

// steps minimises f over αᵢ with the other multipliers fixed, for one sample i after another.
func (p *plainPasses) steps(r *Fit, some []int32) (missed float64) {
	for _, i := range some {
		q, x := &r.samples[i], r.X.RawRowView(int(i))
		if r.settled(q) {
			continue
		}
		U, D := q.Bound, 0.0
		if r.Squared {
			U, D = math.Inf(1), 1/(2*q.Bound)
		}
		// Gᵢ = yᵢ(w·xᵢ + b) - 1 + Dᵢαᵢ,  αᵢ ← min(max(αᵢ - Gᵢ/(Qᵢᵢ + Dᵢ), 0), Uᵢ)
		G := q.Y*(floats.Dot(r.w, x)+r.b) - 1 + D*q.Alpha
		before := q.Alpha
		q.Alpha = min(max(before-G/(q.Square+D), 0), U)
		Δ := q.Alpha - before
		if Δ == 0 {
			continue
		}
		// w ← w + Δyᵢxᵢ,  b ← b + Δyᵢβ²
		floats.AddScaled(r.w, Δ*q.Y, x)
		r.b += Δ * q.Y * r.beta2
		missed = max(missed, math.Abs(G))
	}
	return missed
}

// settled reports whether αᵢ = Cᵢ whatever w is: the sample is 0 and there is no b, so that
// its slack is 1.
func (r *Fit) settled(q *simd.Coordinate) bool { return q.Square == 0 && !r.Squared }

func newPlainPasses(n int) *plainPasses {
	p := &plainPasses{all: make([]int32, n)}
	for i := range p.all {
		p.all[i] = int32(i)
	}
	return p
}

func (p *plainPasses) order(random *rand.Rand) []int32 {
	random.Shuffle(len(p.all), func(i, j int) { p.all[i], p.all[j] = p.all[j], p.all[i] })
	return p.all
}

func (p *plainPasses) passed(r *Fit) bool { return r.Passes <= 10 || r.Passes%10 == 0 }

func (p *plainPasses) tooLarge(*Fit, float64) {}

// solution returns the solution of the current multipliers, with both objectives.
func (r *Fit) solution() *linear.Solution {
	alpha := make([]float64, len(r.samples))
	for i := range alpha {
		alpha[i] = r.samples[i].Alpha
	}
	w, dual := r.Dual(alpha)
	scores := r.Products(w)
	b := r.b
	if r.Bias == mlkit.FreeBias && !r.Squared {
		b = r.BestBias(scores)
	}
	s := &linear.Solution{Hyperplane: mlkit.Hyperplane{W: w, B: b}, Alpha: alpha, Dual: dual, Iterations: r.Passes}
	s.Primal = r.Primal(w, b, linear.Add(b, scores))
	s.Close(r.Tol)
	return s
}

// keep keeps s if it is the best solution so far, and returns Done if that has converged.
func (r *Fit) keep(s *linear.Solution) linear.Ending {
	if !s.Finite() {
		r.best = nil
		return linear.Overflowed
	}
	if r.best == nil || s.Gap < r.best.Gap {
		r.best = s
	}
	r.best.Iterations = s.Iterations
	r.report()
	if r.best.Converged {
		return linear.Done
	}
	return linear.Unfinished
}

// report reports the passes made, which may have been reported already.
func (r *Fit) report() {
	if r.Report != nil {
		r.Report(r.Passes, r.best.Residual())
	}
}
