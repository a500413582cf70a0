package svm

import (
	"math"
	"testing"

	"marginalia/internal/tier"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

func TestClassifierContract(t *testing.T) {
	for name, c := range map[string]Classifier{
		"zero": {}, "hard": {C: math.Inf(1)}, "rbf": {C: 10, Kernel: kernel.RBF{}},
		"hard rbf": {C: math.Inf(1), Kernel: kernel.Any{Kernel: kernel.RBF{}}}, "no cache": {CacheBytes: 1},
	} {
		var except []string
		if !tier.IsLong(t) && name != "zero" && name != "rbf" {
			except = []string{"corrupt"} // their models are encoded alike
		}
		if err := mlkittest.TestClassifier(c.Fit, except...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
