package leastsquares

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// data holds the samples of a fit: the rows of X with their targets and weights.
type data struct {
	X       *mat.Dense
	M       int                        // targets of a row
	target  func(dst []float64, i int) // sets dst to the targets of row i
	weights []float64                  // of the rows; nil if all are 1
}

// weighed returns the problem of l and s without the rows of weight 0. It divides the
// remaining weights and λ by a power of 2, which changes no solution and leaves the largest
// weight in [1, 2): products with the weights then overflow only where those without do.
func (l Regression) weighed(name string, s data) (Regression, data, error) {
	if s.weights == nil {
		n, _ := s.X.Dims()
		s.weights = slices.Repeat([]float64{1}, n)
		return l, s, nil
	}
	_, exponent := math.Frexp(floats.Max(s.weights))
	scale := func(v float64) float64 { return math.Ldexp(v, 1-exponent) }
	ridge := scale(l.Lambda)
	if l.Lambda > 0 && !(ridge >= smallestNormal && check.Finite(ridge)) {
		return l, s, fmt.Errorf("leastsquares: %s.Lambda = %v is out of range beside weights of up to %v, want numbers of nearer sizes", name, l.Lambda, floats.Max(s.weights))
	}
	present := rows.Present(s.weights)
	weights := slices.Clone(rows.Pick(s.weights, present))
	for k, v := range weights {
		if weights[k] = scale(v); weights[k] < smallestNormal {
			return l, s, fmt.Errorf("leastsquares: %s: weights[%d] = %v is out of range beside weights of up to %v, want numbers of nearer sizes", name, rows.Number(k, present), v, floats.Max(s.weights))
		}
	}
	target := func(dst []float64, k int) { s.target(dst, rows.Number(k, present)) }
	l.Lambda = ridge
	return l, data{X: rows.Select(s.X, present), M: s.M, target: target, weights: weights}, nil
}

// smallestNormal is the smallest positive float64 with full precision.
const smallestNormal = 0x1p-1022

// sampleWeights returns the weights of the samples times those of their classes, or nil if
// all are 1. It checks them as check.LabelWeights does.
func (l Classifier) sampleWeights(y []int, weights []float64) ([]float64, error) {
	classWeights, err := check.LabelWeights("leastsquares", l.ClassWeights, l.Balanced, y, weights)
	if err != nil {
		return nil, err
	}
	if len(classWeights) == 0 {
		return weights, nil
	}
	products := make([]float64, len(y))
	for i, label := range y {
		products[i] = 1
		if weights != nil {
			products[i] = weights[i]
		}
		v, ok := classWeights[label]
		if !ok || products[i] == 0 {
			continue
		}
		if products[i] *= v; products[i] == 0 || !check.Finite(products[i]) {
			return nil, fmt.Errorf("leastsquares: weights[%d]: the weight of the row times ClassWeights[%d] is %v, want a positive finite number", i, label, products[i])
		}
	}
	return products, nil
}
