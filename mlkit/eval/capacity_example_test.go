package eval_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/eval"
)

// Exclusive or: the convex hulls of the classes meet in the middle of the square, and the
// weights α prove it.
func ExampleSeparate() {
	X := mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0})
	for _, y := range [][]int{{-1, 1, 1, 1}, {-1, -1, 1, 1}} {
		s, err := eval.Separate(X, y)
		if err != nil {
			log.Fatal(err)
		}
		if s.Separable {
			fmt.Println("separable:", s.Hyperplane.Predictions(nil, X))
		} else {
			fmt.Println("not separable:", s.Alpha)
		}
	}
	// Output:
	// separable: [-1 1 1 1]
	// not separable: [0.25 0.25 0.25 0.25]
}

// Lines in the plane achieve all labellings of n points up to n = 3, their VC dimension,
// half of them for n = 6, and hardly any for n = 20.
func ExampleCoverCount() {
	for _, n := range []int{3, 4, 6, 20} {
		fmt.Println(n, eval.CoverCount(n, 2), "of", 1<<n)
	}
	// Output:
	// 3 8 of 8
	// 4 14 of 16
	// 6 32 of 64
	// 20 382 of 1048576
}

// The n unit vectors are shattered with margin 1/√n, the largest margin for n points of
// length 1.
func ExampleShatterMargin() {
	s, err := eval.ShatterMargin(mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Δ = %.4f, (R/Δ)² = %.4f ≥ 3\n", s.Margin, s.Bound)
	// Output: Δ = 0.5774, (R/Δ)² = 3.0000 ≥ 3
}

// The mean of more samples varies less. The test rows have the mean 5.
func ExampleLearningCurve() {
	X, y := mat.NewDense(12, 1, nil), []float64{4, 6, 4, 6, 4, 6, 3, 7, 5, 5, 4, 6}
	fit := func(_ *mat.Dense, y []float64) (mlkit.Hyperplane, error) {
		return mlkit.Hyperplane{W: []float64{0}, B: stat.Mean(y, nil)}, nil
	}
	folds, err := eval.KFold{K: 3}.Folds(12)
	if err != nil {
		log.Fatal(err)
	}
	curve, err := eval.LearningCurve(mlkit.Options{}, eval.Plan{Folds: folds}, []int{1, 2, 8}, mlkit.FitFunc(fit), eval.MeanSquaredError, X, y)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range curve {
		fmt.Printf("%d samples: training %.2f, test %.2f\n", p.Size, p.MeanTrain(), p.MeanTest())
	}
	// Output:
	// 1 samples: training 0.00, test 2.33
	// 2 samples: training 1.00, test 1.33
	// 8 samples: training 1.33, test 1.33
}

// A tenth of the samples of each class is held out for testing.
func ExampleHoldout() {
	d := datasets.Iris()
	f, err := eval.Holdout{TestFraction: 0.1}.Stratified(d.Y)
	if err != nil {
		log.Fatal(err)
	}
	train, test := datasets.Must(d.Subset(f.Train)), datasets.Must(d.Subset(f.Test))
	for _, label := range d.Labels {
		fmt.Println(d.Class(label), train.Count(label), test.Count(label))
	}
	// Output:
	// setosa 45 5
	// versicolor 45 5
	// virginica 45 5
}

// Two losses of the same scores: 2 is right, 0.5 is within the margin, -1 is wrong.
func ExampleHingeLoss() {
	y, scores := []int{1, -1, 1}, []float64{2, -0.5, -1}
	hinge, err := eval.HingeLoss(y, scores)
	if err != nil {
		log.Fatal(err)
	}
	logistic, err := eval.LogisticLoss(y, scores)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("hinge %.4f, logistic %.4f\n", hinge, logistic)
	// Output: hinge 0.8333, logistic 0.6381
}

// The loss depends only on the probability of the label that occurs.
func ExampleLogLoss() {
	loss, err := eval.LogLoss([]int{1, -1}, []float64{0.5, 0.75})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f bits\n", loss/0.6931471805599453)
	// Output: 1.5000 bits
}
