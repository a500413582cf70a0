package pipeline_test

import (
	"encoding/json"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/neighbors"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
)

// Each fold scales by its own training rows, here all but one. Scaled beforehand, each row
// would carry something of the row that it is tested on.
func Example_leakage() {
	X := mat.NewDense(4, 1, []float64{0, 1, 2, 9})
	y := []float64{0, 1, 2, 9}
	folds, err := eval.KFold{K: 4}.Folds(4)
	if err != nil {
		log.Fatal(err)
	}
	p := pipeline.Regression[*leastsquares.Model]{
		Steps:     []pipeline.Step{feature.Standardize{}},
		Algorithm: leastsquares.Regression{},
	}
	means := func(m *pipeline.RegressionModel[*leastsquares.Model], _ *mat.Dense, _ []float64) (float64, error) {
		return m.Maps[0].(*feature.Scaling).Shift[0], nil
	}
	v, err := eval.CrossValidate(mlkit.Options{}, eval.Plan{Folds: folds}, p, means, X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the mean of all rows: 3")
	fmt.Printf("the means of the folds: %.2f\n", v.Train)
	// Output:
	// the mean of all rows: 3
	// the means of the folds: [4.00 3.67 3.33 1.00]
}

// How many principal components of the scaled samples a support vector machine wants.
func ExampleClassifier() {
	iris := datasets.Must(datasets.Iris().Binary(1, 2))
	folds, err := eval.KFold{Shuffle: true, Seed: 1}.Stratified(iris.Y)
	if err != nil {
		log.Fatal(err)
	}
	p := pipeline.Classifier[*svm.Model]{
		Steps:     []pipeline.Step{feature.Standardize{}, feature.PCA{}},
		Algorithm: svm.Classifier{Kernel: kernel.RBF{}},
	}
	fields := []eval.Field{eval.Values("Steps[1].Components", 1, 2, 3), eval.Values("Algorithm.C", 0.1, 1)}
	s, err := eval.Search(mlkit.Options{}, eval.Plan{Folds: folds}, p, fields, eval.Accuracy, iris.X, iris.Y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(s)
	// Output:
	// Steps[1].Components  Algorithm.C  test  ±      train
	// 1                    0.1          0.81  0.042  0.81
	// 1                    1            0.8   0.035  0.815
	// 2                    0.1          0.88  0.057  0.9025
	// 2                    1            0.89  0.082  0.91
	// 3                    0.1          0.94  0.065  0.955  best
	// 3                    1            0.94  0.065  0.9675
}

// The log-loss of probabilities, for monomials of some degrees.
func ExampleProbable() {
	moons := datasets.Must(datasets.Moons(1, 100, 0.2))
	folds, err := eval.KFold{Shuffle: true, Seed: 1}.Stratified(moons.Y)
	if err != nil {
		log.Fatal(err)
	}
	p := pipeline.Probable[*logistic.Model]{
		Steps:     []pipeline.Step{pipeline.Polynomial{}, feature.Standardize{}},
		Algorithm: logistic.Regression{L2: 1},
	}
	fields := []eval.Field{eval.Values("Steps[0].Degree", 1, 2, 3, 4)}
	s, err := eval.Search(mlkit.Options{}, eval.Plan{Folds: folds}, p, fields, eval.NegLogLoss, moons.X, moons.Y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(s)
	// Output:
	// Steps[0].Degree  test     ±     train
	// 1                -0.3851  0.18  -0.3509
	// 2                -0.3969  0.21  -0.3438
	// 3                -0.3498  0.21  -0.2876
	// 4                -0.3201  0.19  -0.2615  best
}

// Support vector machines on pairs of classes, calibrated: their probabilities choose C.
func ExampleManyProbable_coupling() {
	iris := datasets.Iris()
	folds, err := eval.KFold{Shuffle: true, Seed: 1}.Stratified(iris.Y)
	if err != nil {
		log.Fatal(err)
	}
	type machine = calibration.ClassifierModel[*svm.Model]
	type model = multiclass.ProbableOneVsOneModel[*machine]
	p := pipeline.ManyProbable[*model]{
		Steps: []pipeline.Step{feature.Standardize{}},
		Algorithm: multiclass.ProbableOneVsOne[*machine]{
			Binary: calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{Kernel: kernel.RBF{Gamma: 0.1}, Tol: 1e-6}},
		},
	}
	fields := []eval.Field{eval.Values("Algorithm.Binary.Algorithm.C", 0.1, 1, 10, 100)}
	s, err := eval.Search(mlkit.Options{}, eval.Plan{Folds: folds}, p, fields, eval.NegLogLossMany, iris.X, iris.Y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(s)
	fmt.Printf("row 70 is a versicolor: %.2f\n", s.Model.Posterior(nil, iris.X.RawRowView(70)))
	// Output:
	// Algorithm.Binary.Algorithm.C  test     ±      train
	// 0.1                           -0.2442  0.086  -0.2292
	// 1                             -0.1054  0.049  -0.09003
	// 10                            -0.1039  0.037  -0.08239  best
	// 100                           -0.1495  0.056  -0.09365
	// row 70 is a versicolor: [0.01 0.54 0.45]
}

// A file holds the scaling and the neighbours.
func ExampleManyProbable() {
	X := mat.NewDense(4, 2, []float64{0, 100, 0, 900, 1, 200, 1, 800})
	p := pipeline.ManyProbable[*neighbors.Model]{
		Steps:     []pipeline.Step{feature.MinMax{}},
		Algorithm: neighbors.KNN{K: 1},
	}
	m, err := p.Fit(X, []int{3, 3, 7, 7})
	if err != nil {
		log.Fatal(err)
	}
	file, err := json.Marshal(m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(file[:87]))
	var back pipeline.ManyProbableModel[*neighbors.Model]
	if err := json.Unmarshal(file, &back); err != nil {
		log.Fatal(err)
	}
	fmt.Println(back.Predict([]float64{0.9, 500}), back.Posterior(nil, []float64{0.9, 500}))
	// Output:
	// {"maps":[{"name":"scaling","map":{"shift":[0,100],"unit":[1,800],"offset":0,"span":1}}]
	// 7 [0 1]
}
