package linear

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// The b_k sum to 0 by their definition, also where L1 leaves the w_k no such sum.
func TestSumOfBiases(t *testing.T) {
	X, y := fisher(t)
	m, err := Logistic{L1: 3}.FitClasses(X, y)
	if err != nil {
		t.Fatal(err)
	}
	if sum := floats.Sum(m.B); math.Abs(sum) > 1e-9*floats.Norm(m.B, 1) {
		t.Errorf("Σ b_k = %v of %v", sum, m.B)
	}
}
