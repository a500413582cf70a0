package eval

import (
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// Measures of a model by what it predicts, scores or says of probabilities, beside Accuracy
// and R2. The larger they are the better, as GridSearch and Search want it.

// BalancedAccuracy returns the mean over the classes in y of the fraction of their samples
// that m labels right: one half for a guess between two classes, however few samples one
// has. Labels are any ints.
func BalancedAccuracy[M mlkit.Predictor](m M, X *mat.Dense, y []int) (float64, error) {
	c, err := confusionOf(m, X, y)
	if err != nil {
		return 0, err
	}
	sum, classes := 0.0, 0
	for _, class := range c.Classes {
		if r := c.Of(class); r.Support > 0 {
			sum += r.Recall
			classes++
		}
	}
	return sum / float64(classes), nil
}

// F1 returns the F1 of the label +1 for labels -1 and +1: see Rates.
func F1[M mlkit.Predictor](m M, X *mat.Dense, y []int) (float64, error) {
	if err := signs(X, y); err != nil {
		return 0, err
	}
	c, err := confusionOf(m, X, y)
	return c.Of(+1).F1, err
}

// MacroF1 returns the mean of F1 over the classes. Labels are any ints.
func MacroF1[M mlkit.Predictor](m M, X *mat.Dense, y []int) (float64, error) {
	c, err := confusionOf(m, X, y)
	if err != nil {
		return 0, err
	}
	return c.Macro().F1, nil
}

func confusionOf(m mlkit.Predictor, X *mat.Dense, y []int) (Confusion, error) {
	if err := checkSamples(X, len(y), "label"); err != nil {
		return Confusion{}, err
	}
	labels, err := answers(m, "Predictions", "X", X, func() []int { return m.Predictions(nil, X) })
	if err != nil {
		return Confusion{}, err
	}
	return NewConfusion(y, labels)
}

// AUC returns the area under the ROC curve of m's scores for labels -1 and +1, both of
// which must occur: see ROC.
func AUC[M mlkit.Scorer](m M, X *mat.Dense, y []int) (float64, error) {
	scores, err := rankedScores(m, X, y)
	if err != nil {
		return 0, err
	}
	r, err := NewROC(y, scores)
	return r.AUC(), err
}

// AveragePrecision returns the average precision of m's scores for labels -1 and +1, both
// of which must occur: see PrecisionRecall.
func AveragePrecision[M mlkit.Scorer](m M, X *mat.Dense, y []int) (float64, error) {
	scores, err := rankedScores(m, X, y)
	if err != nil {
		return 0, err
	}
	p, err := NewPrecisionRecall(y, scores)
	return p.Average(), err
}

func rankedScores(m mlkit.Scorer, X *mat.Dense, y []int) ([]float64, error) {
	if err := signs(X, y); err != nil {
		return nil, err
	}
	return answers(m, "Scores", "X", X, func() []float64 { return m.Scores(nil, X) })
}

// NegMeanSquaredError returns MeanSquaredError times -1.
func NegMeanSquaredError[M mlkit.Scorer](m M, X *mat.Dense, y []float64) (float64, error) {
	v, err := MeanSquaredError(m, X, y)
	return 0 - v, err // not -0
}

// A ProbableModel gives the probability of +1 for each sample, such as logistic.Model.
type ProbableModel interface {
	Probs(dst []float64, X mat.Matrix) []float64
}

// NegLogLoss returns LogLoss times -1 for labels -1 and +1.
func NegLogLoss[M ProbableModel](m M, X *mat.Dense, y []int) (float64, error) {
	return negative(m, X, y, LogLoss)
}

// NegBrier returns Brier times -1 for labels -1 and +1.
func NegBrier[M ProbableModel](m M, X *mat.Dense, y []int) (float64, error) {
	return negative(m, X, y, Brier)
}

func negative(m ProbableModel, X *mat.Dense, y []int, loss func(y []int, p []float64) (float64, error)) (float64, error) {
	if err := signs(X, y); err != nil {
		return 0, err
	}
	p, err := answers(m, "Probs", "X", X, func() []float64 { return m.Probs(nil, X) })
	if err != nil {
		return 0, err
	}
	v, err := loss(y, p)
	return 0 - v, err // not -0
}

// A ManyProbableModel gives the probabilities of all classes for each sample, in the order
// of its field Classes, such as logistic.Model.
type ManyProbableModel interface {
	Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense
}

// NegLogLossMany returns LogLossMany times -1. Labels are any ints that m has learnt.
func NegLogLossMany[M ManyProbableModel](m M, X *mat.Dense, y []int) (float64, error) {
	return negativeMany(m, X, y, LogLossMany)
}

// NegBrierMany returns BrierMany times -1. Labels are any ints that m has learnt.
func NegBrierMany[M ManyProbableModel](m M, X *mat.Dense, y []int) (float64, error) {
	return negativeMany(m, X, y, BrierMany)
}

func negativeMany(m ManyProbableModel, X *mat.Dense, y []int, loss func(y, classes []int, P *mat.Dense) (float64, error)) (float64, error) {
	if err := checkSamples(X, len(y), "label"); err != nil {
		return 0, err
	}
	classes, err := classesOf(m)
	if err != nil {
		return 0, err
	}
	n, _ := X.Dims()
	P := mat.NewDense(n, len(classes), nil)
	if _, err := answers(m, "Posteriors", "X", X, func() []int { m.Posteriors(P, X); return make([]int, n) }); err != nil {
		return 0, err
	}
	v, err := loss(y, classes, P)
	return 0 - v, err // not -0
}

// classesOf returns the field Classes of a model of many classes, or of the model in its field
// Model, as in a pipeline.
func classesOf(m any) ([]int, error) {
	for v := reflect.Indirect(reflect.ValueOf(m)); v.Kind() == reflect.Struct; {
		if classes, ok := fieldOf(v, "Classes").([]int); ok && len(classes) > 0 {
			return classes, nil
		}
		inner := reflect.Indirect(reflect.ValueOf(fieldOf(v, "Model")))
		if inner.IsValid() && inner.Type() == v.Type() {
			break
		}
		v = inner
	}
	return nil, fmt.Errorf("eval: %T has no field Classes of labels, want a fitted model of many classes", m)
}

// fieldOf returns the value of an exported field, nil if there is none.
func fieldOf(v reflect.Value, name string) any {
	f, err := reflect.Value{}, error(nil)
	if t, ok := v.Type().FieldByName(name); ok && t.IsExported() {
		f, err = v.FieldByIndexErr(t.Index)
	}
	if err != nil || !f.IsValid() {
		return nil
	}
	return f.Interface()
}

// signs checks X, and that y has a label for each row, -1 or +1.
func signs(X *mat.Dense, y []int) error {
	if err := checkSamples(X, len(y), "label"); err != nil {
		return err
	}
	return labelsOnly(y)
}
