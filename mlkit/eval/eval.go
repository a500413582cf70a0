// Package eval measures how well models do: on samples they have learnt from, on
// samples they have not, and on all samples there could be.
//
//	folds, err := eval.KFold{K: 5, Shuffle: true}.Stratified(y)
//	if err != nil {
//		log.Fatal(err)
//	}
//	v, err := eval.CrossValidate(ctx, eval.Plan{Folds: folds}, linear.Perceptron{}.Fit, eval.Accuracy, X, y)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(v.MeanTest(), v.StdTest())
//
// # Measures
//
// Confusion, ROC and the losses compare labels with what was predicted. Errors,
// Accuracy, MeanSquared and R2 compare a model with samples, and so are measures for
// CrossValidate, GridSearch and LearningCurve.
//
// # Splits and curves
//
// KFold, LeaveOneOut and Holdout divide the rows, by themselves or each class alike.
// CrossValidate fits and measures a model on each Fold, GridSearch many models: its
// points are the validation curve over a parameter. LearningCurve is about the number
// of samples. All of them fit in parallel and give the same bits for any number of
// workers.
//
// # Capacity
//
// Separate decides by exact arithmetic whether a hyperplane separates labelled
// points, with a proof of either answer. Shatter and Dichotomies ask it about all
// labellings: the VC dimension of the hyperplanes of d dimensions is d+1. CoverCount
// is how many labellings of n points they achieve. ShatterMargin asks with what margin.
// The margins of samples with regard to a hyperplane, their radius R and Novikoff's
// bound are in package linear, beside the hyperplane and the perceptron that they are
// about.
//
// # Bias and variance
//
// BiasVariance, ExactBiasVariance and SmootherBiasVariance divide the mean squared
// error of a regression into bias, variance and noise.
//
// The errors name the argument, the row and the rule; package mlkit states what
// holds for all packages below it.
package eval

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Errors returns how many rows of X (n×d) the model gives another label than
// y[i]. Divided by n it is the training or test error that the lectures print
// (EE-559, "nb_errors"). The labels may be any ints that the model predicts. The
// error names what is wrong with X or y.
func Errors(m mlkit.Predictor, X *mat.Dense, y []int) (int, error) {
	if err := samples(X, len(y), "label"); err != nil {
		return 0, err
	}
	count := 0
	for i, label := range m.Predictions(nil, X) {
		if label != y[i] {
			count++
		}
	}
	return count, nil
}

// Accuracy returns the fraction of the rows of X (n×d) that the model labels y[i].
func Accuracy[M mlkit.Predictor](m M, X *mat.Dense, y []int) (float64, error) {
	wrong, err := Errors(m, X, y)
	if err != nil {
		return 0, err
	}
	return 1 - float64(wrong)/float64(len(y)), nil
}

// MeanSquared returns the mean of (y[i] - Score)² over the rows of X (n×d). As a
// measure for GridSearch, which looks for the largest, it has to be negated.
func MeanSquared[M mlkit.Scorer](m M, X *mat.Dense, y []float64) (float64, error) {
	if err := samples(X, len(y), "target"); err != nil {
		return 0, err
	}
	if err := finite("y", y); err != nil {
		return 0, err
	}
	sum := 0.0
	for i, s := range m.Scores(nil, X) {
		sum += (y[i] - s) * (y[i] - s)
	}
	return sum / float64(len(y)), nil
}

// R2 returns the coefficient of determination, 1 - MeanSquared/(the variance of y):
// 1 for perfect predictions, 0 for those of a model that always says the mean of
// y. It is an error if all y[i] are equal.
func R2[M mlkit.Scorer](m M, X *mat.Dense, y []float64) (float64, error) {
	mse, err := MeanSquared(m, X, y)
	if err != nil {
		return 0, err
	}
	if floats.Min(y) == floats.Max(y) {
		return 0, fmt.Errorf("eval: y is %v in all its %d rows, want two values or more", y[0], len(y))
	}
	return 1 - mse/stat.PopVariance(y, nil), nil
}

// samples checks X, and that there is one y, which each is, for each of its rows.
func samples(X *mat.Dense, y int, each string) error {
	if err := check.Samples("eval", X); err != nil {
		return err
	}
	if n, _ := X.Dims(); y != n {
		return fmt.Errorf("eval: len(y) = %d, want %d, one %s for each row of X", y, n, each)
	}
	return nil
}

// finite checks that all elements of v are.
func finite(name string, v []float64) error {
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("eval: %s[%d] = %v, want a finite number", name, i, x)
		}
	}
	return nil
}
