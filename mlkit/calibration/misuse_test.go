package calibration_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

// Every exported function is called with each of these values in place of each argument,
// while the others are valid or just as bad. A sample of the wrong length panics in the name
// of the machine's package, which is tested there.
func TestMisuse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	X := mat.NewDense(4, 2, []float64{1, 2, 3, 4, 0, -1, 2, 2})
	samples := []*mat.Dense{nil, {}, X, mat.NewDense(1, 1, []float64{nan}), mat.NewDense(4, 2, []float64{inf, -inf, 0, 0, nan, 1, 2, 3}), mat.NewDense(2, 3, nil), mat.NewDense(4, 2, nil)}
	labels := [][]int{nil, {}, {1}, {1, -1, 1, -1}, {1, 1, 1, -1}, make([]int, 4), {math.MinInt, math.MaxInt, 0, 1}, make([]int, 5)}
	numbers := [][]float64{nil, {}, {1}, {1, 2}, {nan, nan}, {inf, -inf}, {1, 2, 3, 4}, {0, 0, 0, 0}, {0, 1, 0, 1}, {-1, 1, nan, 1}, {math.MaxFloat64, math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}, {5e-324, 5e-324, 0, 5e-324}}
	calls := map[string][]func(){}
	add := func(name string, f func()) { calls[name] = append(calls[name], f) }
	for _, c := range []calibration.Classifier[*svm.Model]{
		{}, {Algorithm: svm.Classifier{}}, {Algorithm: (*svm.Classifier)(nil), Folds: -1}, {Algorithm: svm.Classifier{C: nan}},
		{Algorithm: svm.Classifier{}, Folds: math.MinInt}, {Algorithm: svm.Classifier{}, Folds: math.MaxInt}, {Algorithm: svm.Classifier{}, Folds: 2, Seed: math.MaxUint64},
	} {
		for _, X := range samples {
			for _, y := range labels {
				add("Classifier.Fit", func() { _, _ = c.Fit(X, y) })
				for _, ctx := range []context.Context{nil, context.Background()} {
					for _, w := range numbers {
						add("Classifier.FitWith", func() { _, _ = c.FitWith(mlkit.Options{Context: ctx, Weights: w}, X, y) })
					}
				}
			}
		}
		for _, y := range labels[3:5] {
			problems := []multiclass.Problem{{Y: y}, {Y: y[1:], Rows: []int{1, 2, 3}, Weights: []float64{1, 2, 0}}}
			add("Classifier.FitMachines", func() { c.FitMachines(t.Context(), X, problems, func() {}) })
		}
	}
	m := testkit.Try(calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{}}.Fit(X, labels[3])).Or(t)
	type model = calibration.ClassifierModel[*svm.Model]
	add("ClassifierModel.Inputs", func() { m.Inputs() })
	add("ClassifierModel.MarshalMachines", func() { _, _ = m.MarshalMachines([]*model{m, nil}) })
	for _, data := range []string{"", "null", "{}", `{"models":null,"sigmoids":[]}`, `{"models":{},"sigmoids":[{"a":1,"b":0}]}`} {
		add("ClassifierModel.UnmarshalMachines", func() { _, _ = m.UnmarshalMachines([]byte(data)) })
	}
	for _, x := range [][]float64{{1, 2}, {nan, nan}, {inf, -inf}, {math.MaxFloat64, -math.MaxFloat64}} {
		add("ClassifierModel.Score", func() { m.Score(x) })
		add("ClassifierModel.Prob", func() { m.Prob(x) })
		add("ClassifierModel.Predict", func() { m.Predict(x) })
	}
	for _, X := range []*mat.Dense{X, samples[4], samples[6]} {
		for _, dst := range numbers {
			add("ClassifierModel.Scores", func() { m.Scores(slices.Clone(dst), X) })
			add("ClassifierModel.Probs", func() { m.Probs(slices.Clone(dst), X) })
		}
		for _, dst := range labels {
			add("ClassifierModel.Predictions", func() { m.Predictions(slices.Clone(dst), X) })
		}
		all := func() [][]float64 { return [][]float64{make([]float64, 4), make([]float64, 4)} }
		add("ClassifierModel.ScoresOfAll", func() { m.ScoresOfAll(all(), []*model{m, m}, X) })
		add("ClassifierModel.ProbsOfAll", func() { m.ProbsOfAll(all(), []*model{m, m}, X) })
	}
	for _, scores := range numbers {
		for _, y := range labels {
			for _, w := range numbers {
				add("FitPlatt", func() { _, _ = calibration.FitPlatt(scores, y, w) })
			}
		}
		for _, p := range []calibration.Platt{{}, {A: nan, B: nan}, {A: -inf, B: inf}, {A: -1, B: math.MaxFloat64}} {
			for _, s := range scores {
				add("Platt.Prob", func() { p.Prob(s) })
			}
			for _, dst := range numbers {
				add("Platt.Probs", func() { p.Probs(slices.Clone(dst), scores) })
			}
		}
	}
	if err := mlkittest.TestMisuse(".", calls); err != nil {
		t.Error(err)
	}
}
