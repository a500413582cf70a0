package eval_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/svm"
)

// Algorithms for labels -1 and +1 learn a file of two classes, whatever its labels are. A
// line separates these samples, so all predictions are right.
func TestFilesOfTwoClasses(t *testing.T) {
	for name, read := range map[string]func() (*datasets.Dataset, error){
		"0 and 1":         func() (*datasets.Dataset, error) { return csv("1,2,0\n2,1,0\n4,5,1\n5,4,1\n") },
		"1.0 and 2.0":     func() (*datasets.Dataset, error) { return csv("1,2,1.0\n2,1,1.0\n4,5,2.0\n5,4,2.0\n") },
		"no and yes":      func() (*datasets.Dataset, error) { return csv("1,2,no\n2,1,no\n4,5,yes\n5,4,yes\n") },
		"LIBSVM, 0 and 1": func() (*datasets.Dataset, error) { return libsvm("0 1:1 2:2\n0 1:2 2:1\n1 1:4 2:5\n1 1:5 2:4\n") },
		"LIBSVM, 2 and 4": func() (*datasets.Dataset, error) { return libsvm("2 1:1 2:2\n2 1:2 2:1\n4 1:4 2:5\n4 1:5 2:4\n") },
	} {
		d := testkit.Try(read()).Or(t)
		if m, err := (svm.Classifier{}).Fit(d.X, d.Y); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if a, err := eval.Accuracy(m, d.X, d.Y); err != nil || a != 1 {
			t.Errorf("%s: svm: accuracy %v, error %v", name, a, err)
		}
		if m, err := (perceptron.Perceptron{}).Fit(d.X, d.Y); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if a, err := eval.Accuracy(m, d.X, d.Y); err != nil || a != 1 {
			t.Errorf("%s: perceptron: accuracy %v, error %v", name, a, err)
		}
	}
}

// A regression takes a file of targets without changes. The points lie on the line
// y = 2x + 1/2.
func TestFileOfTargets(t *testing.T) {
	d := testkit.Try(csv("1,2.5\n2,4.5\n4,8.5\n")).Or(t)
	m := testkit.Try(leastsquares.Regression{}.Fit(d.X, d.Targets)).Or(t)
	if r2, err := eval.R2(m, d.X, d.Targets); err != nil || math.Abs(r2-1) > 1e-12 {
		t.Errorf("R2 = %v, error %v, want 1 up to rounding", r2, err)
	}
	if y := m.Scores(nil, mat.NewDense(1, 1, []float64{3}))[0]; math.Abs(y-6.5) > 1e-12 {
		t.Errorf("y(3) = %v, want 6.5 up to rounding", y)
	}
}

func csv(text string) (*datasets.Dataset, error) {
	return datasets.CSV{}.Read(strings.NewReader(text), "t.csv")
}

func libsvm(text string) (*datasets.Dataset, error) {
	return datasets.ReadLIBSVM(strings.NewReader(text), "t", 0)
}
