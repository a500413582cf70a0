package neighbors

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

// Every exported function is called with each of these values in place of each argument,
// while the others are valid or just as bad.
func TestMisuse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	X := mat.NewDense(4, 2, []float64{1, 2, 3, 4, 0, -1, 2, 2})
	samples := []*mat.Dense{nil, {}, X, mat.NewDense(1, 1, []float64{nan}), mat.NewDense(4, 2, []float64{inf, -inf, 0, 0, nan, 1, 2, 3}), mat.NewDense(2, 3, nil)}
	labels := [][]int{nil, {}, {1}, {1, 2, 1, 2}, make([]int, 4), {math.MinInt, math.MaxInt, 0, 1}, make([]int, 5)}
	numbers := [][]float64{nil, {}, {1}, {1, 2}, {nan, nan}, {inf, -inf}, {math.MaxFloat64, -math.MaxFloat64}, {1, 2, 3}, make([]float64, 4)}
	m := testkit.Try(KNN{K: 3}.Fit(X, []int{1, 2, 1, 2})).Or(t)
	calls := map[string][]func(){}
	add := func(name string, f func()) { calls[name] = append(calls[name], f) }
	for _, X := range samples {
		for _, y := range labels {
			for _, k := range []int{0, 1, 2, -1, 10, math.MaxInt, math.MinInt} {
				add("KNN.Fit", func() { _, _ = KNN{K: k}.Fit(X, y) })
				add("KNN.FitWith", func() { _, _ = KNN{K: k}.FitWith(mlkit.Options{Weights: []float64{1}}, X, y) })
			}
			if X != nil {
				add("Model.Predictions", func() { m.Predictions(slices.Clone(y), X) })
				add("Model.Posteriors", func() { m.Posteriors(nil, X) })
				add("Model.Posteriors", func() { m.Posteriors(mat.NewDense(4, 2, nil), X) })
			}
		}
		for _, v := range numbers {
			if X != nil {
				add("Model.Scores", func() { m.Scores(slices.Clone(v), X) })
			}
		}
	}
	for _, x := range numbers {
		add("Model.Neighbors", func() { m.Neighbors(x) })
		add("Model.Score", func() { m.Score(x) })
		add("Model.Predict", func() { m.Predict(x) })
		for _, y := range labels {
			add("Model.Votes", func() { m.Votes(slices.Clone(y), x) })
		}
		for _, dst := range numbers {
			add("Model.Posterior", func() { m.Posterior(slices.Clone(dst), x) })
		}
	}
	if err := mlkittest.TestMisuse(".", calls); err != nil {
		t.Error(err)
	}
}
