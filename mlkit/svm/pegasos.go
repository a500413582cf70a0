package svm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/svm/internal/linear"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Pegasos is stochastic SubgradientDescent: each step uses only a few random samples and has
// the size ρₜ = 1/(2λt) (Shai Shalev-Shwartz, Yoram Singer, Nathan Srebro, Andrew Cotter,
// "Pegasos: primal estimated sub-gradient solver for SVM", 2011, figures 1 and 2). λ is
// EE-559's, half of the paper's.
//
// The paper has no b, a penalised one, or a free one that takes the steps of w (section
// 6), which are huge at first. Here a free b takes the steps of SubgradientDescent. The model
// is the best hyperplane at the end of a pass of n samples.
type Pegasos struct {
	Lambda       float64               // λ > 0 of EE-559; 0 means 0.01
	BatchSize    int                   // random samples per step, drawn with replacement; 0 means 1
	Bias         mlkit.Bias            // FreeBias or NoBias; for a penalised bias, add a constant column to X
	Project      bool                  // project w after each step onto the ball ‖w‖ ≤ 1/√(2λ), which contains the solution
	Tol          float64               // tolerance for Gap/Primal, above 0; 0 means 0.05
	MaxIter      int                   // limit on the passes; 0 means 1000
	ClassWeights map[int]float64       // factors of the losses by label, above 0; 1 if absent
	Balanced     bool                  // give both classes the same total weight (see package mlkit); needs ClassWeights empty
	Seed         uint64                // seed of the draws
	Trace        func(LinearStep) bool // if not nil, called with the current hyperplane after every pass; returning false ends the fit
}

const (
	pegasosTol    = 0.05
	pegasosPasses = 1000
)

// Fit trains a machine on the rows of X (n×d) with labels y[i], each -1 or +1. The
// model's Iterations counts passes. Its other numbers and the errors are those of
// SubgradientDescent.Fit.
func (p Pegasos) Fit(X *mat.Dense, y []int) (*LinearModel, error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with a weight for each row of X, as
// SubgradientDescent.FitWith is. It draws rows of positive weight uniformly and multiplies the
// step by the weight. It reports each pass, as SubgradientDescent does each step.
func (p Pegasos) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*LinearModel, error) {
	if err := checkHinge("Pegasos", p.Lambda, p.Tol, p.MaxIter); err != nil {
		return nil, err
	}
	if p.BatchSize < 0 {
		return nil, fmt.Errorf("svm: Pegasos.BatchSize = %d, want a positive number, or 0 for 1", p.BatchSize)
	}
	if p.Bias != mlkit.FreeBias && p.Bias != mlkit.NoBias {
		return nil, fmt.Errorf("svm: Pegasos.Bias = %v, want FreeBias or NoBias; a constant column of X makes a penalised one", p.Bias)
	}
	if err := check.TwoClasses("svm", X, y); err != nil {
		return nil, err
	}
	r, err := newHinge("Pegasos", p.Lambda, p.ClassWeights, p.Balanced, X, y, o.Weights, p.Bias)
	if err != nil {
		return nil, err
	}
	if r.tol = p.Tol; r.tol == 0 {
		r.tol = pegasosTol
	}
	p.MaxIter = cmp.Or(p.MaxIter, pegasosPasses)
	if p.BatchSize == 0 {
		p.BatchSize = 1
	}
	r.report = work.Reporter(o, "svm: Pegasos", p.MaxIter)
	return p.run(o.ContextOrBackground(), r)
}

func (p Pegasos) run(ctx context.Context, r *hinge) (*LinearModel, error) {
	random := rand.New(rand.NewPCG(p.Seed, 0))
	n := len(r.Y)
	perPass := 1 + (n-1)/p.BatchSize
	var batch []int
	scale := 1.0 // common factor of the multipliers: a step need not touch them all
	for t := 1; (t-1)/perPass < p.MaxIter; t++ {
		batch = batch[:0]
		for k := range p.BatchSize {
			if (k+t)%64 == 0 && ctx.Err() != nil {
				return r.end(ctx, (t-1)/perPass, linear.Unfinished)
			}
			i := random.IntN(n)
			if r.Y[i]*(floats.Dot(r.w, r.X.RawRowView(i))+r.b) < 1 {
				batch = append(batch, i)
			}
		}
		// w ← (1 - 1/t)w + (1/(2λt))(1/k) Σ yᵢxᵢ over the drawn i with yᵢ(w·xᵢ + b) < 1
		floats.Scale(1-1/float64(t), r.w)
		scale *= 1 - 1/float64(t)
		if t == 1 {
			scale = 1 // all multipliers are 0 so far
		}
		for _, i := range batch {
			of := r.share[i] * float64(n) / float64(p.BatchSize)
			r.pull(i, of/(2*r.λ*float64(t)), of/(r.R2+2*r.λ*float64(t)), scale)
		}
		if p.Project {
			// w ← min(1, 1/(√(2λ)‖w‖)) w
			if f := 1 / (math.Sqrt(2*r.λ) * floats.Norm(r.w, 2)); f < 1 {
				floats.Scale(f, r.w)
				scale *= f
			}
		}
		if t%perPass > 0 {
			continue
		}
		floats.Scale(scale, r.alpha)
		scale = 1
		if ended := r.measure(t/perPass, p.Trace); ended != linear.Unfinished {
			return r.end(ctx, t/perPass, ended)
		}
	}
	return r.end(ctx, p.MaxIter, linear.Unfinished)
}
