package calibration

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/multiclass"
)

// ClassifierModel is the result of Classifier.Fit. Its score is the logarithm of the odds,
// log P/(1-P) = -(A s + B), where P is the probability of +1 and s the score by Model. It
// predicts +1 where P ≥ ½, which need not be where s ≥ 0.
type ClassifierModel[M mlkit.ClassifierModel] struct {
	Model   M     `json:"model"`   // trained on all samples
	Sigmoid Platt `json:"sigmoid"` // A ≤ 0
}

var _ mlkit.ProbableClassifierModel = (*ClassifierModel[mlkit.ClassifierModel])(nil)

// Score returns the log odds of +1 for x. It panics if Model.Score would.
func (m *ClassifierModel[M]) Score(x []float64) float64 { return -m.Sigmoid.z(m.Model.Score(x)) }

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst, a new slice if dst is
// nil. It panics if Model.Scores would, or if len(dst) != n.
func (m *ClassifierModel[M]) Scores(dst []float64, X mat.Matrix) []float64 {
	dst = m.Model.Scores(destination("Scores", dst, X), X)
	m.Sigmoid.logOdds(dst)
	return dst
}

// Prob returns the probability of +1 for x. It panics if Model.Score would.
func (m *ClassifierModel[M]) Prob(x []float64) float64 { return m.Sigmoid.Prob(m.Model.Score(x)) }

// Probs sets dst[i] to the probability of +1 for row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics if Model.Scores would, or if len(dst) != n.
func (m *ClassifierModel[M]) Probs(dst []float64, X mat.Matrix) []float64 {
	dst = m.Model.Scores(destination("Probs", dst, X), X)
	return m.Sigmoid.Probs(dst, dst)
}

// Predict returns the label of x, +1 where the probability is at least ½ and -1 elsewhere. It
// panics if Model.Score would.
func (m *ClassifierModel[M]) Predict(x []float64) int { return rows.Side(m.Score(x)) }

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice if dst
// is nil. It panics if Model.Scores would, or if len(dst) != n.
func (m *ClassifierModel[M]) Predictions(dst []int, X mat.Matrix) []int {
	dst = destination("Predictions", dst, X)
	for i, s := range m.Scores(nil, X) {
		dst[i] = rows.Side(s)
	}
	return dst
}

// Inputs returns the number of features that the model takes, or 0 if Model does not say.
func (m *ClassifierModel[M]) Inputs() int {
	if model, ok := any(m.Model).(interface{ Inputs() int }); ok {
		return model.Inputs()
	}
	return 0
}

// ScoresOfAll sets dst[k][i] to the score of row i of X (n×d) by machines[k], together if
// their models can: see multiclass.JointScorer. It panics if Scores of a machine would.
func (m *ClassifierModel[M]) ScoresOfAll(dst [][]float64, machines []*ClassifierModel[M], X mat.Matrix) {
	multiclass.ScoresOfAll(dst, modelsOf(machines), X)
	for k, machine := range machines {
		machine.Sigmoid.logOdds(dst[k])
	}
}

// ProbsOfAll sets dst[k][i] to the probability of +1 for row i of X (n×d) by machines[k],
// together if their models can: see multiclass.JointProber. It panics if Probs of a machine
// would.
func (m *ClassifierModel[M]) ProbsOfAll(dst [][]float64, machines []*ClassifierModel[M], X mat.Matrix) {
	multiclass.ScoresOfAll(dst, modelsOf(machines), X)
	for k, machine := range machines {
		machine.Sigmoid.Probs(dst[k], dst[k])
	}
}

// destination returns dst, or a new slice if dst is nil. It panics unless dst has an element
// for each row of X.
func destination[T any](method string, dst []T, X mat.Matrix) []T {
	n, _ := X.Dims()
	return rows.Destination("calibration", method, dst, n)
}

func modelsOf[M mlkit.ClassifierModel](machines []*ClassifierModel[M]) []M {
	models := make([]M, len(machines))
	for k, machine := range machines {
		models[k] = machine.Model
	}
	return models
}
