package svm

import (
	"math"
	"testing"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/svm/internal/smo"
)

func TestClassifierContract(t *testing.T) {
	for name, c := range map[string]Classifier{
		"zero": {}, "hard": {C: math.Inf(1)}, "rbf": {C: 10, Kernel: kernel.RBF{}},
		"hard rbf": {C: math.Inf(1), Kernel: kernel.Any{Kernel: kernel.RBF{}}}, "no cache": {CacheBytes: 1},
	} {
		var except []string
		if !testkit.IsLong(t) && name != "zero" && name != "rbf" {
			except = []string{"corrupt"} // their models are encoded alike
		}
		testkit.NoError(t, name, mlkittest.TestClassifier(c.Fit, except...))
	}
}

// float32Rows has the tests fit with float32 rows, however few samples they have.
func float32Rows(t *testing.T) {
	t.Helper()
	testkit.Set(t, &smo.FastFrom, 1)
}

// The fits with float32 rows keep the contract that TestClassifierContract finds kept by
// those with float64 rows, as TestWeightsContract and TestUnitsOfColumns do.
func TestClassifierContractFloat32(t *testing.T) {
	float32Rows(t)
	for name, c := range map[string]Classifier{
		"zero": {}, "rbf": {C: 10, Kernel: kernel.RBF{}}, "no cache": {CacheBytes: 1},
		"cubic": {Kernel: kernel.Any{Kernel: kernel.Polynomial{Degree: 3, Coef0: 1}}},
	} {
		testkit.NoError(t, name, mlkittest.TestClassifier(c.Fit, "corrupt"))
	}
	if err := mlkittest.TestWeights(Classifier{C: 1, Tol: 1e-10}.FitWith, 1e-5); err != nil {
		t.Errorf("weights: %v", err)
	}
	for name, k := range map[string]kernel.Kernel{"linear": nil, "Gauss": kernel.RBF{}} {
		if err := mlkittest.TestUnits(Classifier{Tol: 1e-6, Kernel: k}.Fit, mlkittest.Units{Offset: 1e12}, 1e-5); err != nil {
			t.Errorf("units, %s: %v", name, err)
		}
	}
}
