package logistic_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/logistic"
)

// A path of L1 penalties. Which feature comes first, and how soon does the second join it? The
// former at 4.5, half of what the sums of its column in the two classes differ by, since these
// have the same size. The weights are those of scikit-learn 1.9.1,
// LogisticRegression(C=1/L1, penalty="l1", solver="saga", tol=1e-9).
func ExampleRegression_Path() {
	X := mat.NewDense(8, 2, []float64{1, 3, 2, 1, 2.5, 4, 3, 1, 3.5, 5, 4, 9, 5, 2, 6, 6})
	y := []int{-1, -1, -1, +1, -1, +1, +1, +1}
	l := logistic.Regression{L1: 1}
	most, err := l.MaxL1(mlkit.Options{}, X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("L1 = %-3g  w = 0\n", most)
	lambdas := []float64{4, 2, 1, 0.5}
	models, err := l.Path(mlkit.Options{}, lambdas, X, y)
	if err != nil {
		log.Fatal(err)
	}
	for i, m := range models {
		fmt.Printf("L1 = %-3g  w = %.3f\n", lambdas[i], m.Between(1, 0).W)
	}
	// Output:
	// L1 = 4.5  w = 0
	// L1 = 4    w = [0.109 0.000]
	// L1 = 2    w = [0.627 0.000]
	// L1 = 1    w = [1.068 0.000]
	// L1 = 0.5  w = [1.528 -0.040]
}
