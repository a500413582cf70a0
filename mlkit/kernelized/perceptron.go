package kernelized

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/brent"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
)

// Perceptron is the kernel perceptron (CMU, "Kernelizing the perceptron algorithm"; Mark
// Aizerman, Emmanuel Braverman and Lev Rozonoer, 1964). It is the perceptron in the space
// of φ, with its weights stored as the sum of the samples it misclassified:
//
//	if y(Σ αⱼyⱼ k(xⱼ, x) + b) ≤ 0:  α ← α + 1,  b ← b + y
//
// where α counts the mistakes on a sample. Its predictions and mistakes are those of
// perceptron.Perceptron on the samples φ(x). The zero value has the kernel x·z. CMU's
// algorithm is the one with NoBias and ZeroIsPositive.
//
// There are no sample weights, because the order of the samples is part of the algorithm:
// a sample that occurs twice in a row is visited twice, which is not the same as one
// mistake that counts double.
//
// A mistake takes O(nd) time and any other step O(1), since the scores of all samples are
// kept up to date.
type Perceptron struct {
	// Kernel is k; nil means Linear{}.
	Kernel kernel.Kernel

	// Bias is FreeBias or NoBias. FreeBias extends each φ(x) by the constant 1, which gives
	// the kernel k(x, z) + 1; NoBias is CMU's.
	Bias mlkit.Bias

	// MaxIter limits the passes over the samples; 0 means 1000. If the last pass leaves
	// the classes unseparated, Fit returns a *mlkit.NotConvergedError.
	MaxIter int

	// ZeroIsPositive makes a score of 0 correct for a positive sample (CMU:
	// "predict + iff … ≥ 0"). False means that 0 is a mistake for both labels, as in
	// perceptron.Perceptron.
	ZeroIsPositive bool

	// Trace, if not nil, is called after every step. Returning false ends the fit.
	Trace func(PerceptronStep) bool
}

// PerceptronStep is one step of the kernel perceptron: a visit to one sample.
type PerceptronStep struct {
	Step     int     // 1 for the first
	Epoch    int     // the pass, 0 for the first
	Index    int     // the row of X
	Y        int     // its label
	Score    float64 // before the step
	Mistake  bool    // whether the step corrected α
	Mistakes int     // mistakes so far, including this one
	Alpha    []int   // α after the step, one per row of X; shared by the steps between two mistakes
}

// PerceptronModel is the result of a Perceptron. Its Coef are αᵢyᵢ and its X the samples
// with αᵢ > 0, "all the mistakes so far" (CMU).
type PerceptronModel struct {
	Expansion
	Rows             []int `json:"rows"`  // the rows of Fit's X that the model's X holds, ascending
	Alpha            []int `json:"alpha"` // αᵢ > 0, one for each of Rows
	Mistakes         int   `json:"mistakes"`
	Epochs           int   `json:"epochs"` // passes begun, including the last
	Steps            int   `json:"steps"`  // samples visited
	MistakesPerEpoch []int `json:"mistakes_per_epoch"`
	Converged        bool  `json:"converged"` // whether the model makes no mistake on X; false if Trace ended the fit
}

var _ mlkit.ClassifierModel = (*PerceptronModel)(nil)

// Inputs returns d, the number of features of a sample.
func (m *PerceptronModel) Inputs() int { return m.X.Cols }

// Predict returns +1 if the score of x is at least 0 and -1 otherwise. It panics unless x
// has length d.
func (m *PerceptronModel) Predict(x []float64) int { return rows.Side(m.Score(x)) }

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics unless X has d columns and dst one element per row.
func (m *PerceptronModel) Predictions(dst []int, X mat.Matrix) []int {
	n, _ := X.Dims()
	dst = sized(dst, n)
	for i, s := range m.Scores(nil, X) {
		dst[i] = rows.Side(s)
	}
	return dst
}

// Fit learns from the rows of X (n×d) with labels y[i], each -1 or +1.
//
// If the classes are not separated after MaxIter passes, or if a pass ends with the
// scores of an earlier one, Fit returns the best model with a *mlkit.NotConvergedError,
// whose Residual is the number of samples on the wrong side. If two equal rows have
// different labels, so that no kernel separates the classes, the error is a
// *mlkit.NotSeparableError. The best model is either the last one or the first of those
// that lasted for the most steps, whichever makes fewer mistakes on X.
//
// Fit also returns an error if X, y or a field of p is invalid, or if all samples have
// the same label.
func (p Perceptron) Fit(X *mat.Dense, y []int) (*PerceptronModel, error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context. It takes no weights. It reports each pass, with its mistakes.
func (p Perceptron) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*PerceptronModel, error) {
	ctx, err := o.Unweighted("kernelized: Perceptron")
	if err != nil {
		return nil, err
	}
	r, err := newPerceptronRun(p, X, y)
	if err != nil {
		return nil, err
	}
	r.report = work.Reporter(o, "kernelized: Perceptron", r.MaxIter)
	ended, err := r.learn(ctx)
	if err != nil {
		return nil, err
	}
	return r.finish(ended, ctx.Err())
}

// learn makes passes until the stopping rule holds: a pass without a mistake, scores that
// recur and so recur for ever, or MaxIter passes. The trace and the context end it within a
// pass.
func (r *perceptronRun) learn(ctx context.Context) (ending, error) {
	cycle := brent.New(r.scores, 0)
	for range r.MaxIter {
		ended, err := r.epoch(ctx)
		if err != nil || ended != unended {
			return ended, err
		}
		mistakes := r.model.MistakesPerEpoch[r.model.Epochs-1]
		r.report(r.model.Epochs, float64(mistakes))
		if mistakes == 0 {
			return clean, nil
		}
		if recurs, _ := cycle.Next(r.scores, 0); recurs {
			return inCycle, nil
		}
	}
	return unended, nil
}

// pass is the algorithm: it visits the samples from row first to row end - 1 and corrects
// each mistake. The pocket sees the α that made the mistake, the trace what came of the step.
func (r *perceptronRun) pass(ctx context.Context, first, end int) (ending, error) {
	for i := first; i < end; i++ {
		s, y := r.scores[i], r.y[i]
		mistake := r.mistake(s, y)
		if mistake {
			if ctx.Err() != nil { // a mistake takes O(nd) time
				return cancelled, nil
			}
			r.observe()
			// α ← α + 1, thus f ← f + y(k(xᵢ, ·) + 1)
			r.alpha[i]++
			floats.AddScaled(r.scores, float64(y), r.row(i))
			if j := slices.IndexFunc(r.scores, notFinite); j >= 0 {
				return unended, r.overflow(j, i)
			}
		}
		r.model.Steps++
		if r.Trace != nil && !r.trace(i, s, mistake) {
			return stopped, nil
		}
	}
	return unended, nil
}

// mistake reports whether score s is wrong for label y.
func (p Perceptron) mistake(s float64, y int) bool {
	if p.ZeroIsPositive {
		return rows.Side(s) != y
	}
	return s*float64(y) <= 0
}
