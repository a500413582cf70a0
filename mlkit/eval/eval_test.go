package eval_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/eval"
)

func ExampleMisclassified() {
	X := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	h := mlkit.Hyperplane{W: []float64{1}, B: 1.5}
	wrong, err := eval.Misclassified(h, X, []int{-1, -1, +1, +1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d wrong, %.0f %%\n", wrong, 100*float64(wrong)/4)
	// Output: 1 wrong, 25 %
}
