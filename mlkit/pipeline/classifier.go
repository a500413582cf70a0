package pipeline

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Classifier is a pipeline for two classes, labelled -1 and +1.
type Classifier[M mlkit.ClassifierModel] struct {
	Steps     []Step                  // in the order of use; none is allowed
	Algorithm mlkit.Algorithm[M, int] // required
}

// ClassifierModel is a fitted Classifier. Its methods panic if a sample or a destination has
// the wrong length.
type ClassifierModel[M mlkit.ClassifierModel] struct{ Fitted[M] }

// Fit fits the steps and the algorithm to the rows of X (n×d) with labels y[i]. Its errors are
// those of the steps and the algorithm, as the package comment says.
func (p Classifier[M]) Fit(X *mat.Dense, y []int) (*ClassifierModel[M], error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with weights of the samples, which it passes on to the
// steps and the algorithm. All of them must take weights if there are some. The algorithm alone
// reports.
func (p Classifier[M]) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*ClassifierModel[M], error) {
	m := new(ClassifierModel[M])
	return fit(o, p.Steps, p.Algorithm, check.TwoClasses, X, y, m, &m.Fitted)
}

// Score returns the score of x.
func (m *ClassifierModel[M]) Score(x []float64) float64 { return m.Model.Score(m.mapped("Score", x)) }

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst, a new slice if dst is
// nil.
func (m *ClassifierModel[M]) Scores(dst []float64, X mat.Matrix) []float64 {
	return eachRow(&m.Fitted, "Scores", dst, X, m.Model.Scores)
}

// Predict returns the label of x.
func (m *ClassifierModel[M]) Predict(x []float64) int {
	return m.Model.Predict(m.mapped("Predict", x))
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice if dst
// is nil.
func (m *ClassifierModel[M]) Predictions(dst []int, X mat.Matrix) []int {
	return eachRow(&m.Fitted, "Predictions", dst, X, m.Model.Predictions)
}

// Probable is a Classifier whose models have probabilities.
type Probable[M mlkit.ProbableClassifierModel] Classifier[M]

// ProbableModel is a fitted Probable. Its methods panic if a sample or a destination has the
// wrong length.
type ProbableModel[M mlkit.ProbableClassifierModel] struct{ ClassifierModel[M] }

// Fit is Classifier.Fit.
func (p Probable[M]) Fit(X *mat.Dense, y []int) (*ProbableModel[M], error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Classifier.FitWith.
func (p Probable[M]) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*ProbableModel[M], error) {
	m := new(ProbableModel[M])
	return fit(o, p.Steps, p.Algorithm, check.TwoClasses, X, y, m, &m.Fitted)
}

// Prob returns the probability of +1 for x.
func (m *ProbableModel[M]) Prob(x []float64) float64 { return m.Model.Prob(m.mapped("Prob", x)) }

// Probs sets dst[i] to the probability of +1 for row i of X (n×d) and returns dst, a new slice
// if dst is nil.
func (m *ProbableModel[M]) Probs(dst []float64, X mat.Matrix) []float64 {
	return eachRow(&m.Fitted, "Probs", dst, X, m.Model.Probs)
}
