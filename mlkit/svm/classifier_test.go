package svm

import (
	"math"
	"testing"

	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

func TestClassifierContract(t *testing.T) {
	for name, c := range map[string]Classifier{
		"zero": {}, "hard": {C: math.Inf(1)}, "rbf": {C: 10, Kernel: kernel.RBF{}},
		"hard rbf": {C: math.Inf(1), Kernel: kernel.Any{Kernel: kernel.RBF{}}}, "no cache": {CacheBytes: 1},
	} {
		if err := mlkittest.TestClassifier(c.Fit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
