package eval

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/mlkittest"
)

// Every exported function is called with each of these values in place of each argument,
// while the others are valid or just as bad.
func TestMisuse(t *testing.T) {
	testkit.Long(t)
	ctx := context.Background()
	nan, inf := math.NaN(), math.Inf(1)
	X, y := tenNumbers()
	targets := make([]float64, 10)
	targets[3] = 1
	samples := []*mat.Dense{nil, new(mat.Dense), X, mat.NewDense(1, 1, nil), mat.NewDense(10, 2, nil), mat.NewDense(10, 1, slices.Repeat([]float64{nan}, 10)),
		mat.NewDense(10, 1, slices.Repeat([]float64{inf}, 10)), mat.NewDense(10, 1, slices.Repeat([]float64{-math.MaxFloat64}, 10)), mat.NewDense(10, 1, slices.Repeat([]float64{5e-324}, 10))}
	labels := [][]int{nil, {}, {1}, y, make([]int, 10), slices.Repeat([]int{math.MinInt, math.MaxInt}, 5), append(slices.Clone(y), 1)}
	numbers := [][]float64{nil, {}, {1}, targets, make([]float64, 10), slices.Repeat([]float64{nan}, 10), slices.Repeat([]float64{inf, -inf}, 5), slices.Repeat([]float64{math.MaxFloat64, -math.MaxFloat64}, 5), make([]float64, 11)}
	counts := []int{0, 1, 2, -1, 10, 1 << 40, 1 << 60, math.MaxInt, math.MinInt}
	folds := [][]Fold{nil, {{}}, {{Train: []int{0, 9}, Test: []int{1}}}, {{Train: []int{-1}, Test: []int{1 << 60}}}}
	contexts := []context.Context{nil, ctx}
	models := []mlkit.Hyperplane{{}, {W: []float64{1}}, {W: []float64{1, 2}}, {W: []float64{nan}, B: inf}}
	constant := func(*mat.Dense, []int) (line, error) { return line{}, nil }
	calls := map[string][]func(){}
	add := func(name string, f func()) { calls[name] = append(calls[name], f) }

	for _, X := range samples {
		for _, y := range labels {
			add("Misclassified", func() { _, _ = Misclassified(nil, X, y) })
			add("Separate", func() { _, _ = Separate(X, y) })
			for _, m := range models {
				add("Misclassified", func() { _, _ = Misclassified(m, X, y) })
				add("Accuracy", func() { _, _ = Accuracy(m, X, y) })
				add("BalancedAccuracy", func() { _, _ = BalancedAccuracy(m, X, y) })
				add("F1", func() { _, _ = F1(m, X, y) })
				add("MacroF1", func() { _, _ = MacroF1(m, X, y) })
				add("AUC", func() { _, _ = AUC(m, X, y) })
				add("AveragePrecision", func() { _, _ = AveragePrecision(m, X, y) })
			}
			for _, m := range []*logistic.Model{nil, {}, {LogLinearMachine: mlkit.LogLinearMachine{LinearMachine: mlkit.LinearMachine{Classes: []int{-1, 1}, W: [][]float64{{0}, {1}}, B: make([]float64, 2)}}}} {
				add("NegLogLoss", func() { _, _ = NegLogLoss(m, X, y) })
				add("NegBrier", func() { _, _ = NegBrier(m, X, y) })
			}
			for _, m := range []*logistic.Model{nil, {}, {LogLinearMachine: mlkit.LogLinearMachine{LinearMachine: mlkit.LinearMachine{Classes: []int{1}, W: [][]float64{{1}}, B: []float64{nan}}}}} {
				add("NegLogLossMany", func() { _, _ = NegLogLossMany(m, X, y) })
				add("NegBrierMany", func() { _, _ = NegBrierMany(m, X, y) })
			}
			for _, rows := range labels {
				add("Pick", func() { Pick(X, y, rows) })
			}
		}
		for _, y := range numbers {
			for _, m := range models {
				add("MeanSquaredError", func() { _, _ = MeanSquaredError(m, X, y) })
				add("R2", func() { _, _ = R2(m, X, y) })
				add("NegMeanSquaredError", func() { _, _ = NegMeanSquaredError(m, X, y) })
			}
			add("R2", func() { _, _ = R2[mlkit.Scorer](nil, X, y) })
		}
		add("Shatter", func() { _, _ = Shatter(X) })
		add("ShatterMargin", func() { _, _ = ShatterMargin(X) })
		add("Dichotomies", func() { _, _ = Dichotomies(X) })
	}
	for _, y := range labels {
		for _, other := range labels {
			add("NewConfusion", func() {
				if c, err := NewConfusion(y, other); err == nil {
					_ = c.String()
				}
			})
		}
		for _, v := range numbers {
			add("HingeLoss", func() { _, _ = HingeLoss(y, v) })
			add("LogisticLoss", func() { _, _ = LogisticLoss(y, v) })
			add("LogLoss", func() { _, _ = LogLoss(y, v) })
			add("Brier", func() { _, _ = Brier(y, v) })
			add("NewROC", func() { _, _ = NewROC(y, v) })
			add("NewPrecisionRecall", func() { _, _ = NewPrecisionRecall(y, v) })
			add("PrecisionRecall.Average", func() { PrecisionRecall{Precision: v}.Average() })
			add("ROC.AUC", func() { ROC{FPR: v, TPR: v}.AUC() })
			add("ROC.AUC", func() { ROC{FPR: v}.AUC() })
			for _, classes := range labels {
				for _, P := range samples {
					add("LogLossMany", func() { _, _ = LogLossMany(y, classes, P) })
					add("BrierMany", func() { _, _ = BrierMany(y, classes, P) })
				}
				if len(v) > 0 && len(y) > 0 {
					P := mat.NewDense(len(y), len(v), slices.Repeat(v, len(y)))
					add("LogLossMany", func() { _, _ = LogLossMany(y, classes, P) })
				}
			}
		}
		for _, k := range counts {
			add("KFold.Stratified", func() { _, _ = KFold{K: k, Shuffle: true}.Stratified(y) })
			add("KFold.Grouped", func() { _, _ = KFold{K: 2, Shuffle: true, Repeats: k}.Grouped(y) })
		}
		for _, test := range []float64{0, -1, 1, nan, inf, 1e-300} {
			add("Holdout.Stratified", func() { _, _ = Holdout{TestFraction: test}.Stratified(y) })
		}
		for _, counts := range [][][]int{nil, {{1}}, {{1, 2}, {3}}} {
			c := Confusion{Classes: y, Counts: counts}
			add("Confusion.Total", func() { c.Total() })
			add("Confusion.Accuracy", func() { c.Accuracy() })
			add("Confusion.Of", func() { c.Of(1) })
			add("Confusion.Macro", func() { c.Macro() })
			add("Confusion.Micro", func() { c.Micro() })
			add("Confusion.String", func() { _ = c.String() })
		}
	}
	for _, n := range counts {
		for _, k := range counts {
			add("KFold.Folds", func() { _, _ = KFold{K: k, Shuffle: true}.Folds(n) })
			add("CoverCount", func() { CoverCount(n, k) })
		}
		add("LeaveOneOut", func() { _, _ = LeaveOneOut(n) })
		for _, test := range []float64{0, -1, 1, nan, inf, 1e-300} {
			add("Holdout.Fold", func() { _, _ = Holdout{TestFraction: test}.Fold(n) })
		}
	}
	for _, v := range []Validation{{}, {Train: []float64{nan}, Test: []float64{inf}}} {
		add("Validation.MeanTrain", func() { v.MeanTrain() })
		add("Validation.MeanTest", func() { v.MeanTest() })
		add("Validation.StdTest", func() { v.StdTest() })
		add("Validation.Converged", func() { v.Converged() })
	}
	for _, f := range [][]Field{nil, {{}}, {Values("W", 1), Values[any]("B")}, {Values[any]("W[-1]", nil), Values("B", nan)}, {Values("[", 1)}, {Values("]", 1)}, {Values(".", 1)}} {
		add("Values", func() { Values("", f) })
		add("Vary", func() { _, _ = Vary(models[1], f...) })
		add("Vary", func() { _, _ = Vary[any](nil, f...) })
		add("Vary", func() { _, _ = Vary(X, f...) })
		for _, points := range [][]GridPoint[int]{nil, {{}}} {
			s := SearchResult[int, int]{Grid: Grid[int]{Points: points}, Fields: f}
			add("SearchResult.Values", func() { s.Values(0) })
			add("SearchResult.Values", func() { s.Values(-1) })
			add("SearchResult.Means", func() { s.Means() })
			add("SearchResult.String", func() { _ = s.String() })
		}
	}
	add("Decomposition.Sum", func() { Decomposition{}.Sum() })

	var noFit func(X *mat.Dense, y []int) (threshold, error)
	var noMeasure Measure[threshold, int]
	var noLine func(X *mat.Dense, y []float64) (line, error)
	fixed := func(at float64, _ *mat.Dense, _ []int) (threshold, error) { return threshold(at), nil }
	for _, f := range folds {
		add("Shuffled", func() { Shuffled(f, 1) })
		for _, ctx := range contexts {
			for _, X := range samples {
				for _, y := range labels {
					for _, workers := range counts {
						p := Plan{Folds: f, Workers: workers}
						add("CrossValidate", func() {
							_, _ = CrossValidate(mlkit.Options{Context: ctx}, p, mlkit.FitFunc(fitThreshold), Accuracy, X, y)
						})
						add("CrossScores", func() { _, _ = CrossScores(mlkit.Options{Context: ctx}, p, mlkit.FitFunc(constant), X, y) })
						add("GridSearch", func() { _, _ = GridSearch(mlkit.Options{Context: ctx}, p, []float64{nan, 1}, fixed, Accuracy, X, y) })
						add("Search", func() {
							_, _ = Search(mlkit.Options{Context: ctx}, p, mlkit.FitFunc(fitThreshold), nil, Accuracy, X, y)
						})
						add("LearningCurve", func() {
							_, _ = LearningCurve(mlkit.Options{Context: ctx}, p, []int{workers}, mlkit.FitFunc(fitThreshold), Accuracy, X, y)
						})
					}
					p := Plan{Folds: f}
					add("CrossValidate", func() { _, _ = CrossValidate(mlkit.Options{Context: ctx}, p, mlkit.FitFunc(noFit), Accuracy, X, y) })
					add("CrossValidate", func() {
						_, _ = CrossValidate(mlkit.Options{Context: ctx}, p, mlkit.FitFunc(fitThreshold), noMeasure, X, y)
					})
					add("GridSearch", func() {
						_, _ = GridSearch(mlkit.Options{Context: ctx}, p, []float64{1}, nil, Accuracy[threshold], X, y)
					})
					add("GridSearch", func() { _, _ = GridSearch(mlkit.Options{Context: ctx}, p, []float64{1}, fixed, noMeasure, X, y) })
					add("GridSearch", func() { _, _ = GridSearch(mlkit.Options{Context: ctx}, p, nil, fixed, Accuracy, X, y) })
					add("LearningCurve", func() {
						_, _ = LearningCurve(mlkit.Options{Context: ctx}, p, nil, mlkit.FitFunc(noFit), noMeasure, X, y)
					})
				}
			}
		}
	}
	for _, ctx := range contexts {
		for _, p := range []Process{{}, {F: func(x []float64) float64 { return nan }}, {F: func(x []float64) float64 { return x[0] }, Sigma: nan}, {F: func(x []float64) float64 { return x[0] }}} {
			for _, X := range samples {
				for _, fit := range []func(X *mat.Dense, y []float64) (line, error){nil, noLine, fitMean} {
					for _, T := range samples {
						add("ExactBiasVariance", func() { _, _ = ExactBiasVariance(ctx, p, fit, X, T) })
						add("SmootherBiasVariance", func() { _, _ = SmootherBiasVariance(ctx, p, fit, X, T) })
					}
				}
			}
		}
	}
	if err := mlkittest.TestMisuse(".", calls); err != nil {
		t.Error(err)
	}
}
