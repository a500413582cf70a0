package logistic_test

import (
	"errors"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/logistic"
)

// Hours of study and whether the exam was passed: Newton's method, iteration by
// iteration, to the maximum of the likelihood.
func ExampleRegression() {
	X := mat.NewDense(8, 1, []float64{1, 2, 2.5, 3, 3.5, 4, 5, 6})
	y := []int{-1, -1, -1, +1, -1, +1, +1, +1}
	l := logistic.Regression{Trace: func(s logistic.Step) bool {
		fmt.Printf("%d: w = %.4f, b = %.4f, -log likelihood %.5f\n", s.Iteration, s.W[0][0], s.B[0], s.Objective)
		return true
	}}
	m, err := l.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("P(pass) after 3 hours: %.2f, after 5: %.2f\n", m.Prob([]float64{3}), m.Prob([]float64{5}))
	// Output:
	// 1: w = 0.9796, b = -3.3061, -log likelihood 3.01996
	// 2: w = 1.5967, b = -5.2942, -log likelihood 2.57668
	// 3: w = 2.0927, b = -6.8678, -log likelihood 2.46198
	// 4: w = 2.3255, b = -7.6078, -log likelihood 2.44939
	// 5: w = 2.3599, b = -7.7179, -log likelihood 2.44918
	// 6: w = 2.3605, b = -7.7198, -log likelihood 2.44918
	// 7: w = 2.3605, b = -7.7198, -log likelihood 2.44918
	// 8: w = 2.3605, b = -7.7198, -log likelihood 2.44918
	// P(pass) after 3 hours: 0.35, after 5: 0.98
}

// A gap between the classes: without a prior the weights would grow without bound, and
// the fit says so.
func ExampleRegression_separable() {
	X := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	y := []int{-1, -1, +1, +1}
	_, err := logistic.Regression{}.Fit(X, y)
	var e *logistic.SeparableError
	fmt.Println(errors.As(err, &e), e.Complete, e.W[0][0] > 0)
	m, err := logistic.Regression{L2: 1}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	h, _ := m.Hyperplane()
	fmt.Printf("with a prior of variance 1: w = %.4f\n", h.W)
	// Output:
	// true true true
	// with a prior of variance 1: w = [1.0066]
}

// Counts as weights: of some 60 beetles per dose of carbon disulphide, how many died (Chester
// Bliss, 1935)? The estimates are those of Annette Dobson, "An Introduction to Generalized
// Linear Models", table 7.4: -60.72 and 34.27.
func ExampleRegression_FitWith() {
	doses := []float64{1.6907, 1.7242, 1.7552, 1.7842, 1.8113, 1.8369, 1.8610, 1.8839} // log₁₀ of mg/l
	beetles := []float64{59, 60, 62, 56, 63, 59, 62, 60}
	died := []float64{6, 13, 18, 28, 52, 53, 61, 60}
	X, y, weights := mat.NewDense(16, 1, nil), make([]int, 16), make([]float64, 16)
	for i, dose := range doses {
		X.Set(2*i, 0, dose)
		X.Set(2*i+1, 0, dose)
		y[2*i], y[2*i+1] = +1, -1
		weights[2*i], weights[2*i+1] = died[i], beetles[i]-died[i]
	}
	m, err := logistic.Regression{}.FitWith(mlkit.Options{Weights: weights}, X, y)
	if err != nil {
		log.Fatal(err)
	}
	h, _ := m.Hyperplane()
	fmt.Printf("b = %.2f, w = %.2f, half of the beetles die at %.4f\n", h.B, h.W[0], -h.B/h.W[0])
	// Output:
	// b = -60.72, w = 34.27, half of the beetles die at 1.7717
}

// Three classes on a line: softmax.
func ExampleRegression_Fit() {
	X := mat.NewDense(8, 1, []float64{0, 1, 3, 2, 4, 6, 5, 7})
	y := []int{1, 1, 1, 2, 2, 2, 3, 3}
	m, err := logistic.Regression{L2: 0.1}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range []float64{0, 3.5, 7} {
		fmt.Printf("x = %g: P = %.2f, class %d\n", x, m.Posterior(nil, []float64{x}), m.Predict([]float64{x}))
	}
	// Output:
	// x = 0: P = [0.94 0.06 0.00], class 1
	// x = 3.5: P = [0.24 0.66 0.10], class 2
	// x = 7: P = [0.00 0.20 0.80], class 3
}
