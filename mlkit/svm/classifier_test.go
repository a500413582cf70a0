package svm

import (
	"math"
	"testing"

	"marginalia/internal/tier"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

// without are the rules that a contract is not held to: the given ones and, under -short, that
// of damaged encodings, which takes longest and asks nothing of rounding or of goroutines.
func without(rules ...string) []string {
	if testing.Short() {
		rules = append(rules, "corrupt")
	}
	return rules
}

func TestClassifierContract(t *testing.T) {
	for name, c := range map[string]Classifier{
		"zero": {}, "hard": {C: math.Inf(1)}, "rbf": {C: 10, Kernel: kernel.RBF{}},
		"hard rbf": {C: math.Inf(1), Kernel: kernel.Any{Kernel: kernel.RBF{}}}, "no cache": {CacheBytes: 1},
	} {
		var except []string
		if !tier.IsLong(t) && name != "zero" && name != "rbf" {
			except = []string{"corrupt"} // their models are encoded as those are
		}
		if err := mlkittest.TestClassifier(c.Fit, without(except...)...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
