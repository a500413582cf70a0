package multiclass_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/svm"
)

func TestManyClassesContract(t *testing.T) {
	testkit.Long(t)
	contracts := map[string]error{
		"one-vs-rest":         mlkittest.TestManyClasses(multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{}}.Fit),
		"one-vs-rest, Newton": mlkittest.TestManyClasses(multiclass.OneVsRest[*svm.LinearModel]{Binary: svm.Newton{}}.Fit),
		// No threshold on one feature separates the middle class from the two others.
		"one-vs-rest, perceptron": mlkittest.TestManyClasses(multiclass.OneVsRest[*perceptron.Model]{Binary: perceptron.Perceptron{}}.Fit, "dimension"),
		"one-vs-one":              mlkittest.TestManyClasses(multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{}}.Fit),
		"one-vs-one, Newton":      mlkittest.TestManyClasses(multiclass.OneVsOne[*svm.LinearModel]{Binary: svm.Newton{}}.Fit),
		"one-vs-rest, Gauss":      mlkittest.TestManyClasses(multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{Kernel: kernel.RBF{}}}.Fit),
	}
	for name, err := range contracts {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The tolerance is that of the machines. TestAbsence takes numbers of samples for rows of X, and
// those in the machines of OneVsOne are of the rows of a pair: TestRowsOfPairs is about these.
func TestWeightsContract(t *testing.T) {
	machine, log := svm.Classifier{Tol: 1e-10}, logistic.Regression{L2: 1}
	for name, err := range map[string]error{
		"one-vs-rest":          mlkittest.TestWeights(multiclass.OneVsRest[*svm.Model]{Binary: machine}.FitWith, 1e-5),
		"one-vs-one":           mlkittest.TestWeights(multiclass.OneVsOne[*svm.Model]{Binary: machine}.FitWith, 1e-5),
		"probable one-vs-rest": mlkittest.TestWeights(multiclass.ProbableOneVsRest[*logistic.Model]{Binary: log}.FitWith, 1e-7),
		"probable one-vs-one":  mlkittest.TestWeights(multiclass.ProbableOneVsOne[*logistic.Model]{Binary: log}.FitWith, 1e-7),
		"weights of classes":   mlkittest.TestWeights(multiclass.OneVsOne[*logistic.Model]{Binary: log, ClassWeights: map[int]float64{1: 2, -1: 0.5}}.FitWith, 1e-7),
		"absence, one-vs-rest": mlkittest.TestAbsence(multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{}}.FitWith),
		"absence, one-vs-one":  mlkittest.TestAbsence(multiclass.OneVsOne[*svm.LinearModel]{Binary: svm.Newton{}}.FitWith),
		"absence, rest, P":     mlkittest.TestAbsence(multiclass.ProbableOneVsRest[*logistic.Model]{Binary: log}.FitWith),
		"absence, one, P":      mlkittest.TestAbsence(multiclass.ProbableOneVsOne[*logistic.Model]{Binary: log}.FitWith),
		"absence, classes":     mlkittest.TestAbsence(multiclass.OneVsOne[*logistic.Model]{Binary: log, ClassWeights: map[int]float64{1: 2}}.FitWith),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Perceptron takes no weights, and neither do its machines together.
func TestUnweighted(t *testing.T) {
	X, y := mat.NewDense(2, 1, []float64{1, 2}), []int{3, 5}
	if err := mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) {
		return multiclass.OneVsRest[*perceptron.Model]{Binary: perceptron.Perceptron{}}.FitWith(o, X, y)
	}); err != nil {
		t.Errorf("one-vs-rest: %v", err)
	}
	if err := mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) {
		return multiclass.OneVsOne[*perceptron.Model]{Binary: perceptron.Perceptron{}}.FitWith(o, X, y)
	}); err != nil {
		t.Errorf("one-vs-one: %v", err)
	}
}

// A fit ends with its context, in whichever machine it is.
func TestContext(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	X, y := samples.Clouds(300, 8, 3, 5)
	log := logistic.Regression{L2: 1}
	for name, fit := range map[string]func(ctx context.Context) (any, error){
		"one-vs-rest": func(ctx context.Context) (any, error) {
			return multiclass.OneVsRest[*logistic.Model]{Binary: log}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"one-vs-one": func(ctx context.Context) (any, error) {
			return multiclass.OneVsOne[*logistic.Model]{Binary: log}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"probable one-vs-rest": func(ctx context.Context) (any, error) {
			return multiclass.ProbableOneVsRest[*logistic.Model]{Binary: log}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"probable one-vs-one": func(ctx context.Context) (any, error) {
			return multiclass.ProbableOneVsOne[*logistic.Model]{Binary: log}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
	} {
		if err := mlkittest.TestContext(fit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnitsOfColumns(t *testing.T) {
	// The tolerance is that of the machines, in scores.
	if err := mlkittest.TestUnits(multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{Tol: 1e-6}}.Fit, mlkittest.Units{Offset: 1e12}, 1e-5); err != nil {
		t.Error(err)
	}
}
