package svm

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/svm/internal/linear"
)

// SubgradientDescent minimises the mean hinge loss with a penalty,
//
//	λ‖w‖² + (1/n) Σ max(0, 1 - yᵢ(w·xᵢ + b))
//
// (EE-559), by subgradient descent from w = 0, b = 0. At the corner of the hinge it takes
// the subgradient 0:
//
//	w ← w - ρₜ(2λw - (1/n) Σ yᵢxᵢ),  b ← b + ρₜ(1/n) Σ yᵢ    over the i with yᵢ(w·xᵢ + b) < 1
//
// The problem is that of Classifier with the linear kernel and C = COfLambda(λ, n). The
// objective may rise from step to step, so the model is the best hyperplane seen.
//
// The steps also give a lower bound, which tells how good that hyperplane is. With
// η = 2λρ a step is w ← (1-η)w + η Σ C yᵢxᵢ over the same i. So w is always Σ αᵢyᵢxᵢ with
// 0 ≤ αᵢ ≤ C, and scaling α until Σ αᵢyᵢ = 0 makes it feasible for the dual. The gap
// falls like 1/t: use another algorithm for a solution to many digits. Centre and scale
// the features: since b moves no faster than w, that saves most of the steps.
type SubgradientDescent struct {
	// Lambda is λ > 0; 0 means 0.01. See LambdaOfC.
	Lambda float64

	// Schedule returns the step size ρₜ > 0 for t = 1, 2, …. Nil means 1/(R² + 2λt),
	// where R² is the largest ‖xᵢ‖² + 1: at first as large as the data allow, and in the
	// end about 1/(2λt), the rate for strong convexity.
	Schedule func(t int) float64

	Tol          float64               // tolerance for Gap/Primal, above 0; 0 means 0.05
	MaxIter      int                   // limit on the steps; 0 means 10000
	ClassWeights map[int]float64       // factors of the losses by label, above 0; 1 if absent
	Balanced     bool                  // give both classes the same total weight (see package mlkit); needs ClassWeights empty
	Trace        func(LinearStep) bool // if not nil, called with the current hyperplane after every step; returning false ends the fit
}

const (
	hingeLambda = 0.01
	hingeTol    = 0.05
	hingeSteps  = 10000
)

// Fit trains a machine on the rows of X (n×d) with labels y[i], each -1 or +1. The
// model's Iterations counts steps. Its Primal, Dual and Gap are those of the package
// comment, ½‖w‖² + C Σ ξᵢ, which is EE-559's objective over 2λ. If the gap is above Tol
// after MaxIter steps, Fit returns the model with a *mlkit.NotConvergedError and
// Gap/Primal in its Residual. Other errors report invalid X, y or h.
func (h SubgradientDescent) Fit(X *mat.Dense, y []int) (*LinearModel, error) {
	return h.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with a weight for each row of X. It minimises the weighted
// mean of the losses. It reports each step, with Gap/Primal of the best hyperplane and bound so far.
func (h SubgradientDescent) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*LinearModel, error) {
	if err := checkHinge("SubgradientDescent", h.Lambda, h.Tol, h.MaxIter); err != nil {
		return nil, err
	}
	if err := check.TwoClasses("svm", X, y); err != nil {
		return nil, err
	}
	r, err := newHinge("SubgradientDescent", h.Lambda, h.ClassWeights, h.Balanced, X, y, o.Weights, mlkit.FreeBias)
	if err != nil {
		return nil, err
	}
	if r.tol = h.Tol; r.tol == 0 {
		r.tol = hingeTol
	}
	h.MaxIter = cmp.Or(h.MaxIter, hingeSteps)
	r.report = work.Reporter(o, "svm: SubgradientDescent", h.MaxIter)
	return h.run(o.ContextOrBackground(), r)
}

func (h SubgradientDescent) run(ctx context.Context, r *hinge) (*LinearModel, error) {
	for t := 1; t <= h.MaxIter; t++ {
		ρ := 1 / (r.R2 + 2*r.λ*float64(t))
		if h.Schedule != nil {
			if ρ = h.Schedule(t); !(ρ > 0 && check.Finite(ρ)) {
				return nil, fmt.Errorf("svm: SubgradientDescent.Schedule(%d) = %v, want a positive number", t, ρ)
			}
		}
		if !r.descend(ctx, ρ) {
			return r.end(ctx, t-1, linear.Unfinished)
		}
		if ended := r.measure(t, h.Trace); ended != linear.Unfinished {
			return r.end(ctx, t, ended)
		}
	}
	return r.end(ctx, h.MaxIter, linear.Unfinished)
}

func checkHinge(algorithm string, λ, tol float64, limit int) error {
	if !(λ >= 0 && check.Finite(λ)) {
		return fmt.Errorf("svm: %s.Lambda = %v, want a positive number, or 0 for %v", algorithm, λ, hingeLambda)
	}
	return checkLinear(algorithm, Hinge, mlkit.FreeBias, 1, tol, limit)
}

// hinge is the state of a fit by SubgradientDescent or Pegasos.
type hinge struct {
	*linear.Problem
	algorithm string
	λ, tol    float64
	R2        float64 // the largest ‖xᵢ‖² + 1
	share     []float64
	w         []float64
	b         float64
	alpha     []float64 // w = Σ αᵢyᵢxᵢ
	best      *linear.Solution
	report    func(iterations int, residual float64)
}

func newHinge(algorithm string, λ float64, classWeights map[int]float64, balanced bool, X *mat.Dense, y []int, weights []float64, bias mlkit.Bias) (*hinge, error) {
	λ = cmp.Or(λ, hingeLambda)
	// Compute the weights as bounds with C = 1. Their sum replaces n.
	share, err := bounds(1, classWeights, balanced, y, weights)
	if err != nil {
		return nil, err
	}
	p := linear.New(X, y, share, false, bias)
	n, d := p.X.Dims()
	share, total := p.C, 0.0
	for _, v := range share {
		total += v
	}
	if !check.Finite(total) {
		return nil, fmt.Errorf("svm: %s: the sum of the weights overflows, want smaller ones", algorithm)
	}
	p.C = make([]float64, n)
	for i, v := range share {
		share[i] = v / total
		p.C[i] = share[i] / (2 * λ)
		if !check.Finite(p.C[i]) {
			return nil, fmt.Errorf("svm: %s.Lambda = %v is too small for %d samples, want C = 1/(2λn) finite", algorithm, λ, n)
		}
	}
	r := &hinge{
		Problem: p, algorithm: algorithm, λ: λ, R2: 1, share: share,
		w: make([]float64, d), alpha: make([]float64, n),
	}
	for i := range n {
		x := p.X.RawRowView(i)
		square := 0.0
		for _, v := range x {
			square += v * v
		}
		if !check.Finite(square) {
			return nil, p.TooLong(i, square)
		}
		r.R2 = max(r.R2, square+1)
	}
	return r, nil
}

// descend takes a step over all samples. It returns false if ctx is done.
func (r *hinge) descend(ctx context.Context, ρ float64) bool {
	scores, ok := r.scoresOf(ctx)
	if !ok {
		return false
	}
	η := 2 * r.λ * ρ
	for j := range r.w {
		r.w[j] *= 1 - η
	}
	for i, s := range scores {
		r.alpha[i] *= 1 - η
		if r.Y[i]*s < 1 {
			r.pull(i, ρ*r.share[i], ρ*r.share[i], 1)
		}
	}
	return true
}

// pull moves w by δ and b by δb towards sample i. alpha holds the multipliers divided by
// scale.
func (r *hinge) pull(i int, δ, δb, scale float64) {
	r.alpha[i] += δ / scale
	for j, v := range r.X.RawRowView(i) {
		r.w[j] += δ * r.Y[i] * v
	}
	if r.Bias == mlkit.FreeBias {
		r.b += δb * r.Y[i]
	}
}

// scoresOf returns the current scores, or false if ctx is done.
func (r *hinge) scoresOf(ctx context.Context) ([]float64, bool) {
	h := mlkit.Hyperplane{W: r.w, B: r.b}
	scores := make([]float64, len(r.Y))
	for i := range scores {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, false
		}
		scores[i] = h.Score(r.X.RawRowView(i))
	}
	return scores, true
}

// measure evaluates both problems and keeps the best hyperplane and the best lower bound. It
// returns Done if these have converged or trace, which may be nil, returns false.
func (r *hinge) measure(iterations int, trace func(LinearStep) bool) linear.Ending {
	alpha := slices.Clone(r.alpha)
	_, dual := r.Dual(alpha)
	s := &linear.Solution{
		Hyperplane: mlkit.Hyperplane{W: slices.Clone(r.w), B: r.b},
		Iterations: iterations, Alpha: alpha, Dual: dual,
	}
	s.Primal = r.Primal(s.W, s.B, s.Scores(nil, r.X))
	if !s.Finite() {
		return linear.Overflowed
	}
	s.Close(r.tol)
	step := linearStep(s)
	if r.best == nil {
		r.best = s
	}
	if s.Primal < r.best.Primal {
		r.best.Hyperplane, r.best.Primal = s.Hyperplane, s.Primal
	}
	if s.Dual > r.best.Dual {
		r.best.Alpha, r.best.Dual = s.Alpha, s.Dual
	}
	r.best.Iterations = iterations
	r.best.Close(r.tol)
	if r.report != nil {
		r.report(iterations, r.best.Residual())
	}
	if r.best.Converged || trace != nil && !trace(step) {
		return linear.Done
	}
	return linear.Unfinished
}

// end returns the best model, with the error for the ending.
func (r *hinge) end(ctx context.Context, iterations int, ended linear.Ending) (*LinearModel, error) {
	if r.best == nil && ended == linear.Unfinished {
		ended = r.measure(iterations, nil)
	}
	return solved(ctx, r.algorithm, r.Problem, r.best, ended, iterations, r.tol)
}
