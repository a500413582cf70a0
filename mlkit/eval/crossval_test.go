package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestFoldsInOrder(t *testing.T) {
	folds := testkit.Try(KFold{K: 3}.Folds(7)).Or(t)
	// Parts are ranges of rows; part i begins at the first row ≥ 7i/3.
	want := [][]int{{0, 1, 2}, {3, 4}, {5, 6}}
	for j, f := range folds {
		if !slices.Equal(f.Test, want[j]) {
			t.Errorf("fold %d tests on %v, want %v", j, f.Test, want[j])
		}
	}
	one, err := LeaveOneOut(4)
	if err != nil || len(one) != 4 || !slices.Equal(one[2].Test, []int{2}) || !slices.Equal(one[2].Train, []int{0, 1, 3}) {
		t.Errorf("LeaveOneOut(4) = %v, %v", one, err)
	}
	a, _ := KFold{Shuffle: true, Seed: 1}.Folds(50)
	b, _ := KFold{Shuffle: true, Seed: 1}.Folds(50)
	c, _ := KFold{Shuffle: true, Seed: 2}.Folds(50)
	if !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, c) {
		t.Error("folds do not follow from the seed")
	}
}

func TestHoldout(t *testing.T) {
	f, err := Holdout{TestFraction: 0.3, Seed: 5}.Fold(10)
	if err != nil || len(f.Test) != 3 || len(f.Train) != 7 {
		t.Errorf("%v, %v; want 3 of 10 to test", f, err)
	}
	y := []int{1, 1, 1, 1, 1, 1, 1, 1, 2, 2}
	f, err = Holdout{}.Stratified(y)
	if err != nil || len(f.Test) != 3 || len(f.Train) != 7 {
		t.Fatalf("%v, %v; want 2 of 8 and 1 of 2", f, err)
	}
	if last := f.Test[2]; last < 8 || f.Test[1] >= 8 {
		t.Errorf("tests on %v, want one row from 8 on", f.Test)
	}
	if f, err := (Holdout{TestFraction: 0.01}).Fold(2); err != nil || len(f.Test) != 1 {
		t.Errorf("%v, %v; want one on each side", f, err)
	}
}

func TestPick(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	A, a := Pick(X, []int{7, 8, 9}, []int{2, 0, 2})
	if !mat.Equal(A, mat.NewDense(3, 2, []float64{5, 6, 1, 2, 5, 6})) || !slices.Equal(a, []int{9, 7, 9}) {
		t.Errorf("Pick = %v, %v", mat.Formatted(A), a)
	}
}

// tenNumbers returns the numbers 0 to 9, labelled +1 from 5 on.
func tenNumbers() (*mat.Dense, []int) {
	X, y := mat.NewDense(10, 1, nil), make([]int, 10)
	for i := range 10 {
		X.Set(i, 0, float64(i))
		y[i] = 2*b2i(i >= 5) - 1
	}
	return X, y
}

func TestCrossValidate(t *testing.T) {
	X, y := tenNumbers()
	folds := testkit.Try(LeaveOneOut(10)).Or(t)
	v := testkit.Try(CrossValidate(mlkit.Options{}, Plan{Folds: folds}, mlkit.FitFunc(fitThreshold), Accuracy, X, y)).Or(t)
	// Without row 5 the threshold is 6, so 5 is wrong; the others are right.
	near(t, "MeanTest", v.MeanTest(), 0.9, 1e-15)
	near(t, "MeanTrain", v.MeanTrain(), 1, 0)
	near(t, "StdTest", v.StdTest(), math.Sqrt(0.1), 1e-15) // of nine ones and a zero
	if v.Test[5] != 0 || !v.Converged() {
		t.Errorf("Test = %v, Unfinished = %v", v.Test, v.Unfinished)
	}

	// With row 9 labelled -1, a fit that trains on it has one error and reports that it
	// has not converged.
	y[9] = -1
	v = testkit.Try(CrossValidate(mlkit.Options{}, Plan{Folds: folds}, mlkit.FitFunc(fitThreshold), Accuracy, X, y)).Or(t)
	if v.Converged() || v.Unfinished[9] != nil || v.Unfinished[0] == nil || v.Unfinished[0].Residual != 1 {
		t.Errorf("Unfinished = %v, want all but the last", v.Unfinished)
	}
	near(t, "MeanTest", v.MeanTest(), 0.8, 1e-15)
	near(t, "Train[0]", v.Train[0], 8.0/9, 1e-15)
}

func TestGridSearch(t *testing.T) {
	X, y := tenNumbers()
	folds := testkit.Try(KFold{}.Stratified(y)).Or(t)
	fixed := func(at float64, _ *mat.Dense, _ []int) (threshold, error) { return threshold(at), nil }
	params := []float64{2, 4.5, 4.7, 9}
	var first Grid[float64]
	for workers := range 6 {
		g, err := GridSearch(mlkit.Options{}, Plan{Folds: folds, Workers: workers}, params, fixed, Accuracy, X, y)
		if err != nil {
			t.Fatal(err)
		}
		if workers == 0 {
			first = g
		}
		if !reflect.DeepEqual(g, first) {
			t.Errorf("with %d workers: %v, want %v", workers, g, first)
		}
	}
	// The threshold 2 misclassifies 2, 3 and 4; the threshold 9 misclassifies 5 to 8.
	for i, want := range []float64{0.7, 1, 1, 0.6} {
		near(t, fmt.Sprint("MeanTest of ", params[i]), first.Points[i].MeanTest(), want, 1e-15)
	}
	if first.Best != 1 || first.Points[1].Param != 4.5 {
		t.Errorf("Best = %d, want the first of the two equals, 1", first.Best)
	}
	// NaN never wins, wherever it is.
	measure := func(m threshold, _ *mat.Dense, _ []int) (float64, error) {
		if m < 4.6 {
			return math.NaN(), nil
		}
		return -float64(m), nil
	}
	g, err := GridSearch(mlkit.Options{}, Plan{Folds: folds}, params, fixed, measure, X, y)
	if err != nil || g.Best != 2 {
		t.Errorf("Best = %d, %v; want 2", g.Best, err)
	}
}

// The error is that of the first failing point and fold, for any number of workers.
// quiet is fitThreshold, and an error if it is asked to report.
type quiet struct{}

func (quiet) FitWith(o mlkit.Options, X *mat.Dense, y []int) (threshold, error) {
	if o.Report != nil {
		return 0, errors.New("fake: asked to report")
	}
	return fitThreshold(X, y)
}

// Fits that are done are reported, and do not report themselves.
func TestReport(t *testing.T) {
	X, y := tenNumbers()
	p := Plan{Folds: testkit.Try(KFold{K: 5, Shuffle: true}.Stratified(y)).Or(t), Workers: 3}
	for name, err := range map[string]error{
		"CrossValidate": mlkittest.TestReport(func(o mlkit.Options) (Validation, error) {
			return CrossValidate(o, p, quiet{}, Accuracy, X, y)
		}),
		"LearningCurve": mlkittest.TestReport(func(o mlkit.Options) ([]LearningPoint, error) {
			return LearningCurve(o, p, []int{2, 4}, quiet{}, Accuracy, X, y)
		}),
		"GridSearch": mlkittest.TestReport(func(o mlkit.Options) (Grid[int], error) {
			return GridSearch(o, p, []int{1, 2}, func(_ int, X *mat.Dense, y []int) (threshold, error) { return fitThreshold(X, y) }, Accuracy, X, y)
		}),
		"Search": mlkittest.TestReport(func(o mlkit.Options) (SearchResult[quiet, threshold], error) {
			return Search(o, p, quiet{}, nil, Accuracy, X, y)
		}),
		"CrossScores": mlkittest.TestReport(func(o mlkit.Options) ([]float64, error) {
			return CrossScores(o, p, mlkit.FitFunc(fitLine), X, mat.Col(nil, 0, X))
		}),
	} {
		testkit.NoError(t, name, err)
	}
}

func TestGridSearchErrors(t *testing.T) {
	X, y := tenNumbers()
	folds, _ := LeaveOneOut(10)
	failing := func(p int, X *mat.Dense, y []int) (threshold, error) {
		if p > 0 && X.At(3, 0) != 3 { // the folds 0 to 3
			return 0, fmt.Errorf("fake: p = %d, want 0", p)
		}
		return fitThreshold(X, y)
	}
	for workers := range 5 {
		_, err := GridSearch(mlkit.Options{}, Plan{Folds: folds, Workers: workers}, []int{0, 0, 1, 2}, failing, Accuracy, X, y)
		if want := "eval: params[2], fold 0: fake: p = 1, want 0"; err == nil || err.Error() != want {
			t.Errorf("%d workers: err = %v, want %s", workers, err, want)
		}
	}
	broken := func(threshold, *mat.Dense, []int) (float64, error) { return 0, errors.New("fake: broken") }
	_, err := CrossValidate(mlkit.Options{}, Plan{Folds: folds}, mlkit.FitFunc(fitThreshold), broken, X, y)
	if want := "eval: fold 0: on the training rows: fake: broken"; err == nil || err.Error() != want {
		t.Errorf("err = %v, want %s", err, want)
	}
	brokenOnOne := func(m threshold, X *mat.Dense, y []int) (float64, error) {
		if len(y) == 1 {
			return 0, errors.New("fake: broken")
		}
		return Accuracy(m, X, y)
	}
	_, err = CrossValidate(mlkit.Options{}, Plan{Folds: folds}, mlkit.FitFunc(fitThreshold), brokenOnOne, X, y)
	if want := "eval: fold 0: on the test rows: fake: broken"; err == nil || err.Error() != want {
		t.Errorf("err = %v, want %s", err, want)
	}
}

func TestCrossValidateContext(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	X, y := tenNumbers()
	folds, _ := LeaveOneOut(10)
	ctx, cancel := context.WithCancel(context.Background())
	fits := 0
	fit := func(X *mat.Dense, y []int) (threshold, error) {
		if fits++; fits == 3 {
			cancel()
			return 0, &mlkit.NotConvergedError{Algorithm: "fake: threshold", Reason: "the context ended", Err: ctx.Err()}
		}
		return fitThreshold(X, y)
	}
	_, err := CrossValidate(mlkit.Options{Context: ctx}, Plan{Folds: folds, Workers: 1}, mlkit.FitFunc(fit), Accuracy, X, y)
	if !errors.Is(err, context.Canceled) || fits != 3 {
		t.Errorf("err = %v after %d fits, want context canceled after 3", err, fits)
	}
	_, err = LearningCurve(mlkit.Options{Context: ctx}, Plan{Folds: folds}, []int{5}, mlkit.FitFunc(fitThreshold), Accuracy, X, y)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context canceled", err)
	}
}

// A fit ended by its own context is an error too, and no fit begins after an error.
func TestCrossValidateStops(t *testing.T) {
	X, y := tenNumbers()
	folds, _ := LeaveOneOut(10)
	fits := 0
	fit := func(X *mat.Dense, y []int) (threshold, error) {
		fits++
		return 0, &mlkit.NotConvergedError{Algorithm: "fake: threshold", Reason: "its time was up", Err: context.DeadlineExceeded}
	}
	_, err := CrossValidate(mlkit.Options{}, Plan{Folds: folds, Workers: 1}, mlkit.FitFunc(fit), Accuracy, X, y)
	if !errors.Is(err, context.DeadlineExceeded) || fits != 1 {
		t.Errorf("err = %v after %d fits, want the deadline's after 1", err, fits)
	}
}

func TestLearningCurve(t *testing.T) {
	X, y := tenNumbers()
	// The training rows descend from 9: the threshold falls with the size until it is 5.
	plan := Plan{Folds: []Fold{{Train: []int{9, 8, 7, 6, 5, 4, 3}, Test: []int{0, 5, 6, 7}}}}
	points, err := LearningCurve(mlkit.Options{}, plan, []int{1, 3, 4, 7}, mlkit.FitFunc(fitThreshold), Accuracy, X, y)
	if err != nil {
		t.Fatal(err)
	}
	// The thresholds are 9, 7, 6 and 5. Row 0 is always right.
	for i, want := range []float64{0.25, 0.5, 0.75, 1} {
		near(t, fmt.Sprint("MeanTest at ", points[i].Size), points[i].MeanTest(), want, 0)
		near(t, "MeanTrain", points[i].MeanTrain(), 1, 0)
	}
	for _, workers := range []int{1, 3} {
		plan.Workers = workers
		again, err := LearningCurve(mlkit.Options{}, plan, []int{1, 3, 4, 7}, mlkit.FitFunc(fitThreshold), Accuracy, X, y)
		if err != nil || !reflect.DeepEqual(again, points) {
			t.Errorf("%d workers: %v, %v, want %v", workers, again, err, points)
		}
	}
	s := Shuffled(plan.Folds, 1)
	again := slices.Clone(s[0].Train)
	slices.Sort(again)
	if slices.Equal(s[0].Train, plan.Folds[0].Train) || !slices.Equal(again, []int{3, 4, 5, 6, 7, 8, 9}) || !slices.Equal(s[0].Test, plan.Folds[0].Test) {
		t.Errorf("Shuffled = %v", s)
	}
}

func TestPlansRefused(t *testing.T) {
	X, y := tenNumbers()
	good := Plan{Folds: []Fold{{Train: []int{0, 9}, Test: []int{1}}}}
	cv := func(p Plan, y []int) error {
		_, err := CrossValidate(mlkit.Options{}, p, mlkit.FitFunc(fitThreshold), Accuracy, X, y)
		return err
	}
	curve := func(p Plan, sizes ...int) error {
		_, err := LearningCurve(mlkit.Options{}, p, sizes, mlkit.FitFunc(fitThreshold), Accuracy, X, y)
		return err
	}
	fixed := func(at float64, _ *mat.Dense, _ []int) (threshold, error) { return threshold(at), nil }
	testkit.Refusals{
		{cv(good, y[:9]), "eval: len(y) = 9, want 10, one element for each row of X"},
		{cv(Plan{}, y), "eval: Plan.Folds is empty, want at least one fold"},
		{cv(Plan{Folds: []Fold{{Train: []int{1}}}}, y), "eval: Plan.Folds[0].Test is empty, want at least one row"},
		{cv(Plan{Folds: []Fold{{Train: []int{1, 10}, Test: []int{2}}}}, y), "eval: Plan.Folds[0].Train[1] = 10, want a row of X, from 0 to 9"},
		{cv(Plan{Folds: good.Folds, Workers: -1}, y), "eval: Workers = -1, want a positive number, or 0 for one a processor"},
		{second(GridSearch(mlkit.Options{}, good, nil, fixed, Accuracy, X, y)), "eval: params is empty, want at least one"},
		{curve(Plan{}, 1), "eval: Plan.Folds is empty, want at least one fold"},
		{curve(good), "eval: sizes is empty, want at least one"},
		{curve(good, 2, 3), "eval: sizes[1] = 3, want from 1 to 2, the training rows of fold 0"},
		{second(KFold{K: 1}.Folds(3)), "eval: KFold.K = 1, want at least 2, or 0 for 5"},
		{second(KFold{}.Folds(3)), "eval: KFold.K = 5, want at most the number of samples, 3"},
		{second(KFold{K: -1}.Stratified(y)), "eval: KFold.K = -1, want at least 2, or 0 for 5"},
		{second(KFold{K: 6}.Stratified(y)), "eval: y has 5 of label -1, want at least K = 6"},
		{second(Holdout{TestFraction: 1}.Fold(3)), "eval: Holdout.TestFraction = 1, want a fraction between 0 and 1, or 0 for 1/4"},
		{second(Holdout{}.Fold(1)), "eval: n = 1, want at least 2 samples to divide"},
		{second(Holdout{TestFraction: -1}.Stratified(y)), "eval: Holdout.TestFraction = -1, want a fraction between 0 and 1, or 0 for 1/4"},
		{second(Holdout{}.Stratified(nil)), "eval: y is empty, want at least two labels of each class"},
		{second(Holdout{}.Stratified([]int{4, 4, 5})), "eval: y[2] = 5 is the only one of its label, want at least 2"},
		{second(Misclassified(threshold(0), nil, nil)), "eval: X is nil, want an n×d matrix, one sample a row"},
		{second(Misclassified(threshold(0), X, y[1:])), "eval: len(y) = 9, want 10, one label for each row of X"},
		{second(Accuracy(threshold(0), X, nil)), "eval: len(y) = 0, want 10, one label for each row of X"},
		{second(MeanSquaredError(line{}, X, nil)), "eval: len(y) = 0, want 10, one target for each row of X"},
		{second(MeanSquaredError(line{}, mat.NewDense(1, 1, nil), []float64{math.NaN()})), "eval: y[0] = NaN, want a finite number"},
		{second(R2(line{}, mat.NewDense(2, 1, nil), []float64{3, 3})), "eval: y is 3 in all its 2 rows, want two values or more"},
		{second(R2(line{}, nil, nil)), "eval: X is nil…"},
	}.Check(t)
}
