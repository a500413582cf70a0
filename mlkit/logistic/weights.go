package logistic

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// weights are the factors of the samples in the likelihood; nil means 1 for all.
type weights []float64

// weight returns the weight of sample i.
func (v weights) weight(i int) float64 {
	if v == nil {
		return 1
	}
	return v[i]
}

// amounts returns the total and the least weight of n samples.
func (v weights) amounts(n int) (total, least float64) {
	if v == nil {
		return float64(n), 1
	}
	least = math.Inf(1)
	for _, w := range v {
		total += w
		least = min(least, w)
	}
	return total, least
}

// weighted returns the samples of positive weight, which is that of the row times that of
// its class, and their weights. It returns X and y themselves if there are no others.
func (l Regression) weighted(X *mat.Dense, y []int, of []float64) (*mat.Dense, []int, weights, error) {
	if of == nil && len(l.ClassWeights) == 0 && !l.Balanced {
		return X, y, nil, nil
	}
	v, err := l.multiply(y, of)
	if err != nil {
		return nil, nil, nil, err
	}
	present := rows.Present(v)
	X, y, v = rows.Select(X, present), rows.Pick(y, present), rows.Pick(v, present)
	if !slices.ContainsFunc(v, func(w float64) bool { return w != 1 }) {
		v = nil // the same bits as without weights
	}
	return X, y, v, nil
}

// multiply returns the weights of the rows times those of their classes.
func (l Regression) multiply(y []int, of []float64) ([]float64, error) {
	classWeights, err := check.LabelWeights("logistic", l.ClassWeights, l.Balanced, y, of)
	if err != nil {
		return nil, err
	}
	v := make([]float64, len(y))
	for i, label := range y {
		v[i] = 1
		if w, ok := classWeights[label]; ok {
			v[i] = w
		}
		if of != nil {
			v[i] *= of[i]
		}
	}
	for i, w := range v {
		// Their squares must not overflow.
		switch {
		case w >= 1e-100 && w <= 1e100 || of != nil && of[i] == 0:
		case of == nil:
			return nil, fmt.Errorf("logistic: ClassWeights[%d] = %v, want a number from 1e-100 to 1e100", y[i], w)
		default:
			return nil, fmt.Errorf("logistic: weights[%d]: the weight of the row times that of its class is %v, want 0 or a number from 1e-100 to 1e100", i, w)
		}
	}
	return v, nil
}
