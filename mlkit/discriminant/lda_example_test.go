package discriminant_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/discriminant"
)

// Two Gaussian classes with means -1 and 2 and variance 2: w = 3/2, and the boundary is
// in the middle.
func ExampleLDA() {
	X := mat.NewDense(4, 1, []float64{-2, 0, 1, 3})
	y := []int{-1, -1, +1, +1}
	m, err := discriminant.LDA{}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("means", m.Means, "covariance", m.Covariance)
	h, _ := m.Hyperplane() // there are two classes
	fmt.Printf("w = %.3g, b = %.3g\n", h.W, h.B)
	fmt.Printf("P(Y=1|x): %.3f at 0.5, %.3f at 2\n", m.Prob([]float64{0.5}), m.Prob([]float64{2}))
	// Output:
	// means [[-1] [2]] covariance [[2]]
	// w = [1.5], b = -0.75
	// P(Y=1|x): 0.500 at 0.5, 0.905 at 2
}

// Three classes at the corners of a triangle, and the two directions that separate them
// best.
func ExampleLDA_classes() {
	X := mat.NewDense(9, 2, []float64{0, 0, 1, 0, 0, 1, 6, 0, 7, 0, 6, 1, 0, 3, 1, 3, 0, 4})
	y := []int{10, 10, 10, 20, 20, 20, 30, 30, 30}
	m, err := discriminant.LDA{}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("explained %.3f\n", m.Explained)
	fmt.Printf("P(Y=10, 20, 30|x) = %.3f\n", m.Posterior(nil, []float64{3.3, -0.2}))
	fmt.Println(m.Predict([]float64{5, 0}), m.Predict([]float64{0, 5}))
	// Output:
	// explained [0.831 0.169]
	// P(Y=10, 20, 30|x) = [0.998 0.001 0.001]
	// 20 30
}

// A narrow class within a wide one: the boundary is quadratic, here two points.
func ExampleQDA() {
	X := mat.NewDense(4, 1, []float64{-1, 1, 1, 7})
	y := []int{-1, -1, +1, +1}
	m, err := discriminant.QDA{Priors: []float64{0.25, 0.75}}.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range []float64{-3, 0, 3} {
		fmt.Printf("%2g: %+d\n", x, m.Predict([]float64{x}))
	}
	// Output:
	// -3: +1
	//  0: -1
	//  3: +1
}
