package svm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/simd"
)

// DualDescent is the support vector machine with the linear kernel, by coordinate descent
// in the dual. It visits the samples in random order, sets each multiplier to its optimum
// with the others fixed, and keeps w = Σ αᵢyᵢxᵢ up to date (Cho-Jui Hsieh, Kai-Wei Chang,
// Chih-Jen Lin, S. Sathiya Keerthi, S. Sundararajan, "A dual coordinate descent method
// for large-scale linear SVM", 2008, algorithm 1). The zero value has the hinge loss and
// C = 1.
//
// A free b brings the constraint Σ αᵢyᵢ = 0, and no single multiplier can move along it.
// The paper therefore has a penalised b, or none. Here the penalty is ½(b - b₀)²/β² in
// place of ½b², and b₀ is set to b repeatedly, until the penalty is 0 at the end (the
// proximal point method, R. Tyrrell Rockafellar, "Augmented Lagrangians and applications
// of the proximal point algorithm in convex programming", 1976). β² is the mean of ‖xᵢ‖².
//
// A pass takes O(nd) time. With at least 10,000 samples the passes use shrinking
// (algorithm 3): they leave out samples whose multipliers are expected to stay at their
// bounds. They also run on a float32 copy of X until that is too coarse. The model's gap
// is always over all samples in float64. Vector instructions then make sums differ
// between types of processors, but Primal is within Tol·Primal of the minimum, and w
// within √(2 Tol Primal) of the optimum. The number of passes grows with C. If n is much
// larger than d, Newton is faster for SquaredHinge.
type DualDescent struct {
	C            float64         // penalty per unit of slack, or of squared slack, above 0; 0 means 1
	Loss         Loss            // Hinge or SquaredHinge
	Bias         mlkit.Bias      // FreeBias, PenalisedBias or NoBias
	Tol          float64         // tolerance for Gap/Primal, above 0; 0 means 1e-3
	MaxIter      int             // limit on the passes; 0 means 10000
	ClassWeights map[int]float64 // factors of C by label, above 0; 1 if absent
	Seed         uint64          // seed of the order of each pass

	// Start is a model for a warm start, such as that for another C, with a multiplier
	// for each row of X. Multipliers are clipped to their bounds. nil means α = 0.
	Start *LinearModel

	// Trace, if not nil, is called with the state after each of passes 1 to 10 and every
	// tenth pass. Returning false ends the fit.
	Trace func(LinearStep) bool
}

// LinearStep is the state of a fit with the linear kernel.
type LinearStep struct {
	Iteration         int // step or pass, from 1; see the algorithm
	Hyperplane        mlkit.Hyperplane
	Primal, Dual, Gap float64 // as for LinearModel
}

const (
	dualDescentTol    = 1e-3
	dualDescentPasses = 10000
)

// Fit trains a machine on the rows of X (n×d) with labels y[i], each -1 or +1. The
// model's Iterations counts passes. If the gap is above Tol after MaxIter passes, Fit
// returns the model with a *mlkit.NotConvergedError and Gap/Primal in its Residual. Other
// errors report invalid X, y or c.
func (c DualDescent) Fit(X *mat.Dense, y []int) (*LinearModel, error) {
	return c.FitContext(context.Background(), X, y)
}

// FitContext is like Fit but stops soon after ctx is done, with a
// *mlkit.NotConvergedError that wraps the context's error.
func (c DualDescent) FitContext(ctx context.Context, X *mat.Dense, y []int) (*LinearModel, error) {
	return c.FitWeightedContext(ctx, X, y, nil)
}

// FitWeighted is like Fit with a factor of C for each row of X, as in
// Classifier.FitWeighted.
func (c DualDescent) FitWeighted(X *mat.Dense, y []int, weights []float64) (*LinearModel, error) {
	return c.FitWeightedContext(context.Background(), X, y, weights)
}

// FitWeightedContext is like FitWeighted but stops soon after ctx is done, as FitContext
// does.
func (c DualDescent) FitWeightedContext(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*LinearModel, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	if err := checkLinear("DualDescent", c.Loss, c.Bias, c.C, c.Tol, c.MaxIter); err != nil {
		return nil, err
	}
	if err := check.Shape("svm", X); err != nil { // newDualDescent checks the elements
		return nil, err
	}
	n, _ := X.Dims()
	if err := check.Signs("svm", n, y); err != nil {
		return nil, err
	}
	if err := check.BothSigns("svm", y); err != nil {
		return nil, err
	}
	if err := checkStart("DualDescent", c.Start, X, true); err != nil {
		return nil, err
	}
	bound, err := bounds(c.C, c.ClassWeights, y, weights)
	if err != nil {
		return nil, err
	}
	if c.Tol == 0 {
		c.Tol = dualDescentTol
	}
	if c.MaxIter == 0 {
		c.MaxIter = dualDescentPasses
	}
	r, err := newDualDescent(c, newLinearProblem(X, y, bound, c.Loss, c.Bias))
	if err != nil {
		return nil, err
	}
	return r.run(ctx)
}

// dualDescent is the state of a DualDescent's fit.
type dualDescent struct {
	DualDescent
	*linearProblem
	square []float64 // ‖xᵢ‖² + β², the curvature
	beta2  float64   // β²; 1 if b is penalised, 0 without b
	alpha  []float64
	w      []float64
	b, b0  float64
	best   *LinearModel
	shrunk *shrinking // nil below manyRows samples
}

func newDualDescent(c DualDescent, p *linearProblem) (*dualDescent, error) {
	n, d := p.X.Dims()
	stride := (d + 7) &^ 7 // a multiple of the vector length
	r := &dualDescent{DualDescent: c, linearProblem: p, square: make([]float64, n), alpha: make([]float64, n), w: make([]float64, d, stride)}
	var rough []float32
	if p.many() {
		rough = make([]float32, n*stride)
	}
	for i := range n {
		x := p.X.RawRowView(i)
		if rough != nil {
			r.square[i] = simd.Narrow(rough[i*stride:][:d], x)
		} else {
			r.square[i] = floats.Dot(x, x)
		}
		if !check.Finite(r.square[i]) {
			if err := check.Samples("svm", p.X); err != nil {
				return nil, err
			}
			return nil, tooLong(i, r.square[i])
		}
	}
	switch c.Bias {
	case mlkit.FreeBias:
		if r.beta2 = floats.Sum(r.square) / float64(n); r.beta2 == 0 {
			r.beta2 = 1
		}
	case mlkit.PenalisedBias:
		r.beta2 = 1
	}
	if largest := slices.Max(r.square); !(largest > 1e-30 && largest < 1e30) {
		rough = nil // out of float32's range
	}
	floats.AddConst(r.beta2, r.square)
	if c.Start != nil {
		r.start(c.Start)
	}
	if p.many() {
		r.shrunk = newShrinking(r, rough)
	}
	return r, nil
}

// start takes over the multipliers of m, clipped to their bounds, and if b is free, m.B.
func (r *dualDescent) start(m *LinearModel) {
	for i, a := range m.Alpha {
		if r.Loss == Hinge || r.bound[i] == 0 {
			a = min(a, r.bound[i])
		}
		r.alpha[i] = a
		floats.AddScaled(r.w, a*r.y[i], r.X.RawRowView(i))
		r.b += a * r.y[i] * r.beta2
	}
	if r.Bias == mlkit.FreeBias {
		r.b, r.b0 = m.B, m.B-r.b
	}
}

// checkStart checks a model for a warm start.
func checkStart(algorithm string, m *LinearModel, X *mat.Dense, multipliers bool) error {
	if m == nil {
		return nil
	}
	n, d := X.Dims()
	if len(m.W) != d {
		return fmt.Errorf("svm: %s.Start.W has %d elements, want %d, one for each column of X", algorithm, len(m.W), d)
	}
	for j, v := range m.W {
		if !check.Finite(v) {
			return fmt.Errorf("svm: %s.Start.W[%d] = %v, want a finite number", algorithm, j, v)
		}
	}
	if !check.Finite(m.B) {
		return fmt.Errorf("svm: %s.Start.B = %v, want a finite number", algorithm, m.B)
	}
	if !multipliers {
		return nil
	}
	if len(m.Alpha) != n {
		return fmt.Errorf("svm: %s.Start.Alpha has %d multipliers, want %d, one for each row of X", algorithm, len(m.Alpha), n)
	}
	for i, a := range m.Alpha {
		if !(a >= 0 && check.Finite(a)) {
			return fmt.Errorf("svm: %s.Start.Alpha[%d] = %v, want a finite number of at least 0", algorithm, i, a)
		}
	}
	return nil
}

func (r *dualDescent) run(ctx context.Context) (*LinearModel, error) {
	random := rand.New(rand.NewPCG(r.Seed, 0))
	order := make([]int, len(r.y))
	for i := range order {
		order[i] = i
	}
	pass := func() (float64, bool) {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		return r.pass(ctx, order)
	}
	if r.shrunk != nil {
		pass = func() (float64, bool) { return r.shrunk.pass(ctx, random) }
	}
	passes := 0
	if r.Start != nil {
		m, err := r.measure(0)
		if err != nil {
			return nil, err
		}
		if r.keep(m); m.Converged {
			return m, nil
		}
	}
	for passes < r.MaxIter {
		missed, ok := pass()
		if !ok {
			break
		}
		passes++
		// Move b₀ once the multipliers have converged relative to its distance from b.
		if r.Bias == mlkit.FreeBias && missed <= math.Abs(r.b-r.b0)/10 {
			// b = b₀ + β² Σ αᵢyᵢ
			r.b, r.b0 = r.b+(r.b-r.b0), r.b
		}
		shown := passes <= 10 || passes%10 == 0
		due := shown || passes == r.MaxIter
		if r.shrunk != nil {
			due = r.shrunk.due() || passes%100 == 0 || passes == r.MaxIter
		}
		if !due && (r.Trace == nil || !shown) {
			continue
		}
		m, err := r.measure(passes)
		if err != nil {
			return nil, err
		}
		if due {
			r.keep(m)
			if r.best.Converged {
				return r.best, nil
			}
			if r.shrunk != nil {
				r.shrunk.restore()
			}
		}
		if r.Trace != nil && !r.Trace(m.step()) {
			r.keep(m)
			return r.best, nil
		}
	}
	if r.best == nil {
		m, err := r.measure(passes)
		if err != nil {
			return nil, err
		}
		r.keep(m)
	}
	return r.best, notConverged("DualDescent", "MaxIter", r.best, passes, r.Tol, ctx.Err())
}

// pass goes once over the samples. It returns the largest |G| of the multipliers it
// changed, or false if ctx is done.
func (r *dualDescent) pass(ctx context.Context, order []int) (missed float64, ok bool) {
	for k, i := range order {
		if k%256 == 0 && ctx.Err() != nil {
			return 0, false
		}
		if r.bound[i] == 0 || r.square[i] == 0 && r.Loss == Hinge {
			r.alpha[i] = r.bound[i] // its slack is 1 for every w
			continue
		}
		x, y, upper, ridge := r.X.RawRowView(i), r.y[i], r.bound[i], 0.0
		if r.Loss == SquaredHinge {
			upper, ridge = math.Inf(1), 1/(2*r.bound[i])
		}
		// G = yᵢ(w·xᵢ + b) - 1 + αᵢ/(2Cᵢ),  αᵢ ← min(max(αᵢ - G/(‖xᵢ‖² + β² + 1/(2Cᵢ)), 0), Cᵢ)
		G := y*(floats.Dot(r.w, x)+r.b) - 1 + ridge*r.alpha[i]
		before := r.alpha[i]
		after := min(max(before-G/(r.square[i]+ridge), 0), upper)
		if after == before {
			continue
		}
		missed = max(missed, math.Abs(G))
		r.alpha[i] = after
		floats.AddScaled(r.w, (after-before)*y, x)
		r.b += (after - before) * y * r.beta2
	}
	return missed, true
}

// measure returns the model of the current multipliers, with both objectives.
func (r *dualDescent) measure(passes int) (*LinearModel, error) {
	if r.shrunk != nil {
		r.shrunk.store()
	}
	alpha := slices.Clone(r.alpha)
	w, dual := r.dual(alpha)
	scores := r.products(w)
	b := r.b
	if r.Bias == mlkit.FreeBias && r.Loss == Hinge {
		b = r.bestBias(scores)
	}
	m := &LinearModel{Hyperplane: mlkit.Hyperplane{W: w, B: b}, Alpha: alpha, Dual: dual, Iterations: passes}
	m.Primal = r.primal(w, b, add(b, scores))
	if !check.Finite(m.Primal) || !check.Finite(m.Dual) {
		return nil, overflow("DualDescent", passes)
	}
	m.close(r.Tol)
	return m, nil
}

// keep keeps m if it is the best model so far.
func (r *dualDescent) keep(m *LinearModel) {
	if r.best == nil || m.Gap < r.best.Gap {
		r.best = m
	}
	r.best.Iterations = m.Iterations
}

// close sets Gap and Converged.
func (m *LinearModel) close(tol float64) {
	m.Gap = max(0, m.Primal-m.Dual)
	m.Converged = m.Gap <= tol*m.Primal
}

func (m *LinearModel) step() LinearStep {
	return LinearStep{m.Iterations, mlkit.Hyperplane{W: slices.Clone(m.W), B: m.B}, m.Primal, m.Dual, m.Gap}
}

func overflow(algorithm string, iterations int) error {
	return fmt.Errorf("svm: %s: the sums overflow after %d iterations; scale X or C to smaller numbers", algorithm, iterations)
}

// notConverged returns the error of a linear fit that has not converged.
func notConverged(algorithm, limit string, m *LinearModel, iterations int, tol float64, cause error) *mlkit.NotConvergedError {
	relative := m.Gap / m.Primal
	reason := fmt.Sprintf("the gap is %.3g of the primal value after %d iterations, want at most %.3g; raise %s or Tol, or centre the columns of X and scale them alike", relative, iterations, tol, limit)
	if cause != nil {
		reason = fmt.Sprintf("%v; %s", cause, reason)
	}
	return &mlkit.NotConvergedError{
		Algorithm: "svm: " + algorithm, Iterations: iterations, Residual: relative, Reason: reason, Model: m, Err: cause,
	}
}

// tooLong returns the error for sample i, of which the square overflows.
func tooLong(i int, square float64) error {
	return fmt.Errorf("svm: k(X[%d], X[%d]) = %v, want a finite number; scale X to smaller numbers", i, i, square)
}
