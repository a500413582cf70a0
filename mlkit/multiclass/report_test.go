package multiclass_test

import (
	"math"
	"slices"
	"testing"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

// Three classes of Iris make three machines in both schemes. Each is counted once, in
// order, however many are fitted concurrently.
func TestReport(t *testing.T) {
	iris := datasets.Iris()
	var done []int
	count := func(p mlkit.Progress) {
		if p.Of != 3 || !math.IsNaN(p.Residual) {
			t.Errorf("%+v, want 3 machines and no residual", p)
		}
		done = append(done, p.Done)
	}
	if _, err := (multiclass.OneVsRest[*svm.LinearModel]{Binary: svm.Newton{}}).FitWith(mlkit.Options{Report: count}, iris.X, iris.Y); err != nil {
		t.Fatal(err)
	}
	if _, err := (multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{}}).FitWith(mlkit.Options{Report: count}, iris.X, iris.Y); err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 2, 3, 1, 2, 3}; !slices.Equal(done, want) {
		t.Errorf("machines done: %v, want %v", done, want)
	}
	log := logistic.Regression{L2: 1}
	for name, fit := range map[string]func(o mlkit.Options) (any, error){
		"one-vs-rest": func(o mlkit.Options) (any, error) {
			return multiclass.OneVsRest[*svm.LinearModel]{Binary: svm.DualDescent{MaxIter: 1}}.FitWith(o, iris.X, iris.Y)
		},
		"one-vs-one": func(o mlkit.Options) (any, error) {
			return multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{}}.FitWith(o, iris.X, iris.Y)
		},
		"probable one-vs-rest": func(o mlkit.Options) (any, error) {
			return multiclass.ProbableOneVsRest[*logistic.Model]{Binary: log}.FitWith(o, iris.X, iris.Y)
		},
		"probable one-vs-one": func(o mlkit.Options) (any, error) {
			return multiclass.ProbableOneVsOne[*logistic.Model]{Binary: log}.FitWith(o, iris.X, iris.Y)
		},
	} {
		testkit.NoError(t, name, mlkittest.TestReport(fit))
	}
}
