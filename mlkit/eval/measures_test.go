package eval_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/eval"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/logistic"
)

// table is a model that has its answers from column 0 of X: scores, probabilities of +1,
// or labels.
type table struct{}

func (table) Score(x []float64) float64 { return x[0] }
func (table) Predict(x []float64) int   { return int(x[0]) }
func (table) Scores(dst []float64, X mat.Matrix) []float64 {
	n, _ := X.Dims()
	return mat.Col(rows.Destination("eval_test", "Scores", dst, n), 0, X)
}
func (m table) Probs(dst []float64, X mat.Matrix) []float64 { return m.Scores(dst, X) }
func (m table) Predictions(dst []int, X mat.Matrix) []int {
	for _, s := range m.Scores(nil, X) {
		dst = append(dst, int(s))
	}
	return dst
}

// classes is a model that has the probabilities of its classes from the columns of X.
type classes struct{ Classes []int }

func (classes) Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	if dst == nil {
		return mat.DenseCopyOf(X)
	}
	dst.Copy(X)
	return dst
}

func column(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

// The numbers are those of the examples in the documentation of scikit-learn 1.9:
// roc_auc_score, average_precision_score, balanced_accuracy_score, brier_score_loss (0.146
// with three digits) and log_loss.
func TestMeasures(t *testing.T) {
	var m table
	ranked, labels := column(0.1, 0.4, 0.35, 0.8), []int{-1, -1, 1, 1}
	guesses, six := column(-1, 1, -1, -1, -1, 1), []int{-1, 1, -1, -1, 1, -1}
	probable, four := column(0.1, 0.9, 0.8, 0.3), []int{-1, 1, 1, -1}
	eggs := classes{[]int{3, 7, 9}}
	breakfast := mat.NewDense(3, 3, []float64{0.8, 0.1, 0.1, 0.2, 0.7, 0.1, 0.2, 0.2, 0.6})
	spam := classes{[]int{0, 1}}
	letters := mat.NewDense(4, 2, []float64{0.1, 0.9, 0.9, 0.1, 0.8, 0.2, 0.35, 0.65})
	for name, c := range map[string]struct {
		measure func() (float64, error)
		want    float64
	}{
		"AUC":               {func() (float64, error) { return eval.AUC(m, ranked, labels) }, 0.75},
		"average precision": {func() (float64, error) { return eval.AveragePrecision(m, ranked, labels) }, 0.5 + 0.5*2/3}, // 0.83
		"balanced accuracy": {func() (float64, error) { return eval.BalancedAccuracy(m, guesses, six) }, 0.625},
		// By hand: one true and one false positive, one false negative; F1 of -1 is 2·3/(2·3+2).
		"F1":            {func() (float64, error) { return eval.F1(m, guesses, six) }, 0.5},
		"macro F1":      {func() (float64, error) { return eval.MacroF1(m, guesses, six) }, (0.5 + 0.75) / 2},
		"Brier":         {func() (float64, error) { return eval.NegBrier(m, probable, four) }, -0.0375},
		"log-loss":      {func() (float64, error) { return eval.NegLogLoss(m, column(0.9, 0.1, 0.2, 0.65), []int{1, -1, -1, 1}) }, -0.21616187468057912},
		"many Brier":    {func() (float64, error) { return eval.NegBrierMany(eggs, breakfast, []int{3, 7, 9}) }, -0.44 / 3},
		"many log-loss": {func() (float64, error) { return eval.NegLogLossMany(spam, letters, []int{1, 0, 0, 1}) }, -0.21616187468057912},
		"squares":       {func() (float64, error) { return eval.NegMeanSquaredError(m, ranked, []float64{0.1, 0.4, 0.35, 1.8}) }, -0.25},
	} {
		if got, err := c.measure(); err != nil || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}

// The best value is 0, which prints as 0 and not as -0.
func TestBestIsZero(t *testing.T) {
	v, err := eval.NegMeanSquaredError(table{}, column(1, 2), []float64{1, 2})
	if fmt.Sprint(v, err) != "0 <nil>" {
		t.Errorf("%v, %v", v, err)
	}
}

// A class that is predicted and does not occur has no recall, and does not count in
// balanced accuracy: scikit-learn leaves it out too.
func TestBalancedAccuracyOfClassesInY(t *testing.T) {
	if got, err := eval.BalancedAccuracy(table{}, column(5, 6, 7, 6), []int{5, 5, 6, 6}); got != 0.5 || err != nil {
		t.Errorf("%v, %v, want the mean of 1/2 and 1/2", got, err)
	}
}

func TestMeasuresRefuse(t *testing.T) {
	var m table
	X := column(1, 2)
	testkit.Refusals{
		{second(eval.AUC(m, X, []int{0, 1})), "eval: y[0] = 0…"},
		{second(eval.AUC(m, X, []int{1, 1})), "eval: y has…"},
		{second(eval.AveragePrecision(m, X, []int{-1, -1})), "eval: y has…"},
		{second(eval.F1(m, X, []int{1, 2})), "eval: y[1] = 2…"},
		{second(eval.BalancedAccuracy(m, X, []int{1})), "eval: len(y) = 1…"},
		{second(eval.NegBrier(m, X, []int{1, -1})), "eval: p[1] = 2, want a probability…"},
		{second(eval.NegLogLoss(m, nil, []int{1, -1})), "eval: X is nil…"},
		{second(eval.NegLogLossMany(classes{}, X, []int{1, -1})), "eval: eval_test.classes has no field Classes…"},
		{second(eval.NegLogLossMany(classes{[]int{0, 1, 2}}, X, []int{1, 0})), "eval: P[1][0] = 2, want a probability…"},
		{second(eval.NegBrierMany((*logistic.Model)(nil), X, []int{1, 0})), "eval: *logistic.Model has no field Classes…"},
	}.Check(t)
}

// By hand, with two samples at one threshold: the curve has a point for each of the three
// scores.
func TestPrecisionRecall(t *testing.T) {
	p := testkit.Try(eval.NewPrecisionRecall([]int{1, -1, 1, 1}, []float64{3, 2, 2, 1})).Or(t)
	for k, want := range [][3]float64{{3, 1, 1. / 3}, {2, 2. / 3, 2. / 3}, {1, 0.75, 1}} {
		if got := [3]float64{p.Thresholds[k], p.Precision[k], p.Recall[k]}; got != want {
			t.Errorf("point %d: %v, want %v", k, got, want)
		}
	}
	if want := (1 + 2./3 + 0.75) / 3; math.Abs(p.Average()-want) > 1e-15 || len(p.Recall) != 3 {
		t.Errorf("average %v of %d points, want %v of 3", p.Average(), len(p.Recall), want)
	}
	testkit.Panics(t, "a recall without precision", func() { eval.PrecisionRecall{Recall: []float64{1}}.Average() }, "eval: Average")
}

// A score that is the same for all samples says nothing: AUC is one half, and the average
// precision the fraction of +1. One that ranks all +1 first has 1 in both.
func TestRankingExtremes(t *testing.T) {
	y := []int{1, -1, -1, -1, 1, -1, -1}
	same, right := column(2, 2, 2, 2, 2, 2, 2), column(9, 0, 1, 2, 8, 3, 4)
	for _, c := range []struct {
		X       *mat.Dense
		auc, ap float64
	}{{same, 0.5, 2. / 7}, {right, 1, 1}} {
		auc, err := eval.AUC(table{}, c.X, y)
		ap, err2 := eval.AveragePrecision(table{}, c.X, y)
		if auc != c.auc || ap != c.ap || err != nil || err2 != nil {
			t.Errorf("AUC %v, average precision %v, want %v and %v", auc, ap, c.auc, c.ap)
		}
	}
}

func second[T any](_ T, err error) error { return err }
