package svm

import (
	"slices"
	"testing"
)

// The weight of a row is multiplied by that of its class.
func TestWeightsMultiply(t *testing.T) {
	X, y := irises(t, 1, 2)
	weights, products := slices.Repeat([]float64{1}, len(y)), make([]float64, len(y))
	for i, label := range y {
		if i%2 == 0 {
			weights[i] = 0.25
		}
		products[i] = weights[i]
		if label > 0 {
			products[i] *= 3
		}
	}
	c := Classifier{C: 2}
	want, err := c.FitWeighted(X, y, products)
	if err != nil {
		t.Fatal(err)
	}
	c.ClassWeights = map[int]float64{+1: 3}
	m, err := c.FitWeighted(X, y, weights)
	if err != nil || !slices.Equal(m.Bounds, want.Bounds) || !slices.Equal(m.Alpha, want.Alpha) {
		t.Errorf("bounds %v, %v, want %v", m.Bounds, err, want.Bounds)
	}
}
