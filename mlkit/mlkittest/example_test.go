package mlkittest_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/perceptron"
)

func ExampleTestClassifier() {
	// The perceptron obeys the contract.
	fmt.Println(mlkittest.TestClassifier(perceptron.Perceptron{}.Fit))

	// An algorithm that sets an element of X to 0 does not.
	careless := func(X *mat.Dense, y []int) (*perceptron.Model, error) {
		m, err := perceptron.Perceptron{}.Fit(X, y)
		if err != nil {
			return nil, err
		}
		n, _ := X.Dims()
		X.Set(n-1, 0, 0)
		return m, nil
	}
	fmt.Println(mlkittest.TestClassifier(careless))
	// Output:
	// <nil>
	// input: the samples X were changed
	// 	(the rule: Fit changes neither X nor y)
}

func ExampleTestOrder() {
	// Least squares does not depend on the order of the samples; the perceptron does.
	fmt.Println(mlkittest.TestOrder(leastsquares.Regression{}.Fit, 1e-9))
	limited := func(X *mat.Dense, y []int) (*perceptron.Model, error) {
		m, err := perceptron.Perceptron{MaxIter: 1}.Fit(X, y)
		if m == nil {
			return nil, err
		}
		return m, nil
	}
	fmt.Println(mlkittest.TestOrder(limited, 1e-9) != nil)
	// Output:
	// <nil>
	// true
}

func ExampleTestNotConverged() {
	// XOR has no separating line: the perceptron returns an error and the best model.
	X, y := mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0}), []int{-1, -1, 1, 1}
	fmt.Println(mlkittest.TestNotConverged(func() (*perceptron.Model, error) {
		return perceptron.Perceptron{}.Fit(X, y)
	}))
	// Output: <nil>
}
