package eval

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit/internal/testkit"
)

// drawLabels draws n labels of at most four classes.
func drawLabels(t *rapid.T, n int) []int {
	return rapid.SliceOfN(rapid.SampledFrom([]int{-1 << 40, -1, 1, 7}), n, n).Draw(t, "y")
}

// drawSigns draws n labels -1 and +1; both occur.
func drawSigns(t *rapid.T, n int) []int {
	y := rapid.SliceOfN(rapid.SampledFrom([]int{-1, 1}), n, n).Draw(t, "y")
	y[0], y[1] = -1, 1
	return y
}

// The test rows of the folds partition the rows, the training rows are their complements,
// and both ascend. With Stratified, the counts of a class differ between parts by at most
// 1.
func TestFoldsProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		y := drawLabels(t, rapid.IntRange(2, 60).Draw(t, "n"))
		f := KFold{K: rapid.IntRange(2, len(y)).Draw(t, "k"), Shuffle: rapid.Bool().Draw(t, "shuffle"), Seed: rapid.Uint64().Draw(t, "seed")}
		counts := map[int]int{}
		least := len(y)
		for _, label := range y {
			counts[label]++
		}
		for _, c := range counts {
			least = min(least, c)
		}
		folds := testkit.Try(f.Folds(len(y))).Or(t)
		all := [][]Fold{folds}
		stratified, err := f.Stratified(y)
		if (err == nil) != (least >= f.K) {
			t.Fatalf("the least class has %d samples for %d parts: error %v", least, f.K, err)
		}
		if err == nil {
			all = append(all, stratified)
		}
		for _, folds := range all {
			if len(folds) != f.K {
				t.Fatalf("%d folds, want %d", len(folds), f.K)
			}
			var tested []int
			for _, fold := range folds {
				if !slices.IsSorted(fold.Train) || !slices.IsSorted(fold.Test) {
					t.Fatalf("the rows don't ascend: %v", fold)
				}
				both := slices.Sorted(slices.Values(slices.Concat(fold.Train, fold.Test)))
				if !slices.Equal(both, order(len(y), false, 0)) {
					t.Fatalf("rows %v", both)
				}
				tested = append(tested, fold.Test...)
				if size := len(fold.Test); size != len(y)/f.K && size != (len(y)+f.K-1)/f.K {
					t.Fatalf("%d test rows of %d in %d folds", size, len(y), f.K)
				}
			}
			if slices.Sort(tested); !slices.Equal(tested, order(len(y), false, 0)) {
				t.Fatalf("tested rows %v", tested)
			}
		}
		for _, fold := range stratified {
			got := map[int]int{}
			for _, row := range fold.Test {
				got[y[row]]++
			}
			for label, c := range counts {
				if got[label] != c/f.K && got[label] != (c+f.K-1)/f.K {
					t.Fatalf("label %d: %d of %d in a part of %d", label, got[label], c, f.K)
				}
			}
		}
	})
}

// A stratified holdout tests on the given fraction of each class, rounded, with at least
// one sample on each side.
func TestHoldoutProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		y := drawLabels(t, rapid.IntRange(2, 40).Draw(t, "n"))
		y = append(y, y...) // two of each
		h := Holdout{TestFraction: rapid.Float64Range(0.01, 0.99).Draw(t, "fraction"), Seed: rapid.Uint64().Draw(t, "seed")}
		f := testkit.Try(h.Stratified(y)).Or(t)
		both := slices.Sorted(slices.Values(slices.Concat(f.Train, f.Test)))
		if !slices.Equal(both, order(len(y), false, 0)) {
			t.Fatalf("rows %v", both)
		}
		counts, tested := map[int]float64{}, map[int]float64{}
		for _, label := range y {
			counts[label]++
		}
		for _, row := range f.Test {
			tested[y[row]]++
		}
		for label, c := range counts {
			got := tested[label]
			if got < 1 || got > c-1 || math.Abs(got-h.TestFraction*c) > 0.5+1e-9 && got != 1 && got != c-1 {
				t.Fatalf("label %d: %v of %v are tested, want the fraction %v", label, got, c, h.TestFraction)
			}
		}
	})
}

// The area under the curve is the Mann-Whitney statistic: the fraction of pairs of a
// sample labelled +1 and one labelled -1 in which the first scores higher, where ties
// count one half. Increasing functions of the score do not change it. With negated scores
// or swapped labels it is 1 - AUC.
func TestAUCProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		y := drawSigns(t, n)
		scores := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-2, 2), rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) })), n, n).Draw(t, "scores")
		auc := func(y []int, s []float64) float64 {
			r := testkit.Try(NewROC(y, s)).Or(t)
			if !slices.IsSorted(r.FPR) || !slices.IsSorted(r.TPR) || r.FPR[len(r.FPR)-1] != 1 || r.TPR[len(r.TPR)-1] != 1 {
				t.Fatalf("not a curve from (0, 0) to (1, 1): %v", r)
			}
			return r.AUC()
		}
		wins, pairs := 0.0, 0.0
		for i := range y {
			for j := range y {
				if y[i] > 0 && y[j] < 0 {
					pairs++
					wins += float64(cmp.Compare(scores[i], scores[j])+1) / 2
				}
			}
		}
		got := auc(y, scores)
		if math.Abs(got-wins/pairs) > 1e-12 {
			t.Fatalf("AUC = %v, and %v of the pairs are in order", got, wins/pairs)
		}
		rising, negative, exchanged := make([]float64, n), make([]float64, n), make([]int, n)
		for i, s := range scores {
			// Keep ties, and keep different scores different.
			rising[i] = math.Ldexp(s, 3)
			if s > 0 {
				rising[i] = math.Ldexp(s, 9)
			}
			negative[i], exchanged[i] = -s, -y[i]
		}
		if r := auc(y, rising); r != got {
			t.Fatalf("AUC = %v, and %v of a rising function of the scores", got, r)
		}
		if r := auc(y, negative); math.Abs(r-(1-got)) > 1e-12 {
			t.Fatalf("AUC = %v, and %v of the negative scores", got, r)
		}
		if r := auc(exchanged, scores); math.Abs(r-(1-got)) > 1e-12 {
			t.Fatalf("AUC = %v, and %v for exchanged labels", got, r)
		}
	})
}

// Each point of the curve has the rates of its threshold.
func TestROCProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "n")
		y, scores := drawSigns(t, n), rapid.SliceOfN(rapid.Float64Range(-1, 1), n, n).Draw(t, "scores")
		r := testkit.Try(NewROC(y, scores)).Or(t)
		for k, at := range r.Thresholds {
			predicted := make([]int, n)
			for i, s := range scores {
				predicted[i] = -1
				if s >= at {
					predicted[i] = 1
				}
			}
			c := testkit.Try(NewConfusion(y, predicted)).Or(t)
			if tpr, tnr := c.Of(+1).Recall, c.Of(-1).Recall; tpr != r.TPR[k] || math.Abs(1-tnr-r.FPR[k]) > 1e-12 {
				t.Fatalf("at %v: (%v, %v), want (%v, %v)", at, r.FPR[k], r.TPR[k], 1-tnr, tpr)
			}
		}
	})
}

// The entries of a confusion matrix agree with counting. The losses are nonnegative. The
// hinge loss and the logistic loss in bits bound the error rate from above. The log loss
// of probabilities is the logistic loss of their log-odds.
func TestMeasuresProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "n")
		y, scores := drawSigns(t, n), rapid.SliceOfN(rapid.Float64Range(-20, 20), n, n).Draw(t, "scores")
		predicted, p := make([]int, n), make([]float64, n)
		P := mat.NewDense(n, 2, nil)
		wrong, tp, fp, fn := 0, 0, 0, 0
		for i, s := range scores {
			predicted[i] = -1
			if s >= 0 {
				predicted[i] = 1
			}
			p[i] = 1 / (1 + math.Exp(-s))
			P.SetRow(i, []float64{1 - p[i], p[i]})
			switch {
			case predicted[i] == 1 && y[i] == 1:
				tp++
			case predicted[i] == 1:
				fp++
				wrong++
			case y[i] == 1:
				fn++
				wrong++
			}
		}
		c := testkit.Try(NewConfusion(y, predicted)).Or(t)
		errors := float64(wrong) / float64(n)
		if c.Total() != n || math.Abs(c.Accuracy()-(1-errors)) > 1e-12 || math.Abs(c.Micro().F1-c.Accuracy()) > 1e-12 {
			t.Fatalf("accuracy %v of %d, micro F1 %v, want %v of %d", c.Accuracy(), c.Total(), c.Micro().F1, 1-errors, n)
		}
		if r := c.Of(1); r != newRates(tp, fp, fn) || r.F1 > 0 && math.Abs(r.F1-2*r.Precision*r.Recall/(r.Precision+r.Recall)) > 1e-12 {
			t.Fatalf("%+v, want %d true and %d false positives, %d false negatives", r, tp, fp, fn)
		}
		loss := func(v float64, err error) float64 {
			if err != nil {
				t.Fatal(err)
			}
			if !(v >= 0) {
				t.Fatalf("a loss of %v", v)
			}
			return v
		}
		hinge, logistic := loss(HingeLoss(y, scores)), loss(LogisticLoss(y, scores))
		ofP, many := loss(LogLoss(y, p)), loss(LogLossMany(y, []int{-1, 1}, P))
		if hinge < errors-1e-12 || logistic/math.Ln2 < errors-1e-12 {
			t.Fatalf("hinge loss %v, logistic loss %v bits, errors %v", hinge, logistic/math.Ln2, errors)
		}
		// 1 - p loses digits where p is near 1: a relative error of e²⁰·2⁻⁵³.
		if math.Abs(ofP-logistic) > 1e-6 || math.Abs(many-ofP) > 1e-6 {
			t.Fatalf("log loss %v, of many classes %v, logistic loss %v", ofP, many, logistic)
		}
	})
}
