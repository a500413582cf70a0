package kernel

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// Perceptron is the kernel perceptron (CMU, "Kernelizing the perceptron algorithm";
// Mark Aizerman, Emmanuel Braverman and Lev Rozonoer, 1964): the perceptron in the
// space of φ, whose weights are kept as the sum of the samples it was wrong about,
//
//	if y(Σ αⱼyⱼ k(xⱼ, x) + b) ≤ 0:  α ← α + 1,  b ← b + yc²
//
// where α counts a sample's mistakes. Its predictions and mistakes are those of
// linear.Perceptron on the samples φ(x). The zero value is CMU's algorithm, with the
// kernel x·z and without a bias, but for a score of 0; each field says what else the
// lectures do.
//
// There are no sample weights: the order of the samples is part of the algorithm, and
// one that comes twice in a row is looked at twice, which is not a mistake that counts
// double.
//
// A mistake takes O(nd) time, any other step O(1), since the scores of all samples
// are kept up to date.
type Perceptron struct {
	// Kernel is k; nil means Linear{}.
	Kernel Kernel

	// Bias is c ≥ 0: each φ(x) is extended by the constant c, which is the kernel
	// k(x, z) + c². 0 means none, as in CMU; 1 is linear.ExtendedByOne.
	Bias float64

	// MaxEpochs limits the passes through the samples; 0 means 1000. If the
	// classes are not separated after them, Fit returns a
	// *mlkit.NotConvergedError.
	MaxEpochs int

	// ZeroIsPositive makes a score of 0 right for a positive sample (CMU: "predict +
	// iff … ≥ 0"). False means that 0 is a mistake for both labels, as in
	// linear.Perceptron.
	ZeroIsPositive bool

	// Trace, if not nil, is called with every step. Returning false ends the fit.
	Trace func(PerceptronStep) bool
}

// PerceptronStep is one step of the kernel perceptron: one sample, looked at once.
type PerceptronStep struct {
	Step     int     // 1 for the first
	Epoch    int     // the pass, 0 for the first
	Index    int     // the row of X
	Y        int     // its label
	Score    float64 // before the step
	Mistake  bool    // whether the step corrected α
	Mistakes int     // mistakes so far, with this one
	Alpha    []int   // α after the step, one for each row of X; shared by the steps between two mistakes
}

// PerceptronModel is what a Perceptron has learnt. Its Coef are αᵢyᵢ and its X the
// samples with αᵢ > 0, "all the mistakes so far" (CMU).
type PerceptronModel struct {
	Expansion
	Rows             []int `json:"rows"`  // of the X of Fit that the model's X holds, ascending
	Alpha            []int `json:"alpha"` // αᵢ > 0, one for each of them
	Mistakes         int   `json:"mistakes"`
	Epochs           int   `json:"epochs"` // passes begun, with the last one
	Steps            int   `json:"steps"`  // samples looked at
	MistakesPerEpoch []int `json:"mistakes_per_epoch"`
	Converged        bool  `json:"converged"` // whether the last pass found every sample on its own side
}

var _ mlkit.Classifier = (*PerceptronModel)(nil)

// Predict returns +1 if the score of x is at least 0 and -1 elsewhere. It panics
// where Score does.
func (m *PerceptronModel) Predict(x []float64) int { return rows.Side(m.Score(x)) }

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new
// slice if dst is nil. It panics where Scores does.
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
// If the classes are not separated after MaxEpochs passes, Fit returns the best
// model met with a *mlkit.NotConvergedError, whose Residual is the number of
// samples it has on the wrong side; if two rows are one point with both labels, so
// that no kernel separates them, with a *mlkit.NotSeparableError. The best model is,
// of the last one and the one that stood for the most steps (the first of those), the
// one with fewer mistakes on X.
//
// Other errors name what is wrong with X, y or p. Samples of one class only are
// refused.
func (p Perceptron) Fit(X *mat.Dense, y []int) (*PerceptronModel, error) {
	return p.FitContext(context.Background(), X, y)
}

// FitContext is Fit that ends with a *mlkit.NotConvergedError, wrapping the
// context's error, soon after ctx is done.
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
	if !(p.Bias >= 0 && finite(p.Bias)) {
		return fmt.Errorf("kernel: Perceptron.Bias = %v, want a positive number, or 0 for none", p.Bias)
	}
	if p.MaxEpochs < 0 {
		return fmt.Errorf("kernel: Perceptron.MaxEpochs = %d, want a positive number, or 0 for %d", p.MaxEpochs, maxEpochs)
	}
	if err := checkBoth(OrLinear(p.Kernel), X); err != nil {
		return err
	}
	n, _ := X.Dims()
	if err := check.Signs("kernel", n, y); err != nil {
		return err
	}
	return check.BothSigns("kernel", y)
}

// maxEpochs is what Perceptron.MaxEpochs = 0 means.
const maxEpochs = 1000
