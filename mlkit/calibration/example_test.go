package calibration_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/calibration"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/svm"
)

// Probabilities from scores of samples that the model was not trained on.
func ExamplePlatt() {
	X := mat.NewDense(8, 1, []float64{0, 1, 2, 3.5, 3, 4, 5, 6})
	y := []int{-1, -1, -1, -1, +1, +1, +1, +1}
	c := svm.Classifier{}
	folds, err := eval.KFold{K: 4}.Stratified(y)
	if err != nil {
		log.Fatal(err)
	}
	scores, err := eval.CrossScores(context.Background(), eval.Plan{Folds: folds}, c.Fit, X, y)
	if err != nil {
		log.Fatal(err)
	}
	p, err := calibration.FitPlatt(scores, y)
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
