package pipeline_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

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
	algorithms := []any{nil, 3, svm.Classifier{}, (*svm.Classifier)(nil), logistic.Regression{L2: 1}, neighbors.KNN{K: 1}, leastsquares.Regression{}}
	contexts := []context.Context{nil, context.Background()}
	type (
		classifier   = pipeline.Classifier[*svm.Model]
		probable     = pipeline.Probable[*logistic.Model]
		manyClasses  = pipeline.ManyClasses[*neighbors.Model]
		manyProbable = pipeline.ManyProbable[*neighbors.Model]
		regression   = pipeline.Regression[*leastsquares.Model]
	)
	calls := map[string][]func(){}
	add := func(name string, f func()) { calls[name] = append(calls[name], f) }
	for _, s := range steps {
		for _, a := range algorithms {
			for _, X := range samples {
				for _, y := range labels {
					add("Classifier.Fit", func() { _, _ = classifier{s, a}.Fit(X, y) })
					add("Probable.Fit", func() { _, _ = probable{s, a}.Fit(X, y) })
					add("ManyClasses.Fit", func() { _, _ = manyClasses{s, a}.Fit(X, y) })
					add("ManyProbable.Fit", func() { _, _ = manyProbable{s, a}.Fit(X, y) })
					for _, ctx := range contexts {
						add("Classifier.FitContext", func() { _, _ = classifier{s, a}.FitContext(ctx, X, y) })
						add("Probable.FitContext", func() { _, _ = probable{s, a}.FitContext(ctx, X, y) })
						add("ManyClasses.FitContext", func() { _, _ = manyClasses{s, a}.FitContext(ctx, X, y) })
						add("ManyProbable.FitContext", func() { _, _ = manyProbable{s, a}.FitContext(ctx, X, y) })
					}
				}
				for _, y := range numbers {
					add("Regression.Fit", func() { _, _ = regression{s, a}.Fit(X, y) })
					for _, ctx := range contexts {
						add("Regression.FitContext", func() { _, _ = regression{s, a}.FitContext(ctx, X, y) })
					}
				}
				for _, step := range s {
					if f, ok := step.(pipeline.Fixed); ok {
						add("Fixed.FitMap", func() { _, _ = f.FitMap(context.Background(), X) })
					} else if p, ok := step.(pipeline.Polynomial); ok {
						add("Polynomial.FitMap", func() { _, _ = p.FitMap(context.Background(), X) })
					}
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
