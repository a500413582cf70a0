package svm

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/simd"
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
// A pass takes a step for each sample, in random order: see plainPasses below. Many samples
// have fastPasses, in descent_fast.go.

// descent is the state of dual coordinate descent.
type descent struct {
	DualDescent
	*linearProblem
	samples      []simd.Coordinate // αᵢ, yᵢ, Cᵢ and Qᵢᵢ = ‖xᵢ‖² + β²
	w            []float64         // Σ αᵢyᵢxᵢ
	b, b0, beta2 float64           // b = b₀ + β² Σ αᵢyᵢ
	passes       passes
	best         *LinearModel
}

// passes are the parts of a pass that depend on the number of samples.
type passes interface {
	// order returns the samples of the next pass, in random order.
	order(random *rand.Rand) []int32

	// steps takes a step for each of some samples. It returns the largest |Gᵢ| of the
	// multipliers that moved.
	steps(r *descent, some []int32) float64

	// passed is called after each pass, from 1, and reports whether to measure the gap.
	passed(r *descent, pass int) bool

	// tooLarge is called if passed has asked for the gap and it exceeds the tolerance.
	tooLarge(r *descent, gap float64)
}

// run makes passes until the gap is within tolerance.
func (r *descent) run(ctx context.Context) (*LinearModel, error) {
	if r.Start != nil {
		m, err := r.model(0)
		if err != nil {
			return nil, err
		}
		if r.keep(m); m.Converged {
			return m, nil
		}
	}
	random := rand.New(rand.NewPCG(r.Seed, 0))
	pass := 0
	for pass < r.MaxIter && r.pass(ctx, random) {
		pass++
		due := r.passes.passed(r, pass) || pass == r.MaxIter
		shown := r.Trace != nil && (pass <= 10 || pass%10 == 0)
		if !due && !shown {
			continue
		}
		m, err := r.model(pass)
		if err != nil {
			return nil, err
		}
		if due {
			if r.keep(m); r.best.Converged {
				return r.best, nil
			}
			r.passes.tooLarge(r, m.Gap)
		}
		if shown && !r.Trace(m.step()) {
			r.keep(m)
			return r.best, nil
		}
	}
	if r.best == nil {
		m, err := r.model(pass)
		if err != nil {
			return nil, err
		}
		if r.keep(m); m.Converged {
			return m, nil
		}
	}
	return r.best, notConverged("DualDescent", "MaxIter", r.best, pass, r.Tol, ctx.Err())
}

// pass goes once over the samples. It returns false if ctx is done.
func (r *descent) pass(ctx context.Context, random *rand.Rand) bool {
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

// model returns the model of the current multipliers, with both objectives.
func (r *descent) model(pass int) (*LinearModel, error) {
	alpha := make([]float64, len(r.samples))
	for i := range alpha {
		alpha[i] = r.samples[i].Alpha
	}
	w, dual := r.dual(alpha)
	scores := r.sums.products(w)
	b := r.b
	if r.Bias == mlkit.FreeBias && r.Loss == Hinge {
		b = r.bestBias(scores)
	}
	m := &LinearModel{Hyperplane: mlkit.Hyperplane{W: w, B: b}, Alpha: alpha, Dual: dual, Iterations: pass}
	m.Primal = r.primal(w, b, add(b, scores))
	if !check.Finite(m.Primal) || !check.Finite(m.Dual) {
		return nil, overflow("DualDescent", pass)
	}
	m.close(r.Tol)
	return m, nil
}

// keep keeps m if it is the best model so far.
func (r *descent) keep(m *LinearModel) {
	if r.best == nil || m.Gap < r.best.Gap {
		r.best = m
	}
	r.best.Iterations = m.Iterations
}

// plainPasses take a step for every sample, and measure the gap after passes 1 to 10 and
// every tenth pass.
type plainPasses struct{ all []int32 }

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

// steps minimises f over αᵢ with the other multipliers fixed, for one sample i after another.
func (p *plainPasses) steps(r *descent, some []int32) (missed float64) {
	for _, i := range some {
		q, x := &r.samples[i], r.X.RawRowView(int(i))
		if settled(q, r.Loss) {
			continue
		}
		U, D := q.Bound, 0.0
		if r.Loss == SquaredHinge {
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

func (p *plainPasses) passed(_ *descent, pass int) bool { return pass <= 10 || pass%10 == 0 }

func (p *plainPasses) tooLarge(*descent, float64) {}
