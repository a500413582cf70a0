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
// # Errors and panics
//
// The errors name the argument, the row and the rule; package mlkit states what
// holds for all packages below it. A model that panics when it is measured, since X has
// another number of columns than it has learnt from, is an error here. When a fit or a
// measure panics the function that was given it panics too, in the goroutine of its
// caller, with a *mlkit.PanicError that has the value and the stack; and where one calls
// runtime.Goexit, as t.FailNow does, the caller's goroutine ends.
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
// error names what is wrong with X or y, or says what the model panics with.
func Errors(m mlkit.Predictor, X *mat.Dense, y []int) (int, error) {
	if err := samples(X, len(y), "label"); err != nil {
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

// Accuracy returns the fraction of the rows of X (n×d) that the model labels y[i].
func Accuracy[M mlkit.Predictor](m M, X *mat.Dense, y []int) (float64, error) {
	wrong, err := Errors(m, X, y)
	if err != nil {
		return 0, err
	}
	return 1 - float64(wrong)/float64(len(y)), nil
}

// MeanSquared returns the mean of (y[i] - Score)² over the rows of X (n×d); NaN if a
// score is. As a measure for GridSearch, which looks for the largest, it has to be
// negated.
func MeanSquared[M mlkit.Scorer](m M, X *mat.Dense, y []float64) (float64, error) {
	scores, err := scoresOf(m, X, y)
	if err != nil {
		return 0, err
	}
	return meanSquared(scores, y), nil
}

// R2 returns the coefficient of determination, 1 - MeanSquared/(the variance of y):
// 1 for perfect predictions, 0 for those of a model that always says the mean of
// y. It is an error if all y[i] are equal.
func R2[M mlkit.Scorer](m M, X *mat.Dense, y []float64) (float64, error) {
	scores, err := scoresOf(m, X, y)
	if err != nil {
		return 0, err
	}
	if floats.Min(y) == floats.Max(y) {
		return 0, fmt.Errorf("eval: y is %v in all its %d rows, want two values or more", y[0], len(y))
	}
	// In a unit of about max |yᵢ| no square overflows or vanishes. As that is a power
	// of two, nothing is rounded.
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

// scoresOf returns the scores of the rows of X, for which y are the targets.
func scoresOf(m mlkit.Scorer, X *mat.Dense, y []float64) ([]float64, error) {
	if err := samples(X, len(y), "target"); err != nil {
		return nil, err
	}
	if err := finite("y", y); err != nil {
		return nil, err
	}
	return answers(m, "Scores", "X", X, func() []float64 { return m.Scores(nil, X) })
}

// answers returns what a method of the model m says of the rows of A, which is called
// name: a number or label each. A model has no other way to refuse samples than a panic,
// which becomes an error.
func answers[T int | float64](m any, method, name string, A *mat.Dense, call func() []T) (result []T, err error) {
	if m == nil {
		return nil, fmt.Errorf("eval: the model is nil, want one that was fitted")
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
