package perceptron_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/perceptron"
)

// Theodoridis, "Example: At some stage t": two samples are wrong, and
// w(t+1) = w(t) + 0.7(0.4, 0.05, 1) - 0.7(-0.2, 0.75, 1).
func ExampleBatch() {
	X := mat.NewDense(2, 2, []float64{0.4, 0.05, -0.2, 0.75})
	p := perceptron.Batch{
		Rate:  0.7,
		Start: &mlkit.Hyperplane{W: []float64{1, 1}, B: -0.5},
		Trace: func(s perceptron.BatchStep) bool {
			fmt.Printf("J = %.3f, wrong %v: w = %.2f, w0 = %.2f\n", s.Cost, s.Wrong, s.After.W, s.After.B)
			return true
		},
	}
	if _, err := p.Fit(X, []int{+1, -1}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// J = 0.100, wrong [0 1]: w = [1.42 0.51], w0 = -0.50
	// J = 0.000, wrong []: w = [1.42 0.51], w0 = -0.50
}

// The step sizes ρₜ = c/t for c = 2.
func ExampleHarmonic() {
	p := perceptron.Batch{Rate: 2, Schedule: perceptron.Harmonic, Trace: func(s perceptron.BatchStep) bool {
		fmt.Printf("ρ = %.3f, %d wrong: w = %.2f, b = %.2f\n", s.Rate, len(s.Wrong), s.After.W, s.After.B)
		return true
	}}
	X := mat.NewDense(4, 1, []float64{1, 2, 4, 5})
	if _, err := p.Fit(X, []int{-1, -1, +1, +1}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ρ = 2.000, 4 wrong: w = [12.00], b = 0.00
	// ρ = 1.000, 2 wrong: w = [9.00], b = -2.00
	// ρ = 0.667, 2 wrong: w = [7.00], b = -3.33
	// ρ = 0.500, 2 wrong: w = [5.50], b = -4.33
	// ρ = 0.400, 2 wrong: w = [4.30], b = -5.13
	// ρ = 0.333, 1 wrong: w = [3.63], b = -5.47
	// ρ = 0.286, 1 wrong: w = [3.06], b = -5.75
	// ρ = 0.250, 1 wrong: w = [2.56], b = -6.00
	// ρ = 0.222, 0 wrong: w = [2.56], b = -6.00
}

// Each of the three hyperplanes of CMU's example classified two samples correctly.
func ExampleVoted() {
	X := mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1})
	y := []int{-1, +1, +1, -1, -1, +1}
	p := perceptron.Voted{Bias: mlkit.NoBias, Epochs: 1}
	m, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	for k, h := range m.Hyperplanes {
		fmt.Println(h.W, m.Votes[k], "votes")
	}
	fmt.Println(m.Score([]float64{1, 1}), "votes for +1 at (1, 1)")
	a, err := perceptron.Averaged(p).Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("average %.3f\n", a.W)
	// Output:
	// [1 -2] 2 votes
	// [2 -1] 2 votes
	// [3 1] 2 votes
	// 2 votes for +1 at (1, 1)
	// average [2.000 -0.667]
}

// The average of the hyperplanes of one pass, weighted by the steps they survived: in
// CMU's example (1, -2), (2, -1) and (3, 1), twice each.
func ExampleAveraged() {
	X := mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1})
	y := []int{-1, +1, +1, -1, -1, +1}
	m, err := perceptron.Averaged{Bias: mlkit.NoBias, Epochs: 1}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("w = %.3f, predicts %v\n", m.W, m.Predictions(nil, X))
	// Output:
	// w = [2.000 -0.667], predicts [-1 1 1 -1 -1 1]
}

// The dual form of CMU's example: w = Σ αᵢyᵢxᵢ.
func ExampleDual() {
	X := mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1})
	y := []int{-1, +1, +1, -1, -1, +1}
	m, err := perceptron.Dual{Bias: mlkit.NoBias}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("α =", m.Alpha)
	fmt.Println("w =", m.Hyperplane().W)
	fmt.Println(m.Score([]float64{2, 5}))
	// Output:
	// α = [1 0 1 0 1 0]
	// w = [3 1]
	// 11
}

// The exclusive or: the best hyperplane misclassifies one of the four samples.
func ExamplePocket() {
	X := mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1})
	y := []int{-1, +1, +1, -1}
	m, err := perceptron.Pocket{Seed: 1}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Errors, "of 4 wrong after", m.Steps, "draws")
	// Output: 1 of 4 wrong after 400 draws
}

func ExampleCost() {
	X := mat.NewDense(2, 2, []float64{0.4, 0.05, -0.2, 0.75})
	J, gradient, err := perceptron.Cost(mlkit.Hyperplane{W: []float64{1, 1}, B: -0.5}, X, []int{+1, -1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("J = %.2f, ∂J/∂w = %.2f, ∂J/∂b = %v\n", J, gradient.W, gradient.B)
	// Output: J = 0.10, ∂J/∂w = [-0.60 0.70], ∂J/∂b = 0
}
