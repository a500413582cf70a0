package leastsquares_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/leastsquares"
)

// Theodoridis' ten points, which no line separates.
func ExampleClassifier() {
	d := datasets.TheodoridisTen()
	m, err := leastsquares.Classifier{}.Fit(d.X, d.Y)
	if err != nil {
		log.Fatal(err)
	}
	h, _ := m.Hyperplane() // there are two classes
	// The mean square error is that of a target of 0 or 1 for each class, a quarter of the
	// lecture's of the targets -1 and +1.
	fmt.Printf("w = %.3f, w0 = %.3f, mean square error %.3f\n", h.W, h.B, m.MSE)
	fmt.Println(d.Y)
	fmt.Println(m.Predictions(nil, d.X))
	// Output:
	// w = [-3.218 0.241], w0 = 1.431, mean square error [0.121 0.121]
	// [1 1 1 1 1 -1 -1 -1 -1 -1]
	// [1 -1 1 1 1 1 -1 -1 -1 -1]
}

// Three Iris species by petal length. Versicolor, class 1 in the middle, is masked by the
// others.
func ExampleClassifier_classes() {
	d := datasets.Must(datasets.Iris().Columns(2))
	m, err := leastsquares.Classifier{}.Fit(d.X, d.Y)
	if err != nil {
		log.Fatal(err)
	}
	for _, length := range []float64{1.5, 4.2, 6} {
		g := m.Discriminants(nil, []float64{length})
		fmt.Printf("petal of %.1f cm: %.2f, class %d\n", length, g, m.Predict([]float64{length}))
	}
	// Output:
	// petal of 1.5 cm: [0.89 0.21 -0.10], class 0
	// petal of 4.2 cm: [0.22 0.36 0.42], class 2
	// petal of 6.0 cm: [-0.22 0.45 0.77], class 2
}

// A line through three points, and one with a ridge.
func ExampleRegression() {
	X, y := mat.NewDense(3, 1, []float64{0, 1, 2}), []float64{1, 2, 4}
	for _, ridge := range []float64{0, 1} {
		m, err := leastsquares.Regression{Lambda: ridge}.Fit(X, y)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("λ = %v: y = %.2fx + %.2f\n", ridge, m.W[0], m.B)
	}
	// Output:
	// λ = 0: y = 1.50x + 0.83
	// λ = 1: y = 1.00x + 1.33
}

// Two targets, predicted from two features.
func ExampleRegression_FitTargets() {
	X := mat.NewDense(4, 2, []float64{0, 0, 1, 0, 0, 1, 1, 1})
	Y := mat.NewDense(4, 2, []float64{1, 0, 3, -1, 4, 1, 6, 0}) // 1 + 2a + 3b, b - a
	m, err := leastsquares.Regression{}.FitTargets(X, Y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", m.Output(nil, []float64{2, 5}))
	// Output: [20.000 3.000]
}

// The slide prints (-3.13, 0.24, 1.34) as the solution of these equations.
func ExampleNormalEquations() {
	d := datasets.TheodoridisTen()
	y := make([]float64, len(d.Y))
	for i, label := range d.Y {
		y[i] = float64(label)
	}
	XtX, Xty, err := leastsquares.NormalEquations(d.X, y, mlkit.FreeBias)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4g\n%.2g\n", mat.Formatted(XtX), mat.Formatted(Xty.T()))
	var w mat.VecDense
	if err := w.SolveVec(XtX, Xty); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", mat.Formatted(w.T()))
	// Output:
	// ⎡ 2.8  2.24   4.8⎤
	// ⎢2.24  2.41   4.7⎥
	// ⎣ 4.8   4.7    10⎦
	// [-1.6   0.1     0]
	// [-3.218   0.241   1.431]
}

// A single row has full rank: X# = Xᵀ(XXᵀ)⁻¹.
func ExamplePseudoInverse() {
	P, rank, err := leastsquares.PseudoInverse(mat.NewDense(1, 2, []float64{3, 4}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\nrank %d\n", mat.Formatted(P), rank)
	// Output:
	// ⎡0.12⎤
	// ⎣0.16⎦
	// rank 1
}
