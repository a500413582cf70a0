package calibration_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/svm"
)

// A support vector machine with probabilities. Five machines, each trained without a fifth of
// the samples, score these; the sigmoid is fitted to the scores.
func ExampleClassifier() {
	iris := datasets.Must(datasets.Iris().Binary(1, 2))
	c := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{Kernel: kernel.RBF{Gamma: 0.5}}}
	m, err := c.Fit(iris.X, iris.Y)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range []int{0, 20, 27, 83, 99} {
		x := iris.X.RawRowView(i)
		fmt.Printf("row %d, %+d: the machine scores %+.1f, P(+1) = %.2f\n", i, iris.Y[i], m.Model.Score(x), m.Prob(x))
	}
	// Output:
	// row 0, -1: the machine scores -1.1, P(+1) = 0.03
	// row 20, -1: the machine scores +0.1, P(+1) = 0.55
	// row 27, -1: the machine scores +0.0, P(+1) = 0.52
	// row 83, +1: the machine scores +0.2, P(+1) = 0.62
	// row 99, +1: the machine scores +0.8, P(+1) = 0.92
}

// The same by hand, with folds and scores of package eval: any scores will do.
func ExamplePlatt() {
	X := mat.NewDense(8, 1, []float64{0, 1, 2, 3.5, 3, 4, 5, 6})
	y := []int{-1, -1, -1, -1, +1, +1, +1, +1}
	c := svm.Classifier{}
	folds, err := eval.KFold{K: 4}.Stratified(y)
	if err != nil {
		log.Fatal(err)
	}
	scores, err := eval.CrossScores(mlkit.Options{}, eval.Plan{Folds: folds}, c, X, y)
	if err != nil {
		log.Fatal(err)
	}
	p, err := calibration.FitPlatt(scores, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := c.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range []float64{0, 3, 6} {
		fmt.Printf("%v: %.2f\n", x, p.Prob(m.Score([]float64{x})))
	}
	// Output:
	// 0: 0.15
	// 3: 0.47
	// 6: 0.82
}
