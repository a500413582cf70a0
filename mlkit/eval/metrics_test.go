package eval

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/testkit"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// The example of scikit-learn's confusion_matrix.
func TestConfusion(t *testing.T) {
	c := testkit.Try(NewConfusion([]int{2, 0, 2, 2, 0, 1}, []int{0, 0, 2, 2, 0, 2})).Or(t)
	want := [][]int{{2, 0, 0}, {0, 0, 1}, {1, 0, 2}}
	for i := range want {
		if !slices.Equal(c.Counts[i], want[i]) {
			t.Errorf("Counts[%d] = %v, want %v", i, c.Counts[i], want[i])
		}
	}
	if c.Total() != 6 {
		t.Errorf("Total = %d, want 6", c.Total())
	}
	near(t, "Accuracy", c.Accuracy(), 4.0/6, 1e-15)
	// By hand: two of the three samples predicted as 2 have the label 2, and two of the
	// three samples labelled 2 are predicted as 2.
	if got, want := c.Of(2), (Rates{2.0 / 3, 2.0 / 3, 2.0 / 3, 3}); got != want {
		t.Errorf("Of(2) = %v, want %v", got, want)
	}
	if got, want := c.Of(1), (Rates{0, 0, 0, 1}); got != want {
		t.Errorf("Of(1) = %v, want %v: it was never predicted", got, want)
	}
	if got := c.Of(7); got != (Rates{}) {
		t.Errorf("Of(7) = %v, want nothing", got)
	}
}

// The examples of scikit-learn's precision_score, recall_score and f1_score.
func TestAverages(t *testing.T) {
	c := testkit.Try(NewConfusion([]int{0, 1, 2, 0, 1, 2}, []int{0, 2, 1, 0, 0, 1})).Or(t)
	macro, micro := c.Macro(), c.Micro()
	near(t, "macro precision", macro.Precision, 2.0/9, 1e-15) // 0.22…
	near(t, "macro recall", macro.Recall, 1.0/3, 1e-15)       // 0.33…
	near(t, "macro F1", macro.F1, 0.8/3, 1e-15)               // 0.26…
	near(t, "micro precision", micro.Precision, 1.0/3, 1e-15) // 0.33…
	near(t, "micro recall", micro.Recall, 1.0/3, 1e-15)
	near(t, "micro F1", micro.F1, 1.0/3, 1e-15)
	if macro.Support != 6 || micro.Support != 6 {
		t.Errorf("Support = %d and %d, want 6", macro.Support, micro.Support)
	}
}

// The example of scikit-learn's roc_curve, with its labels 1 and 2 as -1 and +1.
func TestROC(t *testing.T) {
	r := testkit.Try(NewROC([]int{-1, -1, 1, 1}, []float64{0.1, 0.4, 0.35, 0.8})).Or(t)
	for name, c := range map[string]struct{ got, want []float64 }{
		"FPR":        {r.FPR, []float64{0, 0, 0.5, 0.5, 1}},
		"TPR":        {r.TPR, []float64{0, 0.5, 0.5, 1, 1}},
		"Thresholds": {r.Thresholds, []float64{math.Inf(1), 0.8, 0.4, 0.35, 0.1}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s = %v, want %v", name, c.got, c.want)
		}
	}
	near(t, "AUC", r.AUC(), 0.75, 0)
}

func TestLosses(t *testing.T) {
	value := func(v float64, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	// The example of scikit-learn's hinge_loss: 0.30…, which is 0.91/3.
	near(t, "HingeLoss", value(HingeLoss([]int{-1, 1, 1}, []float64{-2.18, 2.36, 0.09})), 0.91/3, 1e-15)
	// The example of its log_loss, 0.21616…, with ham as -1 and spam as +1.
	near(t, "LogLoss", value(LogLoss([]int{1, -1, -1, 1}, []float64{0.9, 0.1, 0.2, 0.65})), 0.21616, 5e-6)
	many := value(LogLossMany([]int{5, 3, 3, 5}, []int{3, 5}, mat.NewDense(4, 2, []float64{.1, .9, .9, .1, .8, .2, .35, .65})))
	near(t, "LogLossMany", many, 0.21616, 5e-6)
	// log 2 for a score of 0. There is no overflow: -1000 on the wrong side costs 1000.
	near(t, "LogisticLoss", value(LogisticLoss([]int{1, -1}, []float64{0, 0})), math.Ln2, 1e-15)
	near(t, "LogisticLoss", value(LogisticLoss([]int{1, 1}, []float64{-1000, 1000})), 500, 0)
	if got := value(LogLoss([]int{1}, []float64{0})); !math.IsInf(got, 1) {
		t.Errorf("LogLoss of an impossible event = %v, want +Inf", got)
	}
	// The logistic loss is the log loss of the probabilities.
	scores := []float64{-3, 0.5, 2, 1e-3}
	p := make([]float64, len(scores))
	for i, s := range scores {
		p[i] = 1 / (1 + math.Exp(-s))
	}
	y := []int{-1, 1, -1, 1}
	near(t, "LogisticLoss", value(LogisticLoss(y, scores)), value(LogLoss(y, p)), 1e-12)
}

func TestMetricsRefused(t *testing.T) {
	nan := math.NaN()
	testkit.Refusals{
		{second(NewConfusion(nil, nil)), "eval: y is empty, want at least one label"},
		{second(NewConfusion([]int{1}, nil)), "eval: len(predicted) = 0, want 1, one for each label of y"},
		{second(NewROC([]int{1, 1}, []float64{1, 2})), "eval: y has only the label +1 in its 2 rows, want both -1 and +1"},
		{second(NewROC([]int{1, 0}, []float64{1, 2})), "eval: y[1] = 0, want -1 or +1; mlkit.Signs converts the labels 0 and 1"},
		{second(NewROC([]int{1, -1}, []float64{1, nan})), "eval: scores[1] = NaN, want a number"},
		{second(HingeLoss(nil, nil)), "eval: y is empty, want at least one label"},
		{second(HingeLoss([]int{1}, []float64{1, 2})), "eval: len(scores) = 2, want 1, one for each label of y"},
		{second(LogLoss([]int{1}, []float64{1.5})), "eval: p[0] = 1.5, want a probability, from 0 to 1"},
		{second(LogLoss([]int{1}, []float64{nan})), "eval: p[0] = NaN, want a number"},
		{second(LogLossMany(nil, nil, nil)), "eval: y is empty, want at least one label"},
		{second(LogLossMany([]int{1}, []int{2, 1}, nil)), "eval: classes[1] = 1 after 2, want increasing order, none twice"},
		{second(LogLossMany([]int{1}, []int{0, 1, 1}, nil)), "eval: classes[2] = 1 after 1, want increasing order, none twice"},
		{second(LogLossMany([]int{1}, []int{1, 2}, nil)), "eval: P is nil, want 1×2, a row for each label of y and a column for each class"},
		{second(LogLossMany([]int{1}, []int{1, 2}, new(mat.Dense))), "eval: P is 0×0, want 1×2, a row for each label of y and a column for each class"},
		{second(LogLossMany([]int{3}, []int{1, 2}, mat.NewDense(1, 2, []float64{1, 0}))), "eval: y[0] = 3, want one of the classes [1 2]"},
		{second(LogLossMany([]int{1}, []int{1, 2}, mat.NewDense(1, 1, []float64{1}))), "eval: P is 1×1, want 1×2, a row for each label of y and a column for each class"},
		{second(LogLossMany([]int{1}, []int{1, 2}, mat.NewDense(1, 2, []float64{-1, 2}))), "eval: P[0][0] = -1, want a probability, from 0 to 1"},
		{second(LogLossMany([]int{1}, []int{1, 2}, mat.NewDense(1, 2, []float64{0.5, 0.4}))), "eval: P[0] sums to 0.9, want 1"},
	}.Check(t)
}
