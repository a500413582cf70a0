package svm_test

import (
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/svm"
)

// The maximum margin between three points labelled + and three labelled -.
func ExampleClassifier() {
	X := mat.NewDense(6, 2, []float64{2, 2, 3, 3, 4, 1, 0, 0, 1, -1, -1, 1})
	y := []int{+1, +1, +1, -1, -1, -1}
	m, err := svm.Classifier{C: math.Inf(1)}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("w = %.3f, b = %.3f, margin %.3f\n", m.W, m.B, m.Margin())
	for _, i := range m.Support {
		fmt.Printf("row %d, %v, α = %.3f\n", i, X.RawRowView(i), m.Alpha[i])
	}
	// Output:
	// w = [0.500 0.500], b = -1.000, margin 1.414
	// row 0, [2 2], α = 0.250
	// row 3, [0 0], α = 0.250
}

// A path of C: each fit begins at the multipliers of the previous one, in proportion to C. The
// numbers are those of scikit-learn 1.9.1, SVC(kernel="linear", C=C, tol=1e-8).
func ExampleClassifier_path() {
	iris := datasets.Must(datasets.Iris().Binary(1, 2))
	c := svm.Classifier{Tol: 1e-6}
	for c.C = 1. / 32; c.C <= 32; c.C *= 4 {
		m, err := c.Fit(iris.X, iris.Y)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("C = %-8v margin %.3f, slack %.2f\n", c.C, m.Margin(), floats.Sum(m.Slacks))
		c.Start = m.Alpha
		floats.Scale(4, c.Start)
	}
	// Output:
	// C = 0.03125  margin 1.019, slack 37.19
	// C = 0.125    margin 0.585, slack 21.93
	// C = 0.5      margin 0.386, slack 13.10
	// C = 2        margin 0.269, slack 9.50
	// C = 8        margin 0.173, slack 7.32
	// C = 32       margin 0.137, slack 6.70
}

// Exclusive or is separable in the space of products of two coordinates. The gap between
// the two problems closes step by step.
func ExampleClassifier_trace() {
	X := mat.NewDense(4, 2, []float64{1, 1, -1, -1, 1, -1, -1, 1})
	y := []int{+1, +1, -1, -1}
	c := svm.Classifier{C: 1, Kernel: kernel.Polynomial{Degree: 2, Coef0: 1}, Trace: func(s svm.Step) bool {
		fmt.Printf("%d: dual %.4f ≤ primal %.4f\n", s.Iteration, s.Dual, s.Primal)
		return true
	}}
	m, err := c.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("f(2, 3) = %.2f\n", m.Score([]float64{2, 3}))
	// Output:
	// 0: dual 0.0000 ≤ primal 4.0000
	// 1: dual 0.1250 ≤ primal 2.1250
	// 2: dual 0.2500 ≤ primal 0.2500
	// f(2, 3) = 6.00
}

// The residuals of the Karush-Kuhn-Tucker conditions after one slack of the solution, ½,
// was halved.
func ExampleKKT() {
	X, y := mat.NewDense(2, 1, []float64{0, 2}), []int{-1, +1}
	m, err := svm.Classifier{C: 0.25}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	m.Slacks[1] = 0.25
	r, err := svm.KKT(m, X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(r)
	// Output:
	// stationarity in w        w = Σ αᵢyᵢφ(xᵢ)           0.00e+00
	// stationarity in b        Σ αᵢyᵢ = 0                0.00e+00
	// multipliers              αᵢ ≥ 0                    0.00e+00
	// stationarity in ξ        αᵢ + τᵢ = Cᵢ              0.00e+00
	// multipliers of ξ         τᵢ ≥ 0                    0.00e+00
	// slacks                   ξᵢ ≥ 0                    0.00e+00
	// margin                   yᵢf(xᵢ) ≥ 1 - ξᵢ          2.50e-01  row 1
	// slackness of the margin  αᵢ(yᵢf(xᵢ) - 1 + ξᵢ) = 0  6.25e-02  row 1
	// slackness of ξ           τᵢξᵢ = 0                  0.00e+00
}

// Two algorithms for the same problem, without and, like LIBLINEAR, with a penalised
// bias.
func ExampleNewton() {
	X := mat.NewDense(5, 1, []float64{10, 11, 12, 13, 14})
	y := []int{-1, -1, +1, -1, +1}
	for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias} {
		newton, err := svm.Newton{Bias: bias}.Fit(X, y)
		if err != nil {
			log.Fatal(err)
		}
		dual, err := svm.DualDescent{Loss: svm.SquaredHinge, Bias: bias, Tol: 1e-8, MaxIter: 1e6}.Fit(X, y)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.3f %.3f: %.4f, %.4f\n", newton.W, newton.B, newton.Primal, dual.Primal)
	}
	// Output:
	// [0.381] -4.771: 3.2762, 3.2762
	// [0.038] -0.600: 4.7068, 4.7068
}

// EE-559's λ gives the machine with C = 1/(2λn).
func ExampleSubgradientDescent() {
	X := mat.NewDense(6, 2, []float64{2, 1, 1, 2, 0.5, 0, -0.5, 0, -2, -1, -1, -2})
	y := []int{+1, +1, -1, +1, -1, -1}
	h, err := svm.SubgradientDescent{Lambda: 0.1}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	m, err := svm.Classifier{C: svm.COfLambda(0.1, 6)}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f %.2f\n", h.Primal, m.Primal)
	// Output:
	// 2.03 2.03
}

// Each step uses a few random samples.
func ExamplePegasos() {
	X := mat.NewDense(6, 2, []float64{2, 1, 1, 2, 0.5, 0, -0.5, 0, -2, -1, -1, -2})
	y := []int{+1, +1, -1, +1, -1, -1}
	m, err := svm.Pegasos{Lambda: 0.1, BatchSize: 2, Seed: 1}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Predictions(nil, X))
	// Output:
	// [1 1 1 -1 -1 -1]
}

// Coordinate descent keeps w and updates one multiplier at a time.
func ExampleDualDescent() {
	X := mat.NewDense(4, 1, []float64{0, 1, 3, 4})
	y := []int{-1, -1, +1, +1}
	m, err := svm.DualDescent{C: 10, Tol: 1e-9}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("w = %.3f, b = %.3f, α = %.3f\n", m.W, m.B, m.Alpha)
	// Output:
	// w = [1.000], b = -2.000, α = [0.000 0.500 0.500 0.000]
}
