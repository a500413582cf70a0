package svm

import (
	"cmp"
	"fmt"
	"math"

	"marginalia/mlkit/internal/check"
)

// bounds returns the upper bound of each multiplier: C times the weights of the sample
// and of its class, 0 only if the weight of the sample is 0. C = 0 means 1. C = +Inf is the
// bound of all samples that have a weight.
func bounds(C float64, classWeights map[int]float64, balanced bool, y []int, weights []float64) ([]float64, error) {
	C = cmp.Or(C, 1)
	classWeights, err := check.LabelWeights("svm", classWeights, balanced, y, weights)
	if err != nil {
		return nil, err
	}
	b := make([]float64, len(y))
	for i, label := range y {
		factor := 1.0
		if v, ok := classWeights[label]; ok {
			factor = v
		}
		if weights != nil {
			factor *= weights[i]
		}
		switch b[i] = C * factor; {
		case weights != nil && weights[i] == 0:
			b[i] = 0
		case math.IsInf(C, 1):
			b[i] = C // the product of the weights may underflow
		case b[i] == 0 || math.IsInf(b[i], 1):
			return nil, fmt.Errorf("svm: weights[%d]: C times the weights of the row and of its class is %v, want a positive finite number", i, b[i])
		}
	}
	return b, nil
}
