package pipeline_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/neighbors"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
)

// Every exported function is called with each of these values in place of each argument,
// while the others are valid or just as bad.
func TestMisuse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	X := mat.NewDense(4, 2, []float64{1, 2, 3, 4, 0, -1, 2, 2})
	samples := []*mat.Dense{nil, {}, X, mat.NewDense(1, 1, []float64{nan}), mat.NewDense(4, 2, []float64{inf, -inf, 0, 0, nan, 1, 2, 3}), mat.NewDense(2, 3, nil), mat.NewDense(4, 2, nil)}
	labels := [][]int{nil, {}, {1}, {1, -1, 1, -1}, make([]int, 4), {math.MinInt, math.MaxInt, 0, 1}, make([]int, 5)}
	numbers := [][]float64{nil, {}, {1}, {1, 2}, {nan, nan}, {inf, -inf}, {math.MaxFloat64, -math.MaxFloat64}, {1, 2, 3}, {1, 2, 3, 4}}
	var none *feature.Scaling
	steps := [][]pipeline.Step{
		nil, {nil}, {feature.Standardize{}}, {feature.Standardize{}, nil}, {pipeline.Fixed{}}, {pipeline.Fixed{Map: none}}, {pipeline.Fixed{Map: feature.Chain{}}},
		{pipeline.Polynomial{Degree: math.MaxInt}}, {pipeline.Polynomial{Degree: math.MinInt}}, {pipeline.Fixed{Map: feature.Constant{D: math.MaxInt}}},
	}
	type (
		classifier   = pipeline.Classifier[*svm.Model]
		probable     = pipeline.Probable[*logistic.Model]
		manyClasses  = pipeline.ManyClasses[*neighbors.Model]
		manyProbable = pipeline.ManyProbable[*neighbors.Model]
		regression   = pipeline.Regression[*leastsquares.Model]
	)
	calls := map[string][]func(){}
	add := func(name string, f func()) { calls[name] = append(calls[name], f) }
	optionsOf := []mlkit.Options{{}, {Context: context.Background(), Weights: []float64{1}}, {Weights: []float64{1, 2, 0, nan}}, {Weights: make([]float64, 4)}, {Weights: []float64{1, 1, 0, 2}}}
	for _, s := range steps {
		for _, X := range samples {
			for _, y := range labels {
				for _, a := range []mlkit.Algorithm[*svm.Model, int]{nil, svm.Classifier{}, (*svm.Classifier)(nil)} {
					add("Classifier.Fit", func() { _, _ = classifier{s, a}.Fit(X, y) })
					for _, o := range optionsOf {
						add("Classifier.FitWith", func() { _, _ = classifier{s, a}.FitWith(o, X, y) })
					}
				}
				for _, a := range []mlkit.Algorithm[*logistic.Model, int]{nil, logistic.Regression{L2: 1}, (*logistic.Regression)(nil)} {
					add("Probable.Fit", func() { _, _ = probable{s, a}.Fit(X, y) })
					for _, o := range optionsOf {
						add("Probable.FitWith", func() { _, _ = probable{s, a}.FitWith(o, X, y) })
					}
				}
				for _, a := range []mlkit.Algorithm[*neighbors.Model, int]{nil, neighbors.KNN{K: 1}, (*neighbors.KNN)(nil)} {
					add("ManyClasses.Fit", func() { _, _ = manyClasses{s, a}.Fit(X, y) })
					add("ManyProbable.Fit", func() { _, _ = manyProbable{s, a}.Fit(X, y) })
					for _, o := range optionsOf {
						add("ManyClasses.FitWith", func() { _, _ = manyClasses{s, a}.FitWith(o, X, y) })
						add("ManyProbable.FitWith", func() { _, _ = manyProbable{s, a}.FitWith(o, X, y) })
					}
				}
			}
			for _, y := range numbers {
				for _, a := range []mlkit.Algorithm[*leastsquares.Model, float64]{nil, leastsquares.Regression{}, (*leastsquares.Regression)(nil)} {
					add("Regression.Fit", func() { _, _ = regression{s, a}.Fit(X, y) })
					for _, o := range optionsOf {
						add("Regression.FitWith", func() { _, _ = regression{s, a}.FitWith(o, X, y) })
					}
				}
			}
			for _, step := range s {
				if f, ok := step.(pipeline.Fixed); ok {
					add("Fixed.FitMap", func() { _, _ = f.FitMap(mlkit.Options{}, X) })
				} else if p, ok := step.(pipeline.Polynomial); ok {
					add("Polynomial.FitMap", func() { _, _ = p.FitMap(mlkit.Options{}, X) })
				}
			}
		}
	}
	c := must(classifier{steps[2], svm.Classifier{}}.Fit(X, labels[3]))(t)
	p := must(probable{steps[2], logistic.Regression{L2: 1}}.Fit(X, labels[3]))(t)
	m := must(manyClasses{steps[2], neighbors.KNN{K: 1}}.Fit(X, labels[3]))(t)
	q := must(manyProbable{steps[2], neighbors.KNN{K: 1}}.Fit(X, labels[3]))(t)
	r := must(regression{steps[2], leastsquares.Regression{}}.Fit(X, numbers[8]))(t)
	add("Fitted.Inputs", func() { c.Inputs() })
	add("Fitted.Inputs", func() { new(pipeline.ClassifierModel[*svm.Model]).Inputs() })
	add("Fitted.Inputs", func() { (&pipeline.Fitted[*svm.Model]{Maps: pipeline.Maps{nil}}).Inputs() })
	for _, x := range numbers {
		add("ClassifierModel.Score", func() { c.Score(x) })
		add("ClassifierModel.Predict", func() { c.Predict(x) })
		add("ProbableModel.Prob", func() { p.Prob(x) })
		add("ManyClassesModel.Predict", func() { m.Predict(x) })
		add("RegressionModel.Score", func() { r.Score(x) })
		for _, dst := range numbers {
			add("ManyProbableModel.Posterior", func() { q.Posterior(slices.Clone(dst), x) })
		}
	}
	for _, X := range samples[1:] {
		for _, dst := range numbers {
			add("ClassifierModel.Scores", func() { c.Scores(slices.Clone(dst), X) })
			add("ProbableModel.Probs", func() { p.Probs(slices.Clone(dst), X) })
			add("RegressionModel.Scores", func() { r.Scores(slices.Clone(dst), X) })
		}
		for _, dst := range labels {
			add("ClassifierModel.Predictions", func() { c.Predictions(slices.Clone(dst), X) })
			add("ManyClassesModel.Predictions", func() { m.Predictions(slices.Clone(dst), X) })
		}
		for _, dst := range samples {
			add("ManyProbableModel.Posteriors", func() { q.Posteriors(dst, X) })
		}
	}
	add("Register", func() { pipeline.Register("", nil) })
	add("Register", func() { pipeline.Register("scaling", feature.Polar{}) })
	if err := mlkittest.TestMisuse(".", calls); err != nil {
		t.Error(err)
	}
}

// must returns a function that returns m, and fails the test if there is an error.
func must[M any](m M, err error) func(t *testing.T) M {
	return func(t *testing.T) M {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}
