package svm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Pegasos is the stochastic HingeDescent: a step looks at a few random samples
// only, and its size is ρₜ = 1/(2λt) (Shai Shalev-Shwartz, Yoram Singer, Nathan Srebro,
// Andrew Cotter, "Pegasos: primal estimated sub-gradient solver for SVM", 2011,
// figures 1 and 2, whose λ is twice EE-559's, which is used here).
//
// The paper has no b, or a penalised one, or a free one with the steps of w (section
// 6), which at first are huge. Here a free b moves by the steps of HingeDescent. The
// model is the best of the hyperplanes at the ends of the passes, after each n
// samples.
type Pegasos struct {
	Lambda       float64               // λ > 0 of EE-559; 0 means 0.01
	Batch        int                   // random samples a step, drawn with replacement; 0 means 1
	Bias         Bias                  // FreeBias or NoBias; a constant column of X makes a penalised one
	Project      bool                  // after each step, bring w into the ball ‖w‖ ≤ 1/√(2λ), where the solution is
	Tol          float64               // the gap over the primal value at which the fit ends, above 0; 0 means 0.05
	MaxPasses    int                   // limit of the passes; 0 means 1000
	ClassWeights map[int]float64       // factors of the losses by label, each above 0; 1 for others
	Seed         uint64                // of the draws
	Trace        func(LinearStep) bool // if not nil, is called after every pass with the present hyperplane; returning false ends the fit
}

const (
	pegasosTol    = 0.05
	pegasosPasses = 1000
)

// Fit learns to tell the rows of X (n×d) with label y[i] = +1 from those with
// y[i] = -1. Iterations of the model are passes; its numbers and the errors are
// those of HingeDescent.Fit.
func (p Pegasos) Fit(X *mat.Dense, y []int) (*LinearModel, error) {
	return p.FitContext(context.Background(), X, y)
}

// FitContext is Fit that ends with a *mlkit.NotConvergedError, wrapping the
// context's error, soon after ctx is done.
func (p Pegasos) FitContext(ctx context.Context, X *mat.Dense, y []int) (*LinearModel, error) {
	return p.FitWeighted(ctx, X, y, nil)
}

// FitWeighted is FitContext with a weight for each row of X, as
// HingeDescent.FitWeighted. Rows are drawn with equal chances, but for those of
// weight 0, and the weight multiplies the step.
func (p Pegasos) FitWeighted(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*LinearModel, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	if err := checkHinge("Pegasos", p.Lambda, p.Tol, p.MaxPasses); err != nil {
		return nil, err
	}
	if p.Batch < 0 {
		return nil, fmt.Errorf("svm: Pegasos.Batch = %d, want a positive number, or 0 for 1", p.Batch)
	}
	if p.Bias != FreeBias && p.Bias != NoBias {
		return nil, fmt.Errorf("svm: Pegasos.Bias = %d, want FreeBias or NoBias; a constant column of X makes a penalised one", int(p.Bias))
	}
	if err := checkTwoClasses(X, y); err != nil {
		return nil, err
	}
	r, err := newHinge("Pegasos", p.Lambda, p.ClassWeights, X, y, weights, p.Bias)
	if err != nil {
		return nil, err
	}
	r.limit = "MaxPasses"
	if r.tol = p.Tol; r.tol == 0 {
		r.tol = pegasosTol
	}
	if p.MaxPasses == 0 {
		p.MaxPasses = pegasosPasses
	}
	if p.Batch == 0 {
		p.Batch = 1
	}
	return p.run(ctx, r)
}

func (p Pegasos) run(ctx context.Context, r *hinge) (*LinearModel, error) {
	random := rand.New(rand.NewPCG(p.Seed, 0))
	var present []int // the rows to draw from
	for i, s := range r.share {
		if s > 0 {
			present = append(present, i)
		}
	}
	n := len(present)
	perPass := 1 + (n-1)/p.Batch
	var batch []int
	scale := 1.0 // of the multipliers, so that a step need not touch all of them
	for t := 1; (t-1)/perPass < p.MaxPasses; t++ {
		batch = batch[:0]
		for k := range p.Batch {
			if (k+t)%64 == 0 && ctx.Err() != nil {
				return r.end(ctx, (t-1)/perPass)
			}
			i := present[random.IntN(n)]
			if r.y[i]*(floats.Dot(r.w, r.X.RawRowView(i))+r.b) < 1 {
				batch = append(batch, i)
			}
		}
		// w ← (1 - 1/t)w + (1/(2λt))(1/k) Σ yᵢxᵢ over the drawn i with yᵢ(w·xᵢ + b) < 1
		floats.Scale(1-1/float64(t), r.w)
		scale *= 1 - 1/float64(t)
		if t == 1 {
			scale = 1 // all multipliers are still 0
		}
		for _, i := range batch {
			of := r.share[i] * float64(n) / float64(p.Batch)
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
		step, err := r.measure(t / perPass)
		if err != nil {
			return nil, err
		}
		if r.best.Converged || p.Trace != nil && !p.Trace(step) {
			return r.best, nil
		}
	}
	return r.end(ctx, p.MaxPasses)
}
