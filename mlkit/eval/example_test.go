package eval_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/svm"
)

func ExampleNewConfusion() {
	y := []int{+1, +1, +1, +1, -1, -1, -1, -1, -1, -1}
	predicted := []int{+1, +1, +1, -1, -1, -1, -1, -1, +1, +1}
	c, err := eval.NewConfusion(y, predicted)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(c)
	r := c.Of(+1)
	fmt.Printf("accuracy %.2f, precision %.2f, recall %.2f, F1 %.2f\n", c.Accuracy(), r.Precision, r.Recall, r.F1)
	// Output:
	//       -1  1
	//   -1   4  2
	//    1   1  3
	// accuracy 0.70, precision 0.60, recall 0.75, F1 0.67
}

func ExampleNewROC() {
	y := []int{+1, +1, -1, +1, -1, -1}
	scores := []float64{3, 2, 2, 1, 0, -1}
	r, err := eval.NewROC(y, scores)
	if err != nil {
		log.Fatal(err)
	}
	for k := range r.Thresholds {
		fmt.Printf("score ≥ %4v: %.2f of the others, %.2f of the class\n", r.Thresholds[k], r.FPR[k], r.TPR[k])
	}
	fmt.Printf("area %.3f\n", r.AUC())
	// Output:
	// score ≥ +Inf: 0.00 of the others, 0.00 of the class
	// score ≥    3: 0.00 of the others, 0.33 of the class
	// score ≥    2: 0.33 of the others, 0.67 of the class
	// score ≥    1: 0.33 of the others, 1.00 of the class
	// score ≥    0: 0.67 of the others, 1.00 of the class
	// score ≥   -1: 1.00 of the others, 1.00 of the class
	// area 0.833
}

func ExampleCrossValidate() {
	// Two classes on a line, separated between 4 and 5.
	X, y := mat.NewDense(10, 1, nil), make([]int, 10)
	for i := range y {
		X.Set(i, 0, float64(i))
		y[i] = -1
		if i > 4 {
			y[i] = +1
		}
	}
	folds, err := eval.KFold{K: 5, Shuffle: true, Seed: 1}.Stratified(y)
	if err != nil {
		log.Fatal(err)
	}
	v, err := eval.CrossValidate(mlkit.Options{}, eval.Plan{Folds: folds}, perceptron.Perceptron{}, eval.Accuracy, X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("training rows %.2f, test rows %.2f\n", v.MeanTrain(), v.MeanTest())
	// Output: training rows 1.00, test rows 0.90
}

func ExampleGridSearch() {
	// How many passes does the perceptron need?
	X := mat.NewDense(6, 2, []float64{0, 1, 1, 2, 2, 3, 3, 2.5, 4, 3, 5, 4.5})
	y := []int{-1, -1, -1, +1, +1, +1}
	folds, err := eval.KFold{K: 3}.Stratified(y)
	if err != nil {
		log.Fatal(err)
	}
	fit := func(epochs int, X *mat.Dense, y []int) (*perceptron.Model, error) {
		return perceptron.Perceptron{MaxIter: epochs}.Fit(X, y)
	}
	grid, err := eval.GridSearch(mlkit.Options{}, eval.Plan{Folds: folds}, []int{1, 2, 4, 8, 16}, fit, eval.Accuracy, X, y)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range grid.Points {
		fmt.Printf("%2d passes: %.2f, %.2f, converged %v\n", p.Param, p.MeanTrain(), p.MeanTest(), p.Converged())
	}
	fmt.Println("best:", grid.Points[grid.Best].Param)
	// Output:
	//  1 passes: 0.50, 0.50, converged false
	//  2 passes: 0.75, 0.83, converged false
	//  4 passes: 0.92, 0.83, converged false
	//  8 passes: 1.00, 1.00, converged true
	// 16 passes: 1.00, 1.00, converged true
	// best: 8
}

// No line separates the corners of a square labelled crosswise.
// The fields of an algorithm, chosen by cross-validation, with a kernel's among them.
func ExampleSearch() {
	iris := datasets.Iris()
	X, y := iris.X, make([]int, len(iris.Y))
	for i, label := range iris.Y {
		y[i] = -1
		if label == 1 { // versicolor, between the others
			y[i] = +1
		}
	}
	folds, err := eval.KFold{Shuffle: true, Seed: 1}.Stratified(y)
	if err != nil {
		log.Fatal(err)
	}
	fields := []eval.Field{eval.Values("C", 0.1, 1, 10), eval.Values("Kernel.Gamma", 0.01, 0.1)}
	c := svm.Classifier{Kernel: kernel.RBF{}}
	s, err := eval.Search(mlkit.Options{}, eval.Plan{Folds: folds}, c, fields, eval.AUC, X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(s)
	fmt.Println(s.Algorithm.C, s.Algorithm.Kernel, len(s.Model.Support), "support vectors")
	// Output:
	// C    Kernel.Gamma  test   ±       train
	// 0.1  0.01          0.961  0.037   0.9732
	// 0.1  0.1           0.985  0.02    0.9897
	// 1    0.01          0.961  0.037   0.9734
	// 1    0.1           0.997  0.0045  0.9974
	// 10   0.01          0.987  0.013   0.9881
	// 10   0.1           0.998  0.0027  0.9986  best
	// 10 {0.1} 24 support vectors
}

// Rows of one group stay together: here three of each of four patients.
func ExampleKFold_Grouped() {
	patients := []int{7, 7, 7, 3, 3, 3, 5, 5, 5, 9, 9, 9}
	folds, err := eval.KFold{K: 2}.Grouped(patients)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range folds {
		fmt.Println(f.Test)
	}
	// Output:
	// [0 1 2 6 7 8]
	// [3 4 5 9 10 11]
}

func ExampleShatter() {
	square := mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0})
	s, err := eval.Shatter(square)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Shattered, s.Labels, s.Alpha)
	count, err := eval.Dichotomies(square)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(count, "of 16 labellings")
	// Output:
	// false [-1 -1 1 1] [0.25 0.25 0.25 0.25]
	// 14 of 16 labellings
}

// The mean of five targets on a parabola, with noise ±1.
func ExampleExactBiasVariance() {
	p := eval.Process{F: func(x []float64) float64 { return x[0] * x[0] }, Sigma: 1}
	X := mat.NewDense(5, 1, []float64{-2, -1, 0, 1, 2})
	fit := func(_ *mat.Dense, y []float64) (mlkit.Hyperplane, error) {
		return mlkit.Hyperplane{W: []float64{0}, B: stat.Mean(y, nil)}, nil
	}
	d, err := eval.ExactBiasVariance(context.Background(), p, fit, X, mat.NewDense(1, 1, []float64{0}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("bias² %.2f + variance %.2f + noise %.2f = %.2f\n", d.Bias2, d.Variance, d.Noise, d.MSE)
	// Output: bias² 4.00 + variance 0.20 + noise 1.00 = 5.20
}
