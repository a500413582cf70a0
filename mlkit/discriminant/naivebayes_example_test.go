package discriminant_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/discriminant"
)

// The first column has means 0 and 4 and variances 2 and 18, the second means 1 and 3 and
// twice the variance 2. By hand, the log-odds are
// -log 3 - (x₀ - 4)²/36 + x₀²/4 + x₁ - 2.
func ExampleGaussianNB() {
	X := mat.NewDense(4, 2, []float64{-1, 0, 1, 2, 1, 2, 7, 4})
	y := []int{-1, -1, +1, +1}
	m, err := discriminant.GaussianNB{}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("means", m.Means, "variances", m.Variances)
	fmt.Printf("P(Y=1|x): %.3f at (1, 2), %.3f at (1, 5)\n", m.Prob([]float64{1, 2}), m.Prob([]float64{1, 5}))
	// Output:
	// means [[0 1] [4 3]] variances [[2 2] [18 2]]
	// P(Y=1|x): 0.250 at (1, 2), 0.870 at (1, 5)
}

// The same samples with one variance a column, 20/2 and 4/2, have the log-odds
// 0.4x₀ + x₁ - 2.8.
func ExampleDiagonalLDA() {
	X := mat.NewDense(4, 2, []float64{-1, 0, 1, 2, 1, 2, 7, 4})
	y := []int{-1, -1, +1, +1}
	m, err := discriminant.DiagonalLDA{}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	h, _ := m.Hyperplane() // there are two classes
	fmt.Printf("variances %.3g, w = %.3g, b = %.3g\n", m.Variances, h.W, h.B)
	// Output:
	// variances [10 2], w = [0.4 1], b = -2.8
}

// Two words in four letters. With a sample of each kind added to a class, θ₋ = (1/4, 3/4)
// and θ₊ = (3/4, 2/4), so w = (log 9, -log 3) and b = log 2/3. By hand, the odds are
// 9·(1/3)·(2/3) = 2 for both words and 9·(2/3) = 6 for the first alone.
func ExampleBernoulliNB() {
	X := mat.NewDense(4, 2, []float64{0, 1, 0, 1, 1, 1, 1, 0})
	y := []int{-1, -1, +1, +1}
	m, err := discriminant.BernoulliNB{}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("θ₋ = %.2f, θ₊ = %.2f\n", m.Probabilities[0], m.Probabilities[1])
	h, _ := m.Hyperplane() // there are two classes
	fmt.Printf("w = %.3f, b = %.3f\n", h.W, h.B)
	fmt.Printf("P(Y=1|x): %.4f for both words, %.4f for the first\n", m.Prob([]float64{1, 1}), m.Prob([]float64{1, 0}))
	// Output:
	// θ₋ = [0.25 0.75], θ₊ = [0.75 0.50]
	// w = [2.197 -1.099], b = -0.405
	// P(Y=1|x): 0.6667 for both words, 0.8571 for the first
}
