package eval

import (
	"fmt"

	"marginalia/mlkit/internal/check"
)

// PrecisionRecall is the curve of precision and recall of the label +1 when samples with
// score ≥ t are predicted +1, for every threshold t that makes a difference.
// NewPrecisionRecall makes one. Unlike a ROC it shows how many of the samples that are
// found are wrong, which matters if few samples are +1 (Jesse Davis, Mark Goadrich, "The
// relationship between precision-recall and ROC curves", ICML 2006).
type PrecisionRecall struct {
	Thresholds []float64 // descending
	Precision  []float64 // fraction of the samples predicted +1 that are labelled +1
	Recall     []float64 // fraction of the samples labelled +1 that are predicted +1, ascending; the last is 1
}

// NewPrecisionRecall returns the curve of scores[i] for labels y[i], each -1 or +1; both
// must occur. Samples with equal scores cross the threshold together.
func NewPrecisionRecall(y []int, scores []float64) (PrecisionRecall, error) {
	if err := labelsAndNumbers(y, "scores", scores); err != nil {
		return PrecisionRecall{}, err
	}
	if err := check.BothSigns("eval", y); err != nil {
		return PrecisionRecall{}, err
	}
	var p PrecisionRecall
	positives := 0
	for _, label := range y {
		if label > 0 {
			positives++
		}
	}
	thresholds(y, scores, func(threshold float64, tp, fp int) {
		p.Thresholds = append(p.Thresholds, threshold)
		p.Precision = append(p.Precision, ratio(tp, tp+fp))
		p.Recall = append(p.Recall, ratio(tp, positives))
	})
	return p, nil
}

// Average returns the average precision Σ (Rₖ - Rₖ₋₁)Pₖ over the thresholds, with
// precisions Pₖ, recalls Rₖ and R₀ = 0 (Mu Zhu, "Recall, precision and average precision",
// 2004). A score that says nothing has the fraction of +1 in y. It panics if Precision and
// Recall have different lengths, and returns 0 for the zero PrecisionRecall.
func (p PrecisionRecall) Average() float64 {
	if len(p.Precision) != len(p.Recall) {
		panic(fmt.Sprintf("eval: Average: len(Precision) = %d and len(Recall) = %d, want as many", len(p.Precision), len(p.Recall)))
	}
	sum, before := 0.0, 0.0
	for k, recall := range p.Recall {
		sum += (recall - before) * p.Precision[k]
		before = recall
	}
	return sum
}
