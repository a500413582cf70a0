package mlkittest_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/linear"
	"marginalia/mlkit/mlkittest"
)

func ExampleTestClassifier() {
	// The perceptron obeys the contract.
	fmt.Println(mlkittest.TestClassifier(linear.Perceptron{}.Fit))

	// One that sets an element of X to 0 does not.
	careless := func(X *mat.Dense, y []int) (linear.Hyperplane, error) {
		m, err := linear.Perceptron{}.Fit(X, y)
		if err != nil {
			return linear.Hyperplane{}, err
		}
		n, _ := X.Dims()
		X.Set(n-1, 0, 0)
		return m.Hyperplane, nil
	}
	fmt.Println(mlkittest.TestClassifier(careless))
	// Output:
	// <nil>
	// input: the samples X were changed
	// 	(the rule: Fit changes neither X nor y)
}
