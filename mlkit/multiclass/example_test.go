package multiclass_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

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
