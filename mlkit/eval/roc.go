package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"marginalia/mlkit/internal/check"
)

// ROC is the receiver operating characteristic of a score. It holds the rates of both
// classes when samples with score ≥ t are predicted +1, for every threshold t that makes a
// difference, from none predicted +1 to all. NewROC makes one.
type ROC struct {
	Thresholds []float64 // descending; the first is +Inf, above every score
	FPR        []float64 // false positive rate: fraction of the samples labelled -1 that is predicted +1
	TPR        []float64 // true positive rate: fraction of the samples labelled +1 that is predicted +1
}

// NewROC returns the curve of scores[i] for labels y[i], each -1 or +1; both must occur.
// Samples with equal scores cross the threshold together: the curve has a slanted piece
// there and does not depend on their order (Tom Fawcett, "An introduction to ROC
// analysis", Pattern Recognition Letters 27, 2006, section 5).
func NewROC(y []int, scores []float64) (ROC, error) {
	if err := labelsAndNumbers(y, "scores", scores); err != nil {
		return ROC{}, err
	}
	if err := check.BothSigns("eval", y); err != nil {
		return ROC{}, err
	}
	positives := 0
	for _, label := range y {
		if label > 0 {
			positives++
		}
	}
	r := ROC{Thresholds: []float64{math.Inf(1)}, FPR: []float64{0}, TPR: []float64{0}}
	thresholds(y, scores, func(threshold float64, tp, fp int) {
		r.Thresholds = append(r.Thresholds, threshold)
		r.FPR = append(r.FPR, ratio(fp, len(y)-positives))
		r.TPR = append(r.TPR, ratio(tp, positives))
	})
	return r, nil
}

// thresholds calls each for every distinct score, descending, with the numbers of samples
// labelled +1 and -1 that score as high or higher.
func thresholds(y []int, scores []float64, each func(threshold float64, tp, fp int)) {
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	tp, fp := 0, 0
	for k, i := range order {
		if y[i] > 0 {
			tp++
		} else {
			fp++
		}
		if k+1 == len(order) || scores[order[k+1]] != scores[i] {
			each(scores[i], tp, fp)
		}
	}
}

// AUC returns the area under the curve: the probability that a sample of +1 scores higher
// than one of -1, where ties count one half (James Hanley and Barbara McNeil, "The
// meaning and use of the area under a ROC curve", Radiology 143, 1982). It panics if FPR
// and TPR have different lengths, and returns 0 for the zero ROC.
func (r ROC) AUC() float64 {
	if len(r.FPR) != len(r.TPR) {
		panic(fmt.Sprintf("eval: AUC: len(FPR) = %d and len(TPR) = %d, want as many", len(r.FPR), len(r.TPR)))
	}
	area := 0.0
	for k := 1; k < len(r.FPR); k++ {
		area += (r.FPR[k] - r.FPR[k-1]) * (r.TPR[k] + r.TPR[k-1]) / 2
	}
	return area
}

// labelsAndNumbers checks that labels are -1 or +1 and that v has a number, not NaN, for
// each.
func labelsAndNumbers(y []int, name string, v []float64) error {
	if err := labelsOnly(y); err != nil {
		return err
	}
	if len(v) != len(y) {
		return fmt.Errorf("eval: len(%s) = %d, want %d, one for each label of y", name, len(v), len(y))
	}
	for i, x := range v {
		if math.IsNaN(x) {
			return fmt.Errorf("eval: %s[%d] = NaN, want a number", name, i)
		}
	}
	return nil
}

// labelsOnly checks that there are labels, each -1 or +1.
func labelsOnly(y []int) error {
	if len(y) == 0 {
		return fmt.Errorf("eval: y is empty, want at least one label")
	}
	return check.Signs("eval", len(y), y)
}
