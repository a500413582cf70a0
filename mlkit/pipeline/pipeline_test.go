package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/kernelized"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/neighbors"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
)

var scaled = []pipeline.Step{feature.Standardize{}}

// Every kind of pipeline keeps the contract of its kind, with steps of each sort.
func TestContract(t *testing.T) {
	// All pipelines are decoded by one function, and a map or a model within by its own, which
	// its own package tests. So corrupting one pipeline of each kind is enough, and these
	// are among the smaller ones.
	var again []string
	if !testkit.IsLong(t) {
		again = []string{"corrupt"}
	}
	all := []pipeline.Step{feature.MinMax{Low: -1, High: 1}, pipeline.Polynomial{}, feature.Standardize{}, kernelized.PCA{}}
	for name, err := range map[string]error{
		"classifier": mlkittest.TestClassifier(pipeline.Classifier[*svm.Model]{Steps: scaled, Algorithm: svm.Classifier{}}.Fit, again...),
		"all steps":  mlkittest.TestClassifier(pipeline.Classifier[*svm.LinearModel]{Steps: all, Algorithm: svm.DualDescent{}}.Fit, "dimension"),
		"no steps":   mlkittest.TestClassifier(pipeline.Classifier[*svm.Model]{Algorithm: svm.Classifier{}}.Fit, again...),
		"probable":   mlkittest.TestClassifier(pipeline.Probable[*logistic.Model]{Steps: scaled, Algorithm: logistic.Regression{L2: 1}}.Fit),
		"many": mlkittest.TestManyClasses(pipeline.ManyClasses[*multiclass.OneVsOneModel[*svm.Model]]{
			Steps: scaled, Algorithm: multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{}},
		}.Fit, again...),
		"many linear":    mlkittest.TestManyClasses(pipeline.ManyClasses[*leastsquares.ClassifierModel]{Steps: scaled, Algorithm: leastsquares.Classifier{}}.Fit),
		"many, probable": mlkittest.TestManyClasses(pipeline.ManyProbable[*logistic.Model]{Steps: scaled, Algorithm: logistic.Regression{L2: 1}}.Fit),
		"neighbours":     mlkittest.TestManyClasses(pipeline.ManyProbable[*neighbors.Model]{Steps: scaled, Algorithm: neighbors.KNN{}}.Fit, again...),
		"regression":     mlkittest.TestRegression(pipeline.Regression[*leastsquares.Model]{Steps: scaled, Algorithm: leastsquares.Regression{}}.Fit),
		"Fourier": mlkittest.TestRegression(pipeline.Regression[*leastsquares.Model]{
			Steps: []pipeline.Step{feature.Standardize{}, kernelized.Fourier{Components: 20}}, Algorithm: leastsquares.Regression{Lambda: 0.01},
		}.Fit, append(again, "constant")...),
		"Nyström": mlkittest.TestRegression(pipeline.Regression[*kernelized.RidgeModel]{
			Steps: []pipeline.Step{feature.Standardize{}, kernelized.Nystroem{}}, Algorithm: kernelized.Ridge{},
		}.Fit, again...),
		// Scaling makes a pipeline independent of the units of the columns.
		"units": mlkittest.TestUnits(pipeline.Classifier[*svm.Model]{Steps: scaled, Algorithm: svm.Classifier{Kernel: kernel.RBF{}, Tol: 1e-6}}.Fit,
			mlkittest.Units{Offset: 1e6, Scale: 1e100, Each: true}, 1e-5),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// loud is a step that reports, if it may.
type loud struct{ feature.Standardize }

func (l loud) FitMap(o mlkit.Options, X *mat.Dense) (feature.Map, error) {
	if o.Report != nil {
		o.Report(mlkit.Progress{Algorithm: "fake: loud", Done: 1, Of: 1})
	}
	return l.Standardize.FitMap(o, X)
}

// iterated is a regression that reports.
type iterated struct{ leastsquares.Regression }

func (a iterated) FitWith(o mlkit.Options, X *mat.Dense, y []float64) (*leastsquares.Model, error) {
	if o.Report != nil {
		o.Report(mlkit.Progress{Algorithm: "fake: iterated", Done: 1, Of: 1})
	}
	return a.Regression.FitWith(o, X, y)
}

// The algorithm reports, and no step.
func TestReport(t *testing.T) {
	many := datasets.Iris()
	two := datasets.Must(datasets.Iris().Binary(1, 2))
	steps := []pipeline.Step{loud{}}
	machines := multiclass.ProbableOneVsOne[*logistic.Model]{Binary: logistic.Regression{L2: 1}}
	for name, fit := range map[string]func(o mlkit.Options) (any, error){
		"classifier": func(o mlkit.Options) (any, error) {
			return pipeline.Classifier[*perceptron.Model]{Steps: steps, Algorithm: perceptron.Perceptron{MaxIter: 5}}.FitWith(o, two.X, two.Y)
		},
		"probable": func(o mlkit.Options) (any, error) {
			a := calibration.Classifier[*svm.LinearModel]{Algorithm: svm.Newton{}}
			return pipeline.Probable[*calibration.ClassifierModel[*svm.LinearModel]]{Steps: steps, Algorithm: a}.FitWith(o, two.X, two.Y)
		},
		"many classes": func(o mlkit.Options) (any, error) {
			return pipeline.ManyClasses[*multiclass.ProbableOneVsOneModel[*logistic.Model]]{Steps: steps, Algorithm: machines}.FitWith(o, many.X, many.Y)
		},
		"many probable": func(o mlkit.Options) (any, error) {
			return pipeline.ManyProbable[*multiclass.ProbableOneVsOneModel[*logistic.Model]]{Steps: steps, Algorithm: machines}.FitWith(o, many.X, many.Y)
		},
		"regression": func(o mlkit.Options) (any, error) {
			return pipeline.Regression[*leastsquares.Model]{Steps: steps, Algorithm: iterated{}}.FitWith(o, many.X, mat.Col(nil, 0, many.X))
		},
	} {
		testkit.NoError(t, name, mlkittest.TestReport(fit))
	}
}

// The context reaches the algorithm. Beside the error of a fit that does not converge is the
// pipeline's model, not the algorithm's.
func TestEnds(t *testing.T) {
	many := datasets.Iris()
	two := datasets.Must(datasets.Iris().Binary(1, 2))
	for name, fit := range map[string]func(ctx context.Context) (any, error){
		"classifier": func(ctx context.Context) (any, error) {
			return pipeline.Classifier[*svm.LinearModel]{Steps: scaled, Algorithm: svm.SubgradientDescent{}}.FitWith(mlkit.Options{Context: ctx}, two.X, two.Y)
		},
		"probable": func(ctx context.Context) (any, error) {
			return pipeline.Probable[*logistic.Model]{Steps: scaled, Algorithm: logistic.Regression{L2: 1e-6}}.FitWith(mlkit.Options{Context: ctx}, two.X, two.Y)
		},
		"many classes": func(ctx context.Context) (any, error) {
			a := multiclass.OneVsRest[*svm.LinearModel]{Binary: svm.SubgradientDescent{}}
			return pipeline.ManyClasses[*multiclass.OneVsRestModel[*svm.LinearModel]]{Steps: scaled, Algorithm: a}.FitWith(mlkit.Options{Context: ctx}, many.X, many.Y)
		},
		"many probable": func(ctx context.Context) (any, error) {
			return pipeline.ManyProbable[*logistic.Model]{Steps: scaled, Algorithm: logistic.Regression{L2: 1e-6}}.FitWith(mlkit.Options{Context: ctx}, many.X, many.Y)
		},
		"regression": func(ctx context.Context) (any, error) {
			y := mat.Col(nil, 0, many.X)
			return pipeline.Regression[*kernelized.RidgeModel]{Steps: scaled, Algorithm: kernelized.Ridge{Kernel: kernel.RBF{}}}.FitWith(mlkit.Options{Context: ctx}, many.X, y)
		},
	} {
		if err := mlkittest.TestContext(fit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Weights reach the scaling and the algorithm.
	machines := multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{Tol: 1e-10}}
	for name, err := range map[string]error{
		"classifier":             mlkittest.TestWeights(pipeline.Classifier[*svm.Model]{Steps: scaled, Algorithm: svm.Classifier{Tol: 1e-10}}.FitWith, 1e-5),
		"classifier, absence":    mlkittest.TestAbsence(pipeline.Classifier[*svm.Model]{Steps: scaled, Algorithm: svm.Classifier{}}.FitWith),
		"probable":               mlkittest.TestWeights(pipeline.Probable[*logistic.Model]{Steps: scaled, Algorithm: logistic.Regression{L2: 1}}.FitWith, 1e-6),
		"probable, absence":      mlkittest.TestAbsence(pipeline.Probable[*logistic.Model]{Steps: scaled, Algorithm: logistic.Regression{L2: 1}}.FitWith),
		"many classes":           mlkittest.TestWeights(pipeline.ManyClasses[*multiclass.OneVsOneModel[*svm.Model]]{Steps: scaled, Algorithm: machines}.FitWith, 1e-5),
		"many classes, absence":  mlkittest.TestAbsence(pipeline.ManyClasses[*discriminant.LDAModel]{Steps: scaled, Algorithm: discriminant.LDA{}}.FitWith),
		"many probable":          mlkittest.TestWeights(pipeline.ManyProbable[*discriminant.LDAModel]{Steps: scaled, Algorithm: discriminant.LDA{}}.FitWith, 1e-10),
		"many probable, absence": mlkittest.TestAbsence(pipeline.ManyProbable[*discriminant.LDAModel]{Steps: scaled, Algorithm: discriminant.LDA{}}.FitWith),
		"regression":             mlkittest.TestWeights(pipeline.Regression[*leastsquares.Model]{Steps: scaled, Algorithm: leastsquares.Regression{}}.FitWith, 1e-10),
		"regression, absence":    mlkittest.TestAbsence(pipeline.Regression[*leastsquares.Model]{Steps: scaled, Algorithm: leastsquares.Regression{}}.FitWith),
	} {
		testkit.NoError(t, name, err)
	}
	p := pipeline.Classifier[*perceptron.Model]{Steps: scaled, Algorithm: perceptron.Perceptron{MaxIter: 3}}
	err := mlkittest.TestNotConverged(func() (*pipeline.ClassifierModel[*perceptron.Model], error) { return p.Fit(two.X, two.Y) })
	if err != nil {
		t.Error(err)
	}
	// (0), (1), (0) labelled -1, +1, +1: the first and the last are a proof.
	p = pipeline.Classifier[*perceptron.Model]{Steps: scaled, Algorithm: perceptron.Perceptron{}}
	m, err := p.Fit(mat.NewDense(3, 1, []float64{0, 1, 0}), []int{-1, +1, +1})
	var proof *mlkit.NotSeparableError
	if !errors.As(err, &proof) || len(proof.Alpha) != 3 || proof.Fit.Model != any(m) || m == nil {
		t.Errorf("%v, with the model %v", err, m)
	}
	// The same if a step has not converged but gives a map.
	unfinished := &mlkit.NotConvergedError{Algorithm: "mine: shift", Iterations: 1, Reason: "too far"}
	late, err := pipeline.Classifier[*svm.Model]{Steps: []pipeline.Step{shift{err: unfinished}}, Algorithm: svm.Classifier{}}.Fit(two.X, two.Y)
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || late == nil || e.Model != any(late) || unfinished.Model != nil || late.Maps[0].(shift).D != 4 {
		t.Errorf("%v, with the model %v", err, late)
	}
	// In a step there is no model yet.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := pipeline.Classifier[*svm.Model]{Steps: []pipeline.Step{feature.MinMax{}, kernelized.PCA{Kernel: kernel.RBF{}}}, Algorithm: svm.Classifier{}}
	stopped, err := c.FitWith(mlkit.Options{Context: ctx}, two.X, two.Y)
	if stopped != nil || !errors.Is(err, context.Canceled) || errors.As(err, new(*mlkit.NotConvergedError)) ||
		err.Error() != "pipeline: stopped in step 1 of the pipeline, kernelized.PCA: context canceled" {
		t.Errorf("%v, %v", stopped, err)
	}
}

// shift is a step and a map of a user's: it subtracts the mean of column 0 of the samples.
type shift struct {
	Mean float64 `json:"mean"`
	D    int     `json:"d"`

	seen func(X *mat.Dense) // called with the samples of a fit
	err  error              // of a fit
}

func init() { pipeline.Register("test-shift", shift{}) }

func (s shift) FitMap(_ mlkit.Options, X *mat.Dense) (feature.Map, error) {
	n, d := X.Dims()
	if s.seen != nil {
		s.seen(X)
	}
	return shift{Mean: mat.Sum(X.ColView(0)) / float64(n), D: d}, s.err
}

func (s shift) Inputs() int { return s.D }
func (s shift) Dim() int    { return s.D }
func (s shift) TransformSample(dst, x []float64) []float64 {
	dst = append(dst[:0], x...)
	dst[0] -= s.Mean
	return dst
}

// Ridge regression of y = x on one scaled column, with λ = n = 3 training rows, has the slope
// n/(n + λ) = ½ in units of the column, so it predicts ȳ + (x - ȳ)/2. The rows left out of
// 0, 1, 2, 9 are 4, 8/3, 4/3 and 8 from the mean of the others; the squares of half of that
// have the mean 50/9. A scale that the row left out has a part in gives another number: with
// σ² = 12.5 of all four rows, the three have the slope S/(S + 12.5λ), where S = Σ(x - ȳ)² is 38,
// 134/3, 146/3 and 2. The errors are then 12/6.04, 8/6.5733, 4/6.8933 and 24/3.16, and the mean
// of their squares is 15.862.
func TestNoLeak(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{0, 1, 2, 9})
	y := []float64{0, 1, 2, 9}
	folds := testkit.Try(eval.LeaveOneOut(4)).Or(t)
	plan, ctx := eval.Plan{Folds: folds}, context.Background()
	ridge := leastsquares.Regression{Lambda: 3}
	for name, steps := range map[string][]pipeline.Step{
		"scaling":          scaled,
		"after another":    {shift{}, feature.Standardize{}},
		"before a product": {feature.Standardize{}, pipeline.Polynomial{Degree: 1}, feature.Standardize{}},
	} {
		p := pipeline.Regression[*leastsquares.Model]{Steps: steps, Algorithm: ridge}
		v, err := eval.CrossValidate(mlkit.Options{Context: ctx}, plan, p, eval.NegMeanSquaredError, X, y)
		if err != nil || math.Abs(v.MeanTest()+50./9) > 1e-12 {
			t.Errorf("%s: %v, %v, want -50/9", name, v.Test, err)
		}
	}
	s := testkit.Try(feature.Standardize{}.Fit(X)).Or(t)
	leaky, err := eval.CrossValidate(mlkit.Options{Context: ctx}, plan, ridge, eval.NegMeanSquaredError, s.Transform(nil, X), y)
	if err != nil || math.Abs(leaky.MeanTest()+15.862) > 0.001 {
		t.Errorf("scaled beforehand: %v, %v, want -15.862, or this test shows nothing", leaky.MeanTest(), err)
	}
}

// No step sees anything but the training rows of its fold, in a cross-validation and in a
// search; and a search ends with a fit to all rows.
func TestStepsSeeTrainingRowsOnly(t *testing.T) {
	X, y := mat.NewDense(12, 1, nil), make([]int, 12)
	for i := range y {
		X.Set(i, 0, float64(i*i))
		y[i] = 1 - 2*(i%2)
	}
	folds := testkit.Try(eval.KFold{K: 3, Shuffle: true}.Stratified(y)).Or(t)
	var mu sync.Mutex
	seen := map[string]int{}
	p := pipeline.Classifier[*svm.Model]{
		Steps: []pipeline.Step{pipeline.Fixed{Map: feature.Constant{D: 1}}, shift{seen: func(X *mat.Dense) {
			mu.Lock()
			defer mu.Unlock()
			seen[fmt.Sprint(mat.Col(nil, 0, X))]++
		}}},
		Algorithm: svm.Classifier{},
	}
	fields := []eval.Field{eval.Values("Algorithm.C", 1, 2), eval.Values("Steps[0].Map", feature.Constant{D: 1})}
	if _, err := eval.Search(mlkit.Options{}, eval.Plan{Folds: folds}, p, fields, eval.Accuracy, X, y); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{fmt.Sprint(mat.Col(nil, 0, X)): 1}
	for _, f := range folds {
		Z, _ := eval.Pick(X, y, f.Train)
		want[fmt.Sprint(mat.Col(nil, 0, Z))] = 2 // once for each C
	}
	if !reflect.DeepEqual(seen, want) {
		t.Errorf("the step has seen %v, want %v", seen, want)
	}
}

// All measures of eval take a pipeline for what it is, and say the same as of the model of
// samples mapped beforehand.
func TestMeasures(t *testing.T) {
	two, many := datasets.Must(datasets.Iris().Binary(1, 2)), datasets.Iris()
	p, err := pipeline.Probable[*discriminant.LDAModel]{Steps: scaled, Algorithm: discriminant.LDA{}}.Fit(two.X, two.Y)
	if err != nil {
		t.Fatal(err)
	}
	q, err := pipeline.ManyProbable[*discriminant.QDAModel]{Steps: scaled, Algorithm: discriminant.QDA{}}.Fit(many.X, many.Y)
	if err != nil {
		t.Fatal(err)
	}
	Z := testkit.Try(feature.Apply(feature.Chain(p.Maps), two.X)).Or(t)
	W := testkit.Try(feature.Apply(feature.Chain(q.Maps), many.X)).Or(t)
	for name, pair := range map[string][2]func() (float64, error){
		"AUC":            {func() (float64, error) { return eval.AUC(p, two.X, two.Y) }, func() (float64, error) { return eval.AUC(p.Model, Z, two.Y) }},
		"log-loss":       {func() (float64, error) { return eval.NegLogLoss(p, two.X, two.Y) }, func() (float64, error) { return eval.NegLogLoss(p.Model, Z, two.Y) }},
		"F1":             {func() (float64, error) { return eval.F1(p, two.X, two.Y) }, func() (float64, error) { return eval.F1(p.Model, Z, two.Y) }},
		"many, log-loss": {func() (float64, error) { return eval.NegLogLossMany(q, many.X, many.Y) }, func() (float64, error) { return eval.NegLogLossMany(q.Model, W, many.Y) }},
		"many, Brier":    {func() (float64, error) { return eval.NegBrierMany(q, many.X, many.Y) }, func() (float64, error) { return eval.NegBrierMany(q.Model, W, many.Y) }},
		"many, accuracy": {func() (float64, error) { return eval.Accuracy(q, many.X, many.Y) }, func() (float64, error) { return eval.Accuracy(q.Model, W, many.Y) }},
	} {
		got, err1 := pair[0]()
		want, err2 := pair[1]()
		if err1 != nil || err2 != nil || got != want {
			t.Errorf("%s: %v, %v, want %v, %v", name, got, err1, want, err2)
		}
	}
}

// Many rows are mapped in blocks; the results are those of the rows one by one.
func TestBlocks(t *testing.T) {
	X, y := mat.NewDense(10001, 2, nil), make([]int, 10001)
	for i := range y {
		X.SetRow(i, []float64{math.Sin(float64(i)), math.Cos(3 * float64(i))})
		y[i] = i % 3
	}
	m, err := pipeline.ManyProbable[*discriminant.LDAModel]{Steps: scaled, Algorithm: discriminant.LDA{}}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	labels, P := m.Predictions(nil, X), m.Posteriors(nil, X)
	for i := range y {
		x := X.RawRowView(i)
		if labels[i] != m.Predict(x) || !slices.Equal(P.RawRowView(i), m.Posterior(nil, x)) {
			t.Fatalf("row %d: %d, %v", i, labels[i], P.RawRowView(i))
		}
	}
}

// lazy is a step without a map, and an algorithm without a model.
type lazy struct{}

func (lazy) FitWith(mlkit.Options, *mat.Dense, []int) (*svm.Model, error) { return nil, nil }

func (lazy) FitMap(mlkit.Options, *mat.Dense) (feature.Map, error) { return nil, nil }

// Each error says which step or field is wrong.
func TestErrors(t *testing.T) {
	X, y := mat.NewDense(4, 2, []float64{0, 1, 1, 3, 2, 2, 3, 5}), []int{-1, -1, 1, 1}
	steps := func(s ...pipeline.Step) error {
		m, err := pipeline.Classifier[*svm.Model]{Steps: s, Algorithm: svm.Classifier{}}.Fit(X, y)
		if err != nil && m != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
			t.Errorf("a model beside %v", err)
		}
		return err
	}
	algorithm := func(a mlkit.Algorithm[*svm.Model, int]) error {
		_, err := pipeline.Classifier[*svm.Model]{Algorithm: a}.Fit(X, y)
		return err
	}
	weighted := func(step pipeline.Step, a mlkit.Algorithm[*svm.Model, int]) error {
		p := pipeline.Classifier[*svm.Model]{Steps: []pipeline.Step{feature.Standardize{}, step}, Algorithm: a}
		return second(p.FitWith(mlkit.Options{Weights: []float64{1, 2, 1, 1}}, X, y))
	}
	mine := errors.New("mine: no")
	var none *feature.Polynomial
	unfinished := &mlkit.NotConvergedError{Algorithm: "mine: shift", Iterations: 1, Reason: "too far"}
	for want, err := range map[string]error{
		"pipeline: the map is nil, want one from FitMap (step 0 of the pipeline, pipeline_test.lazy)": steps(lazy{}),
		"pipeline: Steps[1] is nil, want a step such as feature.Standardize{}":                        steps(feature.MinMax{}, nil),
		"pipeline: Fixed.Map is nil, want a map such as feature.Polar (step 0 of":                     steps(pipeline.Fixed{}),
		"pipeline: Fixed.Map is nil, want a map such as feature.Polar (step 0 ":                       steps(pipeline.Fixed{Map: none}),
		"feature: X is 4×2, want at least one row and 3 columns (step 0":                              steps(pipeline.Fixed{Map: feature.Constant{D: 3}}),
		"pipeline: Polynomial.Degree = -1, want":                                                      steps(pipeline.Polynomial{Degree: -1}),
		"kernelized: PCA.Components = -1, want a positive number, or 0 for 2 (step 1 of the pipe":     steps(feature.Standardize{}, kernelized.PCA{Components: -1}),
		"mine: no (step 1 of the pipeline, pipeline_test.shift)":                                      steps(feature.Standardize{}, shift{err: mine}),
		"mine: shift: not converged: too far":                                                         steps(shift{err: unfinished}),
		"pipeline: Algorithm is nil, want one such as svm.Classifier{}":                               algorithm(nil),
		"pipeline: the fit of pipeline_test.lazy returns nil, want a model":                           algorithm(lazy{}),
		"svm: Classifier.C = -1": algorithm(svm.Classifier{C: -1}),
		"kernelized: PCA takes no weights of samples, want Options.Weights = nil (step 1 of the pipeline, kernelized.PCA)": weighted(kernelized.PCA{}, svm.Classifier{}),
		"perceptron: Perceptron takes no weights of samples, want Options.Weights = nil":                                   second(pipeline.Classifier[*perceptron.Model]{Algorithm: perceptron.Perceptron{}}.FitWith(mlkit.Options{Weights: []float64{1, 1, 1, 1}}, X, y)),
		"pipeline: len(weights) = 1, want 4": second(pipeline.Classifier[*svm.Model]{Algorithm: svm.Classifier{}}.FitWith(mlkit.Options{Weights: []float64{1}}, X, y)),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	if !errors.Is(steps(shift{err: mine}), mine) {
		t.Error("the error of a step is lost")
	}
}

// A pipeline is an algorithm like others, for many classes by machines for two too, each of
// which scales for itself.
func TestPipelineAsBinary(t *testing.T) {
	iris := datasets.Iris()
	type machine = *pipeline.ClassifierModel[*svm.Model]
	o := multiclass.OneVsOne[machine]{Binary: pipeline.Classifier[*svm.Model]{Steps: scaled, Algorithm: svm.Classifier{}}}
	m := testkit.Try(o.Fit(iris.X, iris.Y)).Or(t)
	back := new(multiclass.OneVsOneModel[machine])
	data := testkit.Try(json.Marshal(m)).Or(t)
	if err := json.Unmarshal(data, back); err != nil || !reflect.DeepEqual(back, m) {
		t.Errorf("decoded: %v", err)
	}
	// The first 50 irises have a mean of 5.006 in column 0, the last of 6.588 (R. A. Fisher, "The
	// use of multiple measurements in taxonomic problems", 1936, table 2).
	if mean := m.Machines[1].Maps[0].(*feature.Scaling).Shift[0]; math.Abs(mean-(5.006+6.588)/2) > 1e-9 {
		t.Errorf("the machine for the first class and the last has the mean %v", mean)
	}
}

// Chains become the maps in them, so that a fitted pipeline can be encoded.
func TestChains(t *testing.T) {
	chain := feature.Chain{feature.Chain{feature.Polar{}, feature.Constant{D: 2}}, feature.Constant{D: 3}}
	X, y := mat.NewDense(4, 2, []float64{0, 1, 1, 3, 2, 2, 3, 5}), []float64{1, 2, 3, 5}
	m, err := pipeline.Regression[*kernelized.RidgeModel]{Steps: []pipeline.Step{pipeline.Fixed{Map: chain}}, Algorithm: kernelized.Ridge{}}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	if want := (pipeline.Maps{feature.Polar{}, feature.Constant{D: 2}, feature.Constant{D: 3}}); !reflect.DeepEqual(m.Maps, want) {
		t.Errorf("%v, want %v", m.Maps, want)
	}
}

// A panic of a user's step comes to the caller of the cross-validation, who can recover.
func TestPanickingStep(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{0, 1, 2, 9}), []float64{0, 1, 2, 9}
	folds := testkit.Try(eval.LeaveOneOut(4)).Or(t)
	p := pipeline.Regression[*leastsquares.Model]{Steps: []pipeline.Step{shift{seen: func(*mat.Dense) { panic("mine") }}}, Algorithm: leastsquares.Regression{}}
	defer func() {
		if e, ok := recover().(*mlkit.PanicError); !ok || e.Value != "mine" {
			t.Errorf("recovered %v", e)
		}
	}()
	_, _ = eval.CrossValidate(mlkit.Options{}, eval.Plan{Folds: folds}, p, eval.R2, X, y)
	t.Error("nothing panics")
}

func second[T any](_ T, err error) error { return err }
