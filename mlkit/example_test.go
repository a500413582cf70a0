package mlkit_test

import (
	"errors"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/linear"
)

func Example() {
	X := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
	y := []int{+1, +1, -1, -1}
	model, err := linear.Perceptron{}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.W, model.B, model.Predict([]float64{-2, 1}))
	// Output: [-1 1] 0 1
}

// The best model so far is there although the fit was not finished.
func ExampleNotConvergedError() {
	X := mat.NewDense(4, 1, []float64{0.1, 0.2, 0.3, 0.4})
	y := []int{-1, +1, -1, +1}
	model, err := linear.Perceptron{MaxEpochs: 50}.Fit(X, y)
	var e *mlkit.NotConvergedError
	if errors.As(err, &e) {
		fmt.Println(e.Iterations, "passes, rows wrong:", e.Residual)
		fmt.Println(model == e.Model)
	}
	// Output:
	// 50 passes, rows wrong: 1
	// true
}
