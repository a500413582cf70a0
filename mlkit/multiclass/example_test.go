package multiclass_test

import (
	"fmt"
	"log"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

// Three classes with arbitrary labels.
func ExampleOneVsOne() {
	X := mat.NewDense(6, 2, []float64{0, 3, 1, 4, 3, 0, 4, 1, -3, -3, -4, -2})
	y := []int{10, 10, 20, 20, 30, 30}
	m, err := multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{}}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Pairs, m.Votes(nil, []float64{0, 5}), m.Predict([]float64{0, 5}))
	// Output:
	// [[10 20] [10 30] [20 30]] [2 1 0] 10
}

// One machine per class; those of Newton are linear.
func ExampleOneVsRest() {
	X := mat.NewDense(6, 2, []float64{0, 3, 1, 4, 3, 0, 4, 1, -3, -3, -4, -2})
	y := []int{10, 10, 20, 20, 30, 30}
	m, err := multiclass.OneVsRest[*svm.LinearModel]{Binary: svm.Newton{}}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Classes, m.Predictions(nil, X))
	// Output:
	// [10 20 30] [10 10 20 20 30 30]
}

// Ten digits, and how sure the machines are: the images with the least certain labels.
func ExampleProbableOneVsOne() {
	digits := datasets.Digits()
	part, err := eval.Holdout{TestFraction: 0.75}.Stratified(digits.Y)
	if err != nil {
		log.Fatal(err)
	}
	o := multiclass.ProbableOneVsOne[*calibration.ClassifierModel[*svm.Model]]{
		Binary: calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{C: 10, Kernel: kernel.RBF{Gamma: 1e-3}, Tol: 1e-6}},
	}
	m, err := o.Fit(eval.Pick(digits.X, digits.Y, part.Train))
	if err != nil {
		log.Fatal(err)
	}
	Z, z := eval.Pick(digits.X, digits.Y, part.Test)
	P := m.Posteriors(nil, Z)
	loss, err := eval.LogLossMany(z, m.Classes, P)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d images, log-loss %.2f\n", len(z), loss)
	for i, digit := range z {
		if p := P.RawRowView(i); slices.Max(p) < 0.3 {
			fmt.Printf("a %d is perhaps a %d: %.2f\n", digit, m.Predict(Z.RawRowView(i)), p)
		}
	}
	// Output:
	// 1350 images, log-loss 0.21
	// a 5 is perhaps a 3: [0.06 0.04 0.04 0.26 0.02 0.19 0.01 0.05 0.09 0.24]
	// a 6 is perhaps a 5: [0.12 0.05 0.03 0.06 0.12 0.29 0.10 0.03 0.09 0.11]
	// a 6 is perhaps a 6: [0.21 0.04 0.03 0.04 0.12 0.08 0.26 0.02 0.08 0.11]
	// a 4 is perhaps a 4: [0.02 0.04 0.02 0.04 0.29 0.09 0.02 0.13 0.09 0.25]
	// a 5 is perhaps a 5: [0.07 0.06 0.13 0.08 0.07 0.26 0.04 0.08 0.14 0.06]
	// a 6 is perhaps a 1: [0.02 0.22 0.08 0.07 0.09 0.02 0.18 0.05 0.17 0.11]
}
