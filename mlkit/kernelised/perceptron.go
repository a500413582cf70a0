package kernelised

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/kernel"
)

// Perceptron is the kernel perceptron (CMU, "Kernelizing the perceptron algorithm"; Mark
// Aizerman, Emmanuel Braverman and Lev Rozonoer, 1964). It is the perceptron in the space
// of φ, with its weights stored as the sum of the samples it misclassified:
//
//	if y(Σ αⱼyⱼ k(xⱼ, x) + b) ≤ 0:  α ← α + 1,  b ← b + yc²
//
// where α counts the mistakes on a sample. Its predictions and mistakes are those of
// perceptron.Perceptron on the samples φ(x). The zero value is CMU's algorithm with the
// kernel x·z and no bias, except for how it treats a score of 0. The fields select the
// lectures' other variants.
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

	// Constant is c ≥ 0. It extends each φ(x) by the constant c, which gives the kernel
	// k(x, z) + c². 0 means no bias, as in CMU; 1 is mlkit.FreeBias.
	Constant float64

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

var _ mlkit.Classifier = (*PerceptronModel)(nil)

// Features returns d, the number of features of a sample.
func (m *PerceptronModel) Features() int { return m.X.Cols }

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
	return p.FitContext(context.Background(), X, y)
}

// FitContext is Fit with a context. Soon after ctx is done it returns a
// *mlkit.NotConvergedError that wraps the context's error.
func (p Perceptron) FitContext(ctx context.Context, X *mat.Dense, y []int) (*PerceptronModel, error) {
	if err := p.check(X, y); err != nil {
		return nil, err
	}
	r := newPerceptronRun(p, X, y)
	ended, err := r.run(ctx)
	if err != nil {
		return nil, err
	}
	return r.finish(ended, ctx.Err())
}

func (p Perceptron) check(X *mat.Dense, y []int) error {
	if !(p.Constant >= 0 && check.Finite(p.Constant)) {
		return fmt.Errorf("kernelised: Perceptron.Constant = %v, want a positive number, or 0 for none", p.Constant)
	}
	if p.MaxIter < 0 {
		return fmt.Errorf("kernelised: Perceptron.MaxIter = %d, want a positive number, or 0 for %d", p.MaxIter, maxEpochs)
	}
	if err := checkBoth(kernel.OrLinear(p.Kernel), X); err != nil {
		return err
	}
	n, _ := X.Dims()
	if err := check.Signs("kernelised", n, y); err != nil {
		return err
	}
	return check.BothSigns("kernelised", y)
}

// maxEpochs is the default of Perceptron.MaxIter.
const maxEpochs = 1000
