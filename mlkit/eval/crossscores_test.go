package eval

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/logistic"
)

// By hand: the model of a fold is the mean of the other targets, so rows 0 and 1 get
// (3 + 6)/2, rows 2 and 3 get (1 + 2)/2.
func TestCrossScores(t *testing.T) {
	ctx := context.Background()
	X, y := mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []float64{1, 2, 3, 6}
	folds := testkit.Try(KFold{K: 2}.Folds(4)).Or(t)
	want := []float64{4.5, 4.5, 1.5, 1.5}
	for _, workers := range []int{0, 1, 5} {
		got, err := CrossScores(mlkit.Options{Context: ctx}, Plan{Folds: folds, Workers: workers}, mlkit.FitFunc(fitMean), X, y)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d workers: %v, %v, want %v", workers, got, err, want)
		}
	}
	// A fit that has not converged has a model; one that fails has none.
	for _, c := range []struct {
		err  error
		fine bool
	}{
		{&mlkit.NotConvergedError{Algorithm: "test", Reason: "the limit"}, true},
		{&mlkit.NotConvergedError{Algorithm: "test", Reason: "cancelled", Err: context.Canceled}, false},
		{errors.New("test: it fails"), false},
	} {
		fit := func(X *mat.Dense, y []float64) (line, error) { m, _ := fitMean(X, y); return m, c.err }
		got, err := CrossScores(mlkit.Options{Context: ctx}, Plan{Folds: folds}, mlkit.FitFunc(fit), X, y)
		switch {
		case c.fine && (err != nil || !slices.Equal(got, want)):
			t.Errorf("%v: %v, %v, want %v", c.err, got, err, want)
		case !c.fine && (got != nil || !errors.Is(err, c.err) || !strings.HasPrefix(err.Error(), "eval: fold 0: ")):
			t.Errorf("%v: %v, %v", c.err, got, err)
		}
	}
	again := []Fold{folds[0], {Train: []int{0}, Test: []int{1, 2, 3}}}
	var none func(*mat.Dense, []float64) (line, error)
	testkit.Refusals{
		{second(CrossScores(mlkit.Options{Context: ctx}, Plan{Folds: folds}, mlkit.FitFunc(none), X, y)), "eval: the algorithm is nil…"},
		{second(CrossScores(mlkit.Options{Context: ctx}, Plan{}, mlkit.FitFunc(fitMean), X, y)), "eval: Plan.Folds is empty…"},
		{second(CrossScores(mlkit.Options{Context: ctx}, Plan{Folds: folds[:1]}, mlkit.FitFunc(fitMean), X, y)), "eval: row 2 is a test row of 0 folds…"},
		{second(CrossScores(mlkit.Options{Context: ctx}, Plan{Folds: again}, mlkit.FitFunc(fitMean), X, y)), "eval: row 1 is a test row of 2 folds…"},
		{second(CrossScores(mlkit.Options{Context: ctx}, Plan{Folds: folds}, mlkit.FitFunc(fitMean), X, y[1:])), "eval: len(y) = 3…"},
	}.Check(t)
}

// Without stratification the models of these folds are of the classes 1 and 2, 0 and 2, and 0 and
// 1: their scores say nothing of the same. With it they are of three, and have no score.
func TestCrossScoresOfOtherClasses(t *testing.T) {
	X, y := mat.NewDense(9, 1, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}), []int{0, 0, 0, 1, 1, 1, 2, 2, 2}
	a := logistic.Regression{L2: 1}
	apart := testkit.Try(KFold{K: 3}.Folds(9)).Or(t)
	stratified := testkit.Try(KFold{K: 3}.Stratified(y)).Or(t)
	testkit.Refusals{
		{second(CrossScores(mlkit.Options{}, Plan{Folds: apart}, a, X, y)), "eval: the model of fold 0 has the classes [1 2], and that of fold 1 [0 2], want the same, as with folds from KFold.Stratified"},
		{second(CrossScores(mlkit.Options{}, Plan{Folds: stratified}, a, X, y)), "eval: fold 0: eval: Scores of *logistic.Model panics for X, which is 3×1: mlkit: Scores is for two classes, and the model has 3…"},
	}.Check(t)
}
