package multiclass_test

import (
	"slices"
	"testing"

	"marginalia/datasets"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

// Three classes of Iris make three machines in both schemes. Each is counted once, in
// order, however many are fitted concurrently.
func TestProgress(t *testing.T) {
	iris := datasets.Iris()
	var done []int
	count := func(n, machines int) {
		if machines != 3 {
			t.Errorf("%d machines, want 3", machines)
		}
		done = append(done, n)
	}
	if _, err := (multiclass.OneVsRest[*svm.LinearModel]{Binary: svm.Newton{}, Progress: count}).Fit(iris.X, iris.Y); err != nil {
		t.Fatal(err)
	}
	if _, err := (multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{}, Progress: count}).Fit(iris.X, iris.Y); err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 2, 3, 1, 2, 3}; !slices.Equal(done, want) {
		t.Errorf("machines done: %v, want %v", done, want)
	}
}
