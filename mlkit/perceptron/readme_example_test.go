package perceptron_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/perceptron"
)

// The example of the README.
func ExamplePerceptron_readme() {
	X := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0}) // one sample a row
	y := []int{+1, +1, -1, -1}

	p := perceptron.Perceptron{StopEarly: true} // the zero value is the lecture's default
	m, err := p.Fit(X, y)
	if err != nil { // data that no hyperplane separates, with the proof; bad input, with its row
		log.Fatal(err)
	}
	fmt.Println(m.W, m.B, m.Mistakes, m.Steps) // [-1 1] 0 2 7
	fmt.Println(m.Predict([]float64{-2, 3}))   // 1
	// Output:
	// [-1 1] 0 2 7
	// 1
}
