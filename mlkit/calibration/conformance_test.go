package calibration_test

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/calibration"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
)

type svmModel = calibration.ClassifierModel[*svm.Model]

func TestClassifierContract(t *testing.T) {
	gauss := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{Kernel: kernel.RBF{Gamma: 0.5}}}
	scaled := pipeline.Classifier[*svm.Model]{Steps: []pipeline.Step{feature.Standardize{}}, Algorithm: svm.Classifier{}}
	contracts := map[string]error{
		"Gauss":      mlkittest.TestClassifier(gauss.Fit),
		"weights":    mlkittest.TestWeights(calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{Tol: 1e-10}}.FitWeighted, 1e-5),
		"absence":    mlkittest.TestAbsence(calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{}}.FitWeighted),
		"one-vs-one": mlkittest.TestManyClasses(multiclass.ProbableOneVsOne[*svmModel]{Binary: gauss}.Fit),
	}
	if testkit.IsLong(t) {
		linear := calibration.Classifier[*svm.LinearModel]{Algorithm: svm.Newton{}, Folds: 3, Seed: 7}
		contracts["Newton"] = mlkittest.TestClassifier(linear.Fit)
		contracts["somebody's own"] = mlkittest.TestClassifier(own.Fit)
		contracts["pipeline"] = mlkittest.TestClassifier(calibration.Classifier[*pipeline.ClassifierModel[*svm.Model]]{Algorithm: scaled}.Fit)
		contracts["one-vs-rest"] = mlkittest.TestManyClasses(multiclass.ProbableOneVsRest[*svmModel]{Binary: gauss}.Fit)
		contracts["one-vs-rest, Newton"] = mlkittest.TestManyClasses(multiclass.ProbableOneVsRest[*calibration.ClassifierModel[*svm.LinearModel]]{Binary: linear}.Fit)
		contracts["one-vs-one, class weights"] = mlkittest.TestManyClasses(multiclass.ProbableOneVsOne[*svmModel]{Binary: gauss, ClassWeights: map[int]float64{1: 2}}.Fit)
		contracts["votes"] = mlkittest.TestManyClasses(multiclass.OneVsOne[*svmModel]{Binary: gauss}.Fit)
	}
	for name, err := range contracts {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sigmoid scores a sample by its first column.
type sigmoid struct{ calibration.Platt }

func (s sigmoid) Score(x []float64) float64 { return s.Platt.Prob(x[0]) }

// The scores are the first column. The tolerance is that of the method's steps.
func TestPlattWeights(t *testing.T) {
	fit := func(X *mat.Dense, y []int, weights []float64) (sigmoid, error) {
		p, err := calibration.FitPlattWeighted(mat.Col(nil, 0, X), y, weights)
		return sigmoid{p}, err
	}
	if err := errors.Join(mlkittest.TestWeights(fit, 1e-9), mlkittest.TestAbsence(fit)); err != nil {
		t.Error(err)
	}
}

// own is somebody's own algorithm, without weights and contexts.
var own = calibration.Classifier[*leastsquares.ClassifierModel]{Algorithm: binary[*leastsquares.ClassifierModel](leastsquares.Classifier{}.Fit), Folds: 20}

// binary makes a Binary of a function.
type binary[M any] func(X *mat.Dense, y []int) (M, error)

func (b binary[M]) FitContext(_ context.Context, X *mat.Dense, y []int) (M, error) { return b(X, y) }

// A fit ends with its context, between the folds and within them.
func TestClassifierContext(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	X, classes := samples.Clouds(120, 5, 3, 5)
	y := make([]int, len(classes))
	for i, class := range classes {
		y[i] = 2*(class%2) - 1
	}
	c := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{}}
	for name, fit := range map[string]func(ctx context.Context) (any, error){
		"own, scores": func(ctx context.Context) (any, error) { return own.FitContext(ctx, X, y) },
		"SVM":         func(ctx context.Context) (any, error) { return c.FitContext(ctx, X, y) },
		"one-vs-one": func(ctx context.Context) (any, error) {
			return multiclass.ProbableOneVsOne[*svmModel]{Binary: c}.FitContext(ctx, X, classes)
		},
		"one-vs-rest": func(ctx context.Context) (any, error) {
			return multiclass.ProbableOneVsRest[*svmModel]{Binary: c}.FitContext(ctx, X, classes)
		},
		"perceptron": func(ctx context.Context) (any, error) {
			return calibration.Classifier[*perceptron.Model]{Algorithm: perceptron.Perceptron{MaxIter: 50}}.FitContext(ctx, X, y)
		},
	} {
		if err := mlkittest.TestContext(fit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
