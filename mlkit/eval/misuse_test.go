package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/perceptron"
)

// callers returns the functions that call a user's fit in their own goroutines, with the
// given fit and, if they have one, measure.
func callers(workers int, fit func() error, measure func() error) map[string]func() error {
	ctx := context.Background()
	X, y := tenNumbers()
	folds, err := KFold{}.Stratified(y)
	if err != nil {
		panic(err)
	}
	plan := Plan{Folds: folds, Workers: workers}
	process := Process{F: func(x []float64) float64 { return x[0] }}
	classes := func(X *mat.Dense, y []int) (threshold, error) { return 5, fit() }
	line := func(X *mat.Dense, y []float64) (line, error) { return line{w: 1}, fit() }
	judge := func(threshold, *mat.Dense, []int) (float64, error) { return 1, measure() }
	few := mat.DenseCopyOf(X.Slice(0, 3, 0, 1))
	return map[string]func() error{
		"CrossValidate": func() error {
			_, err := CrossValidate(mlkit.Options{Context: ctx}, plan, mlkit.FitFunc(classes), judge, X, y)
			return err
		},
		"GridSearch": func() error {
			_, err := GridSearch(mlkit.Options{Context: ctx}, plan, []int{1, 2}, func(_ int, X *mat.Dense, y []int) (threshold, error) { return classes(X, y) }, judge, X, y)
			return err
		},
		"LearningCurve": func() error {
			_, err := LearningCurve(mlkit.Options{Context: ctx}, plan, []int{2, 3}, mlkit.FitFunc(classes), judge, X, y)
			return err
		},
		"ExactBiasVariance": func() error {
			_, err := ExactBiasVariance(ctx, process, line, few, few)
			return err
		},
		"SmootherBiasVariance": func() error {
			_, err := SmootherBiasVariance(ctx, process, line, few, few)
			return err
		},
	}
}

func ok() error { return nil }

// brokenFit panics; its name must appear in the stack.
func brokenFit() error { panic(io.ErrUnexpectedEOF) }

// A panic in a fit or a measure reaches the calling goroutine, which can recover it with
// its value and the stack of its own goroutine.
func TestPanicsReachTheCaller(t *testing.T) {
	for _, workers := range []int{0, 1, 3} {
		for _, c := range []struct {
			name         string
			fit, measure func() error
		}{{"fit", brokenFit, ok}, {"measure", ok, brokenFit}} {
			for name, call := range callers(workers, c.fit, c.measure) {
				if c.name == "measure" && strings.Contains(name, "Bias") {
					continue // they have no measure
				}
				v := recovered(func() { _ = call() })
				e, is := v.(*mlkit.PanicError)
				if !is || e.Value != io.ErrUnexpectedEOF || !errors.Is(e, io.ErrUnexpectedEOF) || !strings.Contains(string(e.Stack), "eval.brokenFit") {
					t.Errorf("%s, %d workers, a %s that panics: got %v, want its value and stack", name, workers, c.name, v)
				}
			}
		}
	}
}

func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// forEach panics with the panic of the lowest i, unless a lower i returns an error.
func TestFirstPanicOrError(t *testing.T) {
	for workers := 1; workers < 5; workers++ {
		do := func(worse int) func(i int) error {
			return func(i int) error {
				if i == worse {
					panic(i)
				} else if i >= 7 {
					return fmt.Errorf("fake: %d", i)
				}
				return nil
			}
		}
		v := recovered(func() { _ = forEach(context.Background(), 20, workers, do(5)) })
		if e, is := v.(*mlkit.PanicError); !is || e.Value != 5 {
			t.Errorf("%d workers: %v, want the panic 5", workers, v)
		}
		if err := forEach(context.Background(), 20, workers, do(9)); err == nil || err.Error() != "fake: 7" {
			t.Errorf("%d workers: %v, want the error of 7", workers, err)
		}
	}
}

// With nested fits the innermost panic is reported.
func TestPanicsNested(t *testing.T) {
	inner := callers(2, brokenFit, ok)["GridSearch"]
	v := recovered(func() { _ = callers(2, inner, ok)["CrossValidate"]() })
	if e, is := v.(*mlkit.PanicError); !is || e.Value != io.ErrUnexpectedEOF || !strings.Contains(string(e.Stack), "eval.brokenFit") {
		t.Errorf("%v, want what the innermost fit panics with", v)
	}
}

// runtime.Goexit, which t.FailNow calls, ends the calling goroutine. No result comes from
// what was not measured.
func TestGoexitReachesTheCaller(t *testing.T) {
	leave := func() error { runtime.Goexit(); return nil }
	for _, workers := range []int{0, 1, 3} {
		for name, call := range callers(workers, leave, ok) {
			ended := make(chan string, 1)
			go func() {
				how := "ended"
				defer func() { ended <- how }()
				err := call()
				how = fmt.Sprintf("returned %v", err)
			}()
			if how := <-ended; how != "ended" {
				t.Errorf("%s, %d workers: %s, want the goroutine to end", name, workers, how)
			}
		}
	}
}

// The error names the argument that is nil.
func TestNilFunctions(t *testing.T) {
	ctx := context.Background()
	X, y := tenNumbers()
	plan := Plan{Folds: []Fold{{Train: []int{0, 9}, Test: []int{1}}}}
	process := Process{F: func(x []float64) float64 { return x[0] }}
	fixed := func(at float64, _ *mat.Dense, _ []int) (threshold, error) { return threshold(at), nil }
	var noCtx context.Context
	var noFit func(X *mat.Dense, y []int) (threshold, error)
	var noLine func(X *mat.Dense, y []float64) (line, error)
	var noAlgorithm *perceptron.Perceptron
	var noKind mlkit.Algorithm[*perceptron.Model, int]
	always := func(*perceptron.Model, *mat.Dense, []int) (float64, error) { return 1, nil }
	noMachine := mlkit.FitFunc(func(*mat.Dense, []int) (*perceptron.Model, error) { return nil, nil })
	unfinished := mlkit.FitFunc(func(*mat.Dense, []int) (*perceptron.Model, error) {
		return nil, &mlkit.NotConvergedError{Algorithm: "fake: own"}
	})
	thirds := Plan{Folds: []Fold{{Train: []int{0, 9}, Test: []int{1, 2, 3, 4, 5, 6, 7, 8}}, {Train: []int{1, 8}, Test: []int{0, 9}}}}
	noModel := func(X *mat.Dense, y []float64) (mlkit.Scorer, error) { return nil, nil }
	testkit.Refusals{
		{second(CrossValidate(mlkit.Options{Context: ctx}, plan, mlkit.FitFunc(noFit), Accuracy, X, y)), "eval: the algorithm is nil…"},
		{second(CrossValidate(mlkit.Options{Context: ctx}, plan, mlkit.FitFunc(fitThreshold), nil, X, y)), "eval: measure is nil…"},
		{second(GridSearch[float64](mlkit.Options{Context: ctx}, plan, []float64{1}, nil, Accuracy[threshold], X, y)), "eval: fit is nil…"},
		{second(GridSearch(mlkit.Options{Context: ctx}, plan, []float64{1}, fixed, nil, X, y)), "eval: measure is nil…"},
		{second(LearningCurve(mlkit.Options{Context: ctx}, plan, []int{2}, mlkit.FitFunc(noFit), Accuracy, X, y)), "eval: the algorithm is nil…"},
		{second(LearningCurve(mlkit.Options{Context: ctx}, plan, []int{2}, mlkit.FitFunc(fitThreshold), nil, X, y)), "eval: measure is nil…"},
		{second(CrossValidate(mlkit.Options{}, plan, noAlgorithm, Accuracy, X, y)), "eval: the algorithm is nil…"},
		{second(CrossScores(mlkit.Options{}, plan, noAlgorithm, X, y)), "eval: the algorithm is nil…"},
		{second(LearningCurve(mlkit.Options{}, plan, []int{2}, noAlgorithm, Accuracy, X, y)), "eval: the algorithm is nil…"},
		{second(Search(mlkit.Options{}, plan, noAlgorithm, nil, Accuracy, X, y)), "eval: the algorithm is nil…"},
		{second(Search(mlkit.Options{}, plan, noKind, nil, Accuracy, X, y)), "eval: the algorithm is nil…"},
		{second(CrossValidate(mlkit.Options{}, plan, noMachine, always, X, y)), "eval: fold 0: eval: the model is nil, want one that was fitted"},
		{second(CrossScores(mlkit.Options{}, thirds, noMachine, X, y)), "eval: fold 0: eval: the model is nil, want one that was fitted"},
		{second(Search(mlkit.Options{}, plan, noMachine, nil, always, X, y)), "eval: fold 0: eval: the model is nil, want one that was fitted"},
		{second(CrossValidate(mlkit.Options{}, plan, unfinished, always, X, y)), "eval: fold 0: fake: own: not converged…"},
		{second(GridSearch(mlkit.Options{Weights: make([]float64, 10)}, plan, []float64{1}, fixed, Accuracy, X, y)), "eval: GridSearch takes no weights of samples, want Options.Weights = nil"},
		{second(ExactBiasVariance(ctx, process, noLine, X, X)), "eval: fit is nil…"},
		{second(ExactBiasVariance(noCtx, process, fitLine, X, X)), "eval: ctx is nil…"},
		{second(ExactBiasVariance(ctx, process, noModel, X, X)), "eval: training set 0: eval: the model is nil…"},
		{second(SmootherBiasVariance(ctx, process, noLine, X, X)), "eval: fit is nil…"},
		{second(Misclassified(nil, X, y)), "eval: the model is nil…"},
	}.Check(t)
}

// wrongModel gives wrong answers.
type wrongModel struct {
	labels []int
	scores []float64
}

func (w wrongModel) Predict([]float64) int                  { return 0 }
func (w wrongModel) Predictions([]int, mat.Matrix) []int    { return w.labels }
func (w wrongModel) Score([]float64) float64                { return 0 }
func (w wrongModel) Scores([]float64, mat.Matrix) []float64 { return w.scores }

// If a model rejects the samples, or returns results for another number of samples, every
// measure returns an error.
func TestModelsThatRefuse(t *testing.T) {
	X, y := tenNumbers()
	targets := make([]float64, 10)
	targets[3] = 1
	plane := mlkit.Hyperplane{W: []float64{1, 2}} // of two columns, where X has one
	process := Process{F: func(x []float64) float64 { return x[0] }}
	var none *perceptron.Model
	testkit.Refusals{
		{second(Misclassified(plane, X, y)), "eval: Predictions of mlkit.Hyperplane panics for X, which is 10×1: mlkit: Predictions: …"},
		{second(Accuracy(plane, X, y)), "eval: Predictions of mlkit.Hyperplane panics for X, which is 10×1: mlkit: Predictions: …"},
		{second(MeanSquaredError(plane, X, targets)), "eval: Scores of mlkit.Hyperplane panics for X, which is 10×1: mlkit: Scores: …"},
		{second(R2(plane, X, targets)), "eval: Scores of mlkit.Hyperplane panics for X, which is 10×1: mlkit: Scores: …"},
		{second(Accuracy(none, X, y)), "eval: Predictions of *perceptron.Model panics for X, which is 10×1: runtime error: …"},
		{second(Accuracy(wrongModel{labels: make([]int, 11)}, X, y)), "eval: Predictions of eval.wrongModel returns 11 results for X, which has 10 rows, want one a row"},
		{second(R2(wrongModel{scores: make([]float64, 9)}, X, targets)), "eval: Scores of eval.wrongModel returns 9 results for X, which has 10 rows, want one a row"},
		{second(ExactBiasVariance(context.Background(), process, func(*mat.Dense, []float64) (mlkit.Hyperplane, error) { return plane, nil }, X, X)), "eval: training set 0: eval: Scores of mlkit.Hyperplane panics for T, which is 10×1: …"},
		{second(ExactBiasVariance(context.Background(), process, func(*mat.Dense, []float64) (line, error) { return line{b: math.NaN()}, nil }, X, X)), "eval: training set 0: eval: Scores(T)[0] = NaN, want a finite number"},
	}.Check(t)
	// The runtime's errors can be distinguished from others.
	var e runtime.Error
	if err := second(Accuracy(none, X, y)); !errors.As(err, &e) {
		t.Errorf("%v is no runtime.Error", err)
	}
}

// If all scores are NaN, none is the best. A cross-validation selects nothing and returns
// the NaN.
func TestNaNScores(t *testing.T) {
	X, y := tenNumbers()
	folds, _ := KFold{}.Stratified(y)
	fixed := func(at float64, _ *mat.Dense, _ []int) (threshold, error) { return threshold(at), nil }
	nan := func(threshold, *mat.Dense, []int) (float64, error) { return math.NaN(), nil }
	g, err := GridSearch(mlkit.Options{}, Plan{Folds: folds}, []float64{1, 2}, fixed, nan, X, y)
	if want := "eval: the measure is NaN in some test fold of each of the 2 params, so none is the best; want a number for one at least"; err == nil || err.Error() != want || g.Best != -1 || len(g.Points) != 2 {
		t.Errorf("%v, error %v, want %s", g, err, want)
	}
	v, err := CrossValidate(mlkit.Options{}, Plan{Folds: folds}, mlkit.FitFunc(fitThreshold), nan, X, y)
	if err != nil || !math.IsNaN(v.MeanTest()) {
		t.Errorf("%v, error %v, want NaN", v, err)
	}
	// -Inf is below every other number and above NaN.
	mixed := func(m threshold, _ *mat.Dense, _ []int) (float64, error) {
		if m == 1 {
			return math.NaN(), nil
		}
		return math.Inf(-1), nil
	}
	if g, err = GridSearch(mlkit.Options{}, Plan{Folds: folds}, []float64{1, 2, 3}, fixed, mixed, X, y); err != nil || g.Best != 1 {
		t.Errorf("Best = %d, error %v, want 1", g.Best, err)
	}
	if s, err := MeanSquaredError(line{b: math.NaN()}, X, make([]float64, 10)); err != nil || !math.IsNaN(s) {
		t.Errorf("MeanSquaredError = %v, error %v, want NaN", s, err)
	}
}

// R2 does not depend on the unit of y. For the line y = x with 1 added in row 0 it is
// 1 - (1/4)/(variance of 1, 1, 2, 3) = 1 - 0.25/0.6875.
func TestR2Units(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{0, 1, 2, 3})
	for _, unit := range []float64{1, 1e-200, 1e200, 1e-310} {
		y := []float64{unit, unit, 2 * unit, 3 * unit}
		r2 := testkit.Try(R2(line{w: unit}, X, y)).Or(t)
		near(t, fmt.Sprint("R2 in units of ", unit), r2, 1-0.25/0.6875, 1e-12)
	}
}

// What would fill the memory is an error, not a panic of make or the end of the process.
func TestHugeCounts(t *testing.T) {
	X, y := tenNumbers()
	ctx := context.Background()
	process := Process{F: func(x []float64) float64 { return x[0] }}
	many := make([]int, 1<<14+1)
	for i := range many {
		many[i] = i
	}
	for _, huge := range []int{1 << 40, 1 << 60, math.MaxInt, math.MinInt, -1} {
		for name, err := range map[string]error{
			"Folds":         second(KFold{}.Folds(huge)),
			"Folds, K":      second(KFold{K: huge}.Folds(10)),
			"Folds, both":   second(KFold{K: huge}.Folds(huge)),
			"Stratified, K": second(KFold{K: huge}.Stratified(y)),
			"LeaveOneOut":   second(LeaveOneOut(huge)),
			"Holdout":       second(Holdout{}.Fold(huge)),
			"LearningCurve": second(LearningCurve(mlkit.Options{Context: ctx}, Plan{Folds: []Fold{{Train: []int{1}, Test: []int{2}}}}, []int{huge}, mlkit.FitFunc(fitThreshold), Accuracy, X, y)),
			"a row":         Plan{Folds: []Fold{{Train: []int{huge}, Test: []int{2}}}}.check(mlkit.Options{}, X, 10),
		} {
			if err == nil || !strings.HasPrefix(err.Error(), "eval: ") {
				t.Errorf("%s of %d: %v, want an error", name, huge, err)
			}
		}
		// There are no more workers than jobs.
		if _, err := CrossValidate(mlkit.Options{Context: ctx}, Plan{Folds: []Fold{{Train: []int{0, 9}, Test: []int{2}}}, Workers: huge}, mlkit.FitFunc(fitThreshold), Accuracy, X, y); (err == nil) != (huge > 0) {
			t.Errorf("Workers = %d: %v", huge, err)
		}
	}
	// 2¹³ models predict 2¹⁶ points each: 2²⁹ numbers.
	design, points := mat.NewDense(13, 1, nil), mat.NewDense(1<<16, 1, nil)
	if _, err := ExactBiasVariance(ctx, process, fitLine, design, points); err == nil || !strings.HasPrefix(err.Error(), "eval: T has 65536 rows, want at most 32768, since 2ⁿ models with n = 13") {
		t.Errorf("ExactBiasVariance: %v", err)
	}
	if _, err := SmootherBiasVariance(ctx, process, fitLine, mat.NewDense(1<<13, 1, nil), points); err == nil || !strings.HasPrefix(err.Error(), "eval: T has 65536 rows, want at most 32768, since 8192 models") {
		t.Errorf("SmootherBiasVariance: %v", err)
	}
	if _, err := NewConfusion(many, many); err == nil || !strings.Contains(err.Error(), "16385 different labels") {
		t.Errorf("NewConfusion: %v", err)
	}
	testkit.Refusals{
		{second(LeaveOneOut(-1)), "eval: LeaveOneOut of n = -1 samples, want at least 2"},
		{second(LeaveOneOut(16385)), "eval: LeaveOneOut of n = 16385 samples, want at most 16384…"},
		{second(KFold{}.Folds(-1)), "eval: -1 samples, want at least 2 to divide"},
		{second(KFold{}.Stratified(nil)), "eval: 0 samples, want at least 2 to divide"},
	}.Check(t)
}

// Functions without an error result panic exactly as their doc comments say, with a
// message.
func TestDocumentedPanics(t *testing.T) {
	X, y := tenNumbers()
	for name, f := range map[string]func(){
		"eval: Pick: X is empty":          func() { Pick[int](nil, nil, []int{0}) },
		"eval: Pick of 0 rows":            func() { Pick(X, y, nil) },
		"eval: Pick of 1 rows: X has 10":  func() { Pick(X, y[:9], []int{0}) },
		"eval: Pick: rows[1] = -1":        func() { Pick(X, y, []int{0, -1}) },
		"eval: Pick: rows[0] = 10":        func() { Pick(X, y, []int{10}) },
		"eval: AUC: len(FPR) = 2":         func() { ROC{FPR: []float64{0, 1}}.AUC() },
		"eval: CoverCount of n = 65537":   func() { CoverCount(1<<16+1, 1<<16+1) },
		"eval: CoverCount of n = 1152921": func() { CoverCount(1<<60, 1<<60) },
	} {
		testkit.Panics(t, "a documented panic", f, name)
	}
	var zero Confusion
	if zero.Accuracy() != 0 || zero.Macro() != (Rates{}) || zero.Micro() != (Rates{}) || zero.Of(1) != (Rates{}) || zero.Total() != 0 || zero.String() == "" {
		t.Errorf("the confusion of nothing has the rates %v, %v", zero.Macro(), zero.Micro())
	}
	if (ROC{}).AUC() != 0 {
		t.Error("the curve of nothing has an area")
	}
	var v Validation
	if !math.IsNaN(v.MeanTest()) || !math.IsNaN(v.MeanTrain()) || !math.IsNaN(v.StdTest()) || !v.Converged() {
		t.Errorf("the validation of nothing: %v, %v, %v", v.MeanTest(), v.MeanTrain(), v.StdTest())
	}
	if got := Shuffled(nil, 1); len(got) != 0 {
		t.Errorf("Shuffled(nil) = %v", got)
	}
	// 2(1 + n-1 + (n-1)(n-2)/2), and 0 outside.
	n := 1 << 30
	if got := CoverCount(n, 2); got.Int64() != 2*int64(1+n-1+(n-1)*(n-2)/2) {
		t.Errorf("CoverCount(2³⁰, 2) = %v", got)
	}
	if !slices.Equal([]int{CoverCount(-1, 2).Sign(), CoverCount(2, -1).Sign(), CoverCount(0, 0).Sign()}, []int{0, 0, 0}) {
		t.Error("CoverCount is not 0 where n < 1 or d < 0")
	}
}
