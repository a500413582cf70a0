package mlkit_test

import (
	"errors"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/perceptron"
)

func Example() {
	X := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
	y := []int{+1, +1, -1, -1}
	model, err := perceptron.Perceptron{}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.W, model.B, model.Predict([]float64{-2, 1}))
	// Output: [-1 1] 0 1
}

// Fit returns the best model so far along with the error.
func ExampleNotConvergedError() {
	X := mat.NewDense(4, 1, []float64{0.1, 0.2, 0.3, 0.4})
	y := []int{-1, +1, -1, +1}
	model, err := perceptron.Perceptron{MaxIter: 50}.Fit(X, y)
	var e *mlkit.NotConvergedError
	if errors.As(err, &e) {
		fmt.Println(e.Iterations, "passes, rows wrong:", e.Residual)
		fmt.Println(model == e.Model)
	}
	// Output:
	// 50 passes, rows wrong: 1
	// true
}

func ExampleProgress() {
	X := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
	y := []int{+1, +1, -1, -1}
	_, err := perceptron.Perceptron{}.FitWith(mlkit.Options{Report: func(p mlkit.Progress) {
		fmt.Printf("%s: pass %d of %d, %v mistakes\n", p.Algorithm, p.Done, p.Of, p.Residual)
	}}, X, y)
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// perceptron: Perceptron: pass 1 of 1000, 2 mistakes
	// perceptron: Perceptron: pass 2 of 1000, 0 mistakes
}

func ExampleHyperplane() {
	h := mlkit.Hyperplane{W: []float64{3, 4}, B: -10}
	x := []float64{4, 2}
	fmt.Println("score   ", h.Score(x))
	fmt.Println("distance", h.Distance(x))
	fmt.Printf("foot     %.1f\n", h.Project(nil, x))
	fmt.Println("label   ", h.Predict(x))
	// Output:
	// score    10
	// distance 2
	// foot     [2.8 0.4]
	// label    1
}

func ExampleHyperplane_Margins() {
	X := mat.NewDense(2, 2, []float64{4, 2, 0, 0})
	h := mlkit.Hyperplane{W: []float64{3, 4}, B: -10}
	m, err := h.Margins(X, []int{+1, +1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Functional, m.Geometric)
	fmt.Println("smallest:", m.MinGeometric(), "in row", m.Smallest)
	// Output:
	// [10 -10] [2 -2]
	// smallest: -2 in row 1
}
