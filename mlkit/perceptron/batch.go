package perceptron

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Batch is gradient descent on the perceptron cost (Theodoridis, "The
// Perceptron Algorithm"; see Cost). Each step collects the set Y of all
// samples on the wrong side and adds them at once,
//
//	w(t+1) = w(t) + ρₜ Σ yᵢxᵢ,  b(t+1) = b(t) + ρₜ Σ yᵢc²  over i in Y
//
// until Y is empty. Theodoridis writes δᵢ for -yᵢ. As there, a sample on the hyperplane
// belongs to Y.
//
// On separable classes it ends after finitely many steps if ρₜ is constant, or if
// Σρₜ = ∞ and Σρₜ² < ∞, as with Rate/t. A step takes O(nd) time.
type Batch struct {
	// Bias says how b is learnt. The zero value, mlkit.FreeBias, learns it as the weight
	// of a constant feature 1.
	Bias mlkit.Bias

	// Rate is the step size ρ > 0; 0 means 1.
	Rate float64

	// Schedule varies the step size, ρₜ = Rate·Schedule(t) for t = 1, 2, …; Harmonic
	// gives ρₜ = Rate/t. Its values must be positive. Nil means a constant step size.
	Schedule func(t int) float64

	// Start is the initial hyperplane w(0), b(0), which Fit does not modify. Nil means
	// W = 0, B = 0. With NoBias, its B must be 0.
	Start *mlkit.Hyperplane

	// MaxIter limits the passes over the samples; 0 means 1000. Each pass is one
	// step, except the one that finds Y empty. If Y is not empty in the last pass, Fit
	// returns a *mlkit.NotConvergedError.
	MaxIter int

	// Trace, if not nil, is called after every step, and at the end with the hyperplane
	// for which Y is empty. Returning false ends the fit.
	Trace func(BatchStep) bool
}

// BatchStep is one step of gradient descent.
type BatchStep struct {
	Step   int              // t = 1 for the first, from w(0) to w(1)
	Cost   float64          // J(w) before the step
	Wrong  []int            // the rows of X in Y, in ascending order
	Rate   float64          // ρₜ
	Before mlkit.Hyperplane // must not be modified
	After  mlkit.Hyperplane // must not be modified; same as Before if Y is empty
}

// Harmonic returns 1/t, a Schedule that satisfies Σρₜ = ∞ and Σρₜ² < ∞. It is the example of
// Theodoridis, ρₜ = c/t.
func Harmonic(t int) float64 { return 1 / float64(t) }

// Cost returns the perceptron cost of h on the rows of X (n×d) with labels
// y[i], each -1 or +1,
//
//	J(w, b) = -Σ yᵢ(w·xᵢ + b) ≥ 0  over the samples with yᵢ(w·xᵢ + b) ≤ 0
//
// (Theodoridis, "The Cost Function"; D(β, β₀) in Cornell, section 1.1), and its
// gradient (∂J/∂w, ∂J/∂b) = (-Σ yᵢxᵢ, -Σ yᵢ). J is piecewise linear. It has a kink
// where a sample lies on the hyperplane; the gradient there is that of the side where
// the sample is wrong.
func Cost(h mlkit.Hyperplane, X *mat.Dense, y []int) (cost float64, gradient mlkit.Hyperplane, err error) {
	if err := check.Labeled("perceptron", X, y, len(h.W)); err != nil {
		return 0, mlkit.Hyperplane{}, err
	}
	gradient.W = make([]float64, len(h.W))
	for i, label := range y {
		x, sign := X.RawRowView(i), float64(label)
		if m := sign * (floats.Dot(h.W, x) + h.B); m <= 0 {
			cost -= m
			floats.AddScaled(gradient.W, -sign, x)
			gradient.B -= sign
		}
	}
	return cost, gradient, nil
}

// Fit learns a hyperplane that separates the rows of X (n×d) with label y[i] = +1 from
// those with y[i] = -1. In the model, Epochs is the number of passes and
// MistakesPerEpoch holds the sizes of Y.
//
// If Y is not empty at the end, Fit returns the hyperplane with the fewest mistakes on
// X of all it tried, along with an error as for Perceptron.Fit. It looks for recurring
// weights only without a Schedule.
func (p Batch) Fit(X *mat.Dense, y []int) (*Model, error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context. It takes no weights. It reports each pass, with its mistakes.
func (p Batch) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*Model, error) {
	ctx, err := o.Unweighted("perceptron: Batch")
	if err != nil {
		return nil, err
	}
	online, err := newRun(o, "Batch", Perceptron{Bias: p.Bias, Rate: p.Rate, Start: p.Start, MaxIter: p.MaxIter}, maxIter, X, y)
	if err != nil {
		return nil, err
	}
	r := batchRun{run: online, batch: p, best: online.h.Clone(), cycle: newCycle(online.h, len(y))}
	ended, err := r.descend(ctx)
	if err != nil {
		return nil, err
	}
	return r.finish(ended, ctx.Err(), r.best, r.cycle)
}

// batchRun is the state of one fit.
type batchRun struct {
	*run
	batch    Batch
	best     mlkit.Hyperplane // the hyperplane with the fewest mistakes
	smallest int              // and their number
	cycle    *cycle
	wrong    []int // Y
	cost     float64
	sumX     []float64 // Σ yᵢxᵢ over Y
	sumY     float64   // Σ yᵢ over Y
}

func (r *batchRun) descend(ctx context.Context) (ending, error) {
	r.sumX = make([]float64, len(r.h.W))
	for epoch := range r.MaxIter {
		if ok, err := r.look(ctx, epoch); err != nil || !ok {
			return cancelled, err
		}
		if epoch == 0 || len(r.wrong) < r.smallest {
			r.smallest = len(r.wrong)
			copy(r.best.W, r.h.W)
			r.best.B = r.h.B
		}
		t, rate := epoch+1, r.Rate
		if r.batch.Schedule != nil {
			rate *= r.batch.Schedule(t)
			if !(rate > 0 && check.Finite(rate)) {
				return 0, fmt.Errorf("perceptron: Batch.Schedule makes the rate %v in step %d, want a positive number", rate, t)
			}
		}
		step := BatchStep{Step: t, Cost: r.cost, Rate: rate}
		if r.batch.Trace != nil {
			step.Wrong = append([]int(nil), r.wrong...)
			step.Before = r.h.Clone()
			step.After = step.Before
		}
		if len(r.wrong) > 0 {
			// w ← w + ρₜ Σ yᵢxᵢ,  b ← b + ρₜ Σ yᵢc²
			floats.AddScaled(r.h.W, rate, r.sumX)
			r.h.B += rate * r.sumY * r.c2
			if r.batch.Trace != nil {
				step.After = r.h.Clone()
			}
		}
		goOn := r.batch.Trace == nil || r.batch.Trace(step)
		switch {
		case len(r.wrong) == 0:
			return clean, nil
		case !goOn:
			return stopped, nil
		case r.batch.Schedule == nil && r.cycle.closed(r.h):
			return inCycle, nil
		}
	}
	return unended, nil
}

// look makes one pass over the samples and computes Y, the cost and the sums over Y. It
// returns false if the context is done.
func (r *batchRun) look(ctx context.Context, epoch int) (bool, error) {
	m := &r.model
	m.Epochs++
	r.wrong, r.cost, r.sumY = r.wrong[:0], 0, 0
	clear(r.sumX)
	for i, label := range r.y {
		if i%1024 == 0 && ctx.Err() != nil {
			m.MistakesPerEpoch = append(m.MistakesPerEpoch, len(r.wrong))
			return false, nil
		}
		x, y := r.X.RawRowView(i), float64(label)
		m.Steps++
		s := floats.Dot(r.h.W, x) + r.h.B
		if !check.Finite(s) {
			return false, r.overflow(i, s, epoch)
		}
		if y*s > 0 {
			continue
		}
		r.wrong = append(r.wrong, i)
		r.cost -= y * s
		floats.AddScaled(r.sumX, y, x)
		r.sumY += y
		r.cycle.mistakes[i]++
	}
	m.Mistakes += len(r.wrong)
	m.MistakesPerEpoch = append(m.MistakesPerEpoch, len(r.wrong))
	r.reportPass()
	return true, nil
}
