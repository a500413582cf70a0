package eval

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// HingeLoss returns the mean of max(0, 1 - y[i]·scores[i]) for labels -1 and +1 (Yuille,
// section 15; EE-559, "the hinge loss"). It is an upper bound on the fraction of
// misclassified samples.
func HingeLoss(y []int, scores []float64) (float64, error) {
	return meanLoss(y, scores, func(m float64) float64 { return max(0, 1-m) })
}

// LogisticLoss returns the mean of log(1 + exp(-y[i]·scores[i])) for labels -1 and +1,
// which is LogLoss with the probabilities σ(scores[i]). It does not overflow for large
// scores.
func LogisticLoss(y []int, scores []float64) (float64, error) {
	return meanLoss(y, scores, func(m float64) float64 {
		return math.Log1p(math.Exp(-math.Abs(m))) + max(0, -m)
	})
}

func meanLoss(y []int, scores []float64, loss func(margin float64) float64) (float64, error) {
	if err := labelsAndNumbers(y, "scores", scores); err != nil {
		return 0, err
	}
	sum := 0.0
	for i, s := range scores {
		sum += loss(float64(y[i]) * s)
	}
	return sum / float64(len(y)), nil
}

// LogLoss returns the mean negative log probability of the labels, -1 or +1, where p[i]
// is the probability of +1. It is +Inf if a label has probability 0; scikit-learn clips
// the term to about 36.
func LogLoss(y []int, p []float64) (float64, error) {
	if err := probabilities(y, p); err != nil {
		return 0, err
	}
	sum := 0.0
	for i, v := range p {
		if y[i] > 0 {
			sum -= math.Log(v)
		} else {
			sum -= math.Log1p(-v)
		}
	}
	return sum / float64(len(y)), nil
}

// Brier returns the mean of (p[i] - tᵢ)², where p[i] is the probability of +1 and tᵢ is 1 for
// the label +1 and 0 for -1 (Glenn Brier, "Verification of forecasts expressed in terms of
// probability", 1950; half of his sum over both classes).
func Brier(y []int, p []float64) (float64, error) {
	if err := probabilities(y, p); err != nil {
		return 0, err
	}
	sum := 0.0
	for i, v := range p {
		if y[i] > 0 {
			v = 1 - v
		}
		sum += v * v
	}
	return sum / float64(len(y)), nil
}

// probabilities checks that labels are -1 or +1 and that p has a probability for each.
func probabilities(y []int, p []float64) error {
	if err := labelsAndNumbers(y, "p", p); err != nil {
		return err
	}
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("eval: p[%d] = %v, want a probability, from 0 to 1", i, v)
		}
	}
	return nil
}

// LogLossMany is LogLoss for many classes. Row i of P (n×M) holds the probabilities of the
// M classes for sample i, as a model's Posteriors returns them. classes must be ascending,
// as a model's Classes is.
func LogLossMany(y, classes []int, P *mat.Dense) (float64, error) {
	return meanOver(y, classes, P, func(p []float64, k int) float64 { return -math.Log(p[k]) })
}

// BrierMany returns the mean over the samples of Σₖ (pₖ - tₖ)², where tₖ is 1 for the class
// of the sample and 0 for the others (Brier, 1950). With two classes it is twice Brier.
// Its arguments are those of LogLossMany.
func BrierMany(y, classes []int, P *mat.Dense) (float64, error) {
	return meanOver(y, classes, P, func(p []float64, k int) float64 {
		sum := 0.0
		for j, v := range p {
			if j == k {
				v = 1 - v
			}
			sum += v * v
		}
		return sum
	})
}

// meanOver returns the mean over the samples of loss(p, k), where p are the probabilities
// of the classes and k is the sample's own.
func meanOver(y, classes []int, P *mat.Dense, loss func(p []float64, k int) float64) (float64, error) {
	if len(y) == 0 {
		return 0, fmt.Errorf("eval: y is empty, want at least one label")
	}
	for k := 1; k < len(classes); k++ {
		if classes[k] <= classes[k-1] {
			return 0, fmt.Errorf("eval: classes[%d] = %d after %d, want increasing order, none twice", k, classes[k], classes[k-1])
		}
	}
	if P == nil {
		return 0, fmt.Errorf("eval: P is nil, want %d×%d, a row for each label of y and a column for each class", len(y), len(classes))
	}
	if n, M := P.Dims(); n != len(y) || M != len(classes) {
		return 0, fmt.Errorf("eval: P is %d×%d, want %d×%d, a row for each label of y and a column for each class", n, M, len(y), len(classes))
	}
	sum := 0.0
	for i, label := range y {
		k, ok := slices.BinarySearch(classes, label)
		if !ok {
			return 0, fmt.Errorf("eval: y[%d] = %d, want one of the classes %v", i, label, classes)
		}
		p, total := P.RawRowView(i), 0.0
		for j, v := range p {
			if !(v >= 0 && v <= 1) {
				return 0, fmt.Errorf("eval: P[%d][%d] = %v, want a probability, from 0 to 1", i, j, v)
			}
			total += v
		}
		if math.Abs(total-1) > 1e-9 {
			return 0, fmt.Errorf("eval: P[%d] sums to %v, want 1", i, total)
		}
		sum += loss(p, k)
	}
	return sum / float64(len(y)), nil
}
