package calibration_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
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
		"weights":    mlkittest.TestWeights(calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{Tol: 1e-10}}.FitWith, 1e-5),
		"absence":    mlkittest.TestAbsence(calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{}}.FitWith),
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
	fit := func(o mlkit.Options, X *mat.Dense, y []int) (sigmoid, error) {
		p, err := calibration.FitPlatt(mat.Col(nil, 0, X), y, o.Weights)
		return sigmoid{p}, err
	}
	if err := errors.Join(mlkittest.TestWeights(fit, 1e-9), mlkittest.TestAbsence(fit)); err != nil {
		t.Error(err)
	}
}

// own is somebody's own algorithm, without weights and contexts.
var own = calibration.Classifier[*leastsquares.ClassifierModel]{Algorithm: mlkit.FitFunc(leastsquares.Classifier{}.Fit), Folds: 20}

// What takes no weights takes none with a sigmoid either.
func TestUnweighted(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []int{-1, -1, +1, +1}
	for name, fit := range map[string]func(o mlkit.Options) (any, error){
		"perceptron": func(o mlkit.Options) (any, error) {
			return calibration.Classifier[*perceptron.Model]{Algorithm: perceptron.Perceptron{}}.FitWith(o, X, y)
		},
		"somebody's own": func(o mlkit.Options) (any, error) { return own.FitWith(o, X, y) },
	} {
		if err := mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) {
			if o.Weights != nil {
				o.Weights = []float64{1, 1, 1, 1}
			}
			return fit(o)
		}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The machines are reported: five of the folds and one of all samples.
func TestReport(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	c := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{}}
	testkit.NoError(t, "SVM", mlkittest.TestReport(func(o mlkit.Options) (any, error) { return c.FitWith(o, X, y) }))
	own := calibration.Classifier[*perceptron.Model]{Algorithm: perceptron.Perceptron{MaxIter: 5}}
	testkit.NoError(t, "perceptron", mlkittest.TestReport(func(o mlkit.Options) (any, error) { return own.FitWith(o, X, y) }))
	var done []int
	testkit.Try(c.FitWith(mlkit.Options{Report: func(p mlkit.Progress) { done = append(done, p.Done, p.Of) }}, X, y)).Or(t)
	if want := []int{1, 6, 2, 6, 3, 6, 4, 6, 5, 6, 6, 6}; !slices.Equal(done, want) {
		t.Errorf("machines done %v, want %v", done, want)
	}
}

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
		"own, scores": func(ctx context.Context) (any, error) { return own.FitWith(mlkit.Options{Context: ctx}, X, y) },
		"SVM":         func(ctx context.Context) (any, error) { return c.FitWith(mlkit.Options{Context: ctx}, X, y) },
		"one-vs-one": func(ctx context.Context) (any, error) {
			return multiclass.ProbableOneVsOne[*svmModel]{Binary: c}.FitWith(mlkit.Options{Context: ctx}, X, classes)
		},
		"one-vs-rest": func(ctx context.Context) (any, error) {
			return multiclass.ProbableOneVsRest[*svmModel]{Binary: c}.FitWith(mlkit.Options{Context: ctx}, X, classes)
		},
		"perceptron": func(ctx context.Context) (any, error) {
			return calibration.Classifier[*perceptron.Model]{Algorithm: perceptron.Perceptron{MaxIter: 50}}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
	} {
		if err := mlkittest.TestContext(fit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
