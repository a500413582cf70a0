package perceptron_test

import (
	"errors"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/perceptron"
)

// CMU's worked example: six points, three mistakes, one pass.
func ExamplePerceptron() {
	X := mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1})
	y := []int{-1, +1, +1, -1, -1, +1}
	p := perceptron.Perceptron{
		Bias: mlkit.NoBias,
		Trace: func(s perceptron.Step) bool {
			if s.Mistake {
				fmt.Printf("%v %+d: w = %v\n", s.X, s.Y, s.After.W)
			}
			return true
		},
	}
	m, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.W, m.MistakesPerEpoch, m.Predict([]float64{2, 2}))
	// Output:
	// [-1 2] -1: w = [1 -2]
	// [1 1] +1: w = [2 -1]
	// [-1 -2] -1: w = [3 1]
	// [3 1] [3 0] 1
}

// Theodoridis, example 3.2: reward and punishment, seven steps.
func ExamplePerceptron_stopEarly() {
	X := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
	y := []int{+1, +1, -1, -1} // ω1, ω2
	p := perceptron.Perceptron{
		StopEarly: true,
		Trace: func(s perceptron.Step) bool {
			fmt.Printf("step %d: %2g  w(%d) = %v %v\n", s.Step, s.Score, s.Step, s.After.W, s.After.B)
			return true
		},
	}
	if _, err := p.Fit(X, y); err != nil {
		log.Fatal(err)
	}
	// Output:
	// step 1:  0  w(1) = [-1 0] 1
	// step 2:  1  w(2) = [-1 0] 1
	// step 3:  1  w(3) = [-1 1] 0
	// step 4: -1  w(4) = [-1 1] 0
	// step 5:  1  w(5) = [-1 1] 0
	// step 6:  1  w(6) = [-1 1] 0
	// step 7: -1  w(7) = [-1 1] 0
}

// The exclusive or is not separable: the four points cancel.
func ExamplePerceptron_notSeparable() {
	X := mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1})
	y := []int{-1, +1, +1, -1}
	m, err := perceptron.Perceptron{}.Fit(X, y)
	var e *mlkit.NotSeparableError
	if errors.As(err, &e) {
		fmt.Println(err)
		fmt.Println(e.Alpha, m.Epochs)
	}
	// Output:
	// perceptron: Perceptron: not separable: Σ αᵢyᵢxᵢ = 0 with α = 1, 1, 1, 1 for rows 0, 1, 2, 3 of X, so no hyperplane has each of them on its own side
	// [1 1 1 1] 1
}

// The mistake bound for CMU's example with the best hyperplane is 5. The perceptron
// makes 3 mistakes.
func ExampleNewNovikoff() {
	X := mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1})
	y := []int{-1, +1, +1, -1, -1, +1}
	widest, err := perceptron.WidestThroughOrigin(X, y)
	if err != nil {
		log.Fatal(err)
	}
	q, err := perceptron.NewNovikoff(X, y, widest, mlkit.NoBias)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("w* = %v, R = %.4f, Δ = %v, (R/Δ)² = %v\n", widest.W, q.R, q.Margin, q.Bound)
	// Output: w* = [1 0], R = 2.2361, Δ = 1, (R/Δ)² = 5
}
