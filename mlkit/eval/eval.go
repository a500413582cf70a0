// Package eval measures how well models do: on training samples, on unseen samples, and on
// all samples there could be.
//
//	folds, err := eval.KFold{K: 5, Shuffle: true}.Stratified(y)
//	if err != nil {
//		log.Fatal(err)
//	}
//	v, err := eval.CrossValidate(mlkit.Options{}, eval.Plan{Folds: folds}, perceptron.Perceptron{}, eval.Accuracy, X, y)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(v.MeanTest(), v.StdTest())
//
// # Measures
//
// Confusion, ROC, PrecisionRecall and the losses compare labels with predictions, scores or
// probabilities. A Measure takes a model and samples, for CrossValidate, Search, GridSearch
// and LearningCurve, and the larger it is the better:
//
//   - of labels: Accuracy, BalancedAccuracy, F1, MacroF1
//   - of scores of two classes: AUC, AveragePrecision
//   - of probabilities: NegLogLoss and NegBrier, NegLogLossMany and NegBrierMany
//   - of regression: R2, NegMeanSquaredError
//
// # Splits and curves
//
// KFold, LeaveOneOut and Holdout split the rows. KFold stratifies by class on request, keeps
// groups of rows together, and repeats the split. CrossValidate fits and measures a model on
// each Fold. Search does so for values of the fields of an algorithm, and fits the best to
// all rows; GridSearch takes any hyperparameters, and its points are the validation curve.
// CrossScores scores each sample by a model that was fitted without it. LearningCurve varies
// the number of training samples. All of them fit in parallel, report each fit, and return
// the same bits for any number of workers. docs/module.md has a program that searches, tests
// the best on other samples, and draws the search.
//
// # Capacity
//
// Separate decides by exact arithmetic whether a hyperplane separates labelled points,
// and proves its answer. Shatter and Dichotomies apply it to all labellings: the VC
// dimension of the hyperplanes in d dimensions is d+1. CoverCount is the number of
// labellings of n points that they achieve. ShatterMargin finds the margin they achieve.
// Margins of samples are in package mlkit, their radius R and Novikoff's
// bound in package perceptron.
//
// # Bias and variance
//
// ExactBiasVariance and SmootherBiasVariance decompose the mean squared error of a
// regression into bias, variance and noise.
//
// In scikit-learn, the measures are accuracy_score, balanced_accuracy_score, f1_score,
// roc_auc_score (AUC), average_precision_score, log_loss, brier_score_loss, r2_score and
// mean_squared_error; Confusion is confusion_matrix, Holdout train_test_split, Search
// GridSearchCV, GridSearch validation_curve, CrossValidate cross_validate, CrossScores
// cross_val_predict, and LearningCurve learning_curve.
//
// # The files
//
//   - eval.go, confusion.go, roc.go, precisionrecall.go, loss.go: what is measured
//   - measures.go: the same as measures of a model
//   - split.go, crossval.go, crossscores.go: folds, cross-validation, scores of unseen rows
//   - search.go, vary.go: Search, and the fields that it varies; curve.go: learning curves
//   - separate.go, simplex.go, shatter.go, shatter_margin.go: capacity, in exact arithmetic
//   - biasvariance.go, biasvariance_exact.go, process.go: bias and variance of a Process
//   - parallel.go, decode.go: fits at the same time; decoded tables
//
// # Errors and panics
//
// Errors name the argument, the row and the rule; package mlkit documents the conventions
// of all packages. If a model panics while it is measured, for example because X has
// another number of columns than in training, the function returns an error. If a fit or
// a measure panics, the function panics in its caller's goroutine, with a
// *mlkit.PanicError that holds the value and the stack. If one calls runtime.Goexit, as
// t.FailNow does, the caller's goroutine ends.
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

// Misclassified returns the number of rows of X (n×d) whose predicted label is not y[i]. Divided
// by n it is the training or test error of the lectures (EE-559, "nb_errors"). Labels are
// any ints that the model predicts. It returns an error if X or y is invalid, or if the
// model panics.
func Misclassified(m mlkit.Predictor, X *mat.Dense, y []int) (int, error) {
	if err := checkSamples(X, len(y), "label"); err != nil {
		return 0, err
	}
	labels, err := answers(m, "Predictions", "X", X, func() []int { return m.Predictions(nil, X) })
	if err != nil {
		return 0, err
	}
	count := 0
	for i, label := range labels {
		if label != y[i] {
			count++
		}
	}
	return count, nil
}

// Accuracy returns the fraction of the rows of X (n×d) whose predicted label is y[i].
func Accuracy[M mlkit.Predictor](m M, X *mat.Dense, y []int) (float64, error) {
	wrong, err := Misclassified(m, X, y)
	if err != nil {
		return 0, err
	}
	return 1 - float64(wrong)/float64(len(y)), nil
}

// MeanSquaredError returns the mean of (y[i] - Score)² over the rows of X (n×d). It is NaN if a
// score is. NegMeanSquaredError is a measure of it.
func MeanSquaredError[M mlkit.Scorer](m M, X *mat.Dense, y []float64) (float64, error) {
	scores, err := scoresOf(m, X, y)
	if err != nil {
		return 0, err
	}
	return meanSquared(scores, y), nil
}

// R2 returns the coefficient of determination, 1 - MeanSquaredError/(variance of y): 1 for
// perfect predictions, 0 for always predicting the mean of y. It returns an error if all
// y[i] are equal.
func R2[M mlkit.Scorer](m M, X *mat.Dense, y []float64) (float64, error) {
	scores, err := scoresOf(m, X, y)
	if err != nil {
		return 0, err
	}
	if floats.Min(y) == floats.Max(y) {
		return 0, fmt.Errorf("eval: y is %v in all its %d rows, want two values or more", y[0], len(y))
	}
	// Scale by about 1/max |yᵢ|, so that squares neither overflow nor vanish. A power of
	// two rounds nothing.
	_, exponent := math.Frexp(floats.Norm(y, math.Inf(1)))
	y, scores = scaled(y, -exponent), scaled(scores, -exponent)
	return 1 - meanSquared(scores, y)/stat.PopVariance(y, nil), nil
}

// scaled returns 2ᵉ·v.
func scaled(v []float64, e int) []float64 {
	s := make([]float64, len(v))
	for i := range v {
		s[i] = math.Ldexp(v[i], e)
	}
	return s
}

func meanSquared(scores, y []float64) float64 {
	sum := 0.0
	for i, s := range scores {
		sum += (y[i] - s) * (y[i] - s)
	}
	return sum / float64(len(y))
}

// scoresOf returns the scores of the rows of X, which have the targets y.
func scoresOf(m mlkit.Scorer, X *mat.Dense, y []float64) ([]float64, error) {
	if err := checkSamples(X, len(y), "target"); err != nil {
		return nil, err
	}
	if err := finite("y", y); err != nil {
		return nil, err
	}
	return answers(m, "Scores", "X", X, func() []float64 { return m.Scores(nil, X) })
}

// answers calls a method of the model m on the rows of A and returns its result, one
// number or label per row. A panic, a model's only way to reject samples, becomes an
// error. name is the name of A in errors.
func answers[T int | float64](m any, method, name string, A *mat.Dense, call func() []T) (result []T, err error) {
	if m == nil {
		return nil, errNoModel
	}
	n, d := A.Dims()
	defer func() {
		v := recover()
		if cause, ok := v.(error); ok {
			err = fmt.Errorf("eval: %s of %T panics for %s, which is %d×%d: %w", method, m, name, n, d, cause)
		} else if v != nil {
			err = fmt.Errorf("eval: %s of %T panics for %s, which is %d×%d: %v", method, m, name, n, d, v)
		}
	}()
	if result = call(); len(result) != n {
		return nil, fmt.Errorf("eval: %s of %T returns %d results for %s, which has %d rows, want one a row", method, m, len(result), name, n)
	}
	return result, nil
}

// checkSamples checks X and that y, the number of labels, targets or elements, is its number
// of rows. each names one of them in errors.
func checkSamples(X *mat.Dense, y int, each string) error {
	if err := check.Samples("eval", X); err != nil {
		return err
	}
	if n, _ := X.Dims(); y != n {
		return fmt.Errorf("eval: len(y) = %d, want %d, one %s for each row of X", y, n, each)
	}
	return nil
}

// finite checks that all elements of v are finite.
func finite(name string, v []float64) error {
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("eval: %s[%d] = %v, want a finite number", name, i, x)
		}
	}
	return nil
}
