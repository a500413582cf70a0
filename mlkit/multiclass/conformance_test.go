package multiclass_test

import (
	"testing"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
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

func TestUnitsOfColumns(t *testing.T) {
	// The tolerance is that of the machines, in scores.
	if err := mlkittest.TestUnits(multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{Tol: 1e-6}}.Fit, mlkittest.Units{Offset: 1e12}, 1e-5); err != nil {
		t.Error(err)
	}
}
