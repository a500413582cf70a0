package kernelized

import (
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

func TestAbsence(t *testing.T) {
	testkit.NoEmulation(t)
	for name, r := range map[string]Ridge{
		"linear": {}, "Gauss": {Kernel: kernel.RBF{Gamma: 0.5}}, "no bias": {Kernel: kernel.RBF{Gamma: 0.5}, Bias: mlkit.NoBias},
	} {
		testkit.NoError(t, name, mlkittest.TestAbsence(r.FitWith))
	}
}
