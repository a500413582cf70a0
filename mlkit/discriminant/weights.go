package discriminant

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/check"
)

// weigh multiplies the weight of each row by that of its class, in units of the largest
// product, so that no sum overflows.
func (l *labelled) weigh(y []int, given given) error {
	classWeights, err := check.LabelWeights("discriminant", given.classWeights, given.balanced, y, given.weights)
	if err != nil {
		return err
	}
	if given.weights == nil && len(classWeights) == 0 {
		return nil
	}
	l.weights = make([]float64, len(y))
	largest := 0
	for i, label := range y {
		factor, own := 1.0, 1.0
		if v, ok := classWeights[label]; ok {
			factor = v
		}
		if given.weights != nil {
			own = given.weights[i]
		}
		v := factor * own
		if own > 0 && (v == 0 || !check.Finite(v)) {
			return fmt.Errorf("discriminant: weights[%d]: the weight of the row times that of its class is %v, want a positive finite number", i, v)
		}
		if l.weights[i] = v; v > l.weights[largest] {
			largest = i
		}
	}
	l.unit = l.weights[largest]
	for i, v := range l.weights {
		if v > 0 && v < least*l.unit {
			return fmt.Errorf("discriminant: weights[%d]: the weight of the row times that of its class is %v, want at least %g of the largest, which is %v in row %d", i, v, least, l.unit, largest)
		}
		l.weights[i] /= l.unit
	}
	if sum := floats.Sum(l.weights) * l.unit; !check.Finite(sum) {
		return errors.New("discriminant: the sum of the weights overflows, want smaller ones")
	}
	return nil
}

// least is the smallest weight of a sample, in units of the largest. With smaller ones,
// weighted squares would underflow.
const least = 1e-100

// weight returns the weight of sample i, in units of the largest.
func (l *labelled) weight(i int) float64 {
	if l.weights == nil {
		return 1
	}
	return l.weights[i]
}

// divisor returns the divisor of the weighted squares about the means of the given number of
// classes, whose weights add up to mass. where begins the error.
func (l *labelled) divisor(where string, divisor Divisor, mass float64, means int) (float64, error) {
	if divisor == MaximumLikelihood {
		return mass, nil
	}
	v := mass - float64(means)/l.unit
	if !(v > 0) {
		return 0, fmt.Errorf("discriminant: %s: the weights add up to %v, want more than %d, the number of means, or Divisor: MaximumLikelihood", where, mass*l.unit, means)
	}
	return v, nil
}

// rows returns the words for the samples in an error message.
func (l *labelled) rows() string {
	if l.weights == nil {
		return "rows"
	}
	return "rows with a weight above 0"
}
