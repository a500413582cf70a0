package svm

import (
	"math"
	"testing"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

// What the package comment promises about origins. The tolerances are those of the
// algorithms, in scores.
func TestUnitsOfColumns(t *testing.T) {
	shift := mlkittest.Units{Offset: 1e12}
	testkit.NoErrors(t, map[string]error{
		"SMO":          mlkittest.TestUnits(Classifier{Tol: 1e-6}.Fit, shift, 1e-5),
		"SMO, Gauss":   mlkittest.TestUnits(Classifier{Tol: 1e-6, Kernel: kernel.RBF{}}.Fit, shift, 1e-5),
		"SMO, hard":    mlkittest.TestUnits(Classifier{C: math.Inf(1), Tol: 1e-6, Kernel: kernel.RBF{}}.Fit, shift, 1e-5),
		"SMO, Laplace": mlkittest.TestUnits(Classifier{Tol: 1e-6, Kernel: kernel.Laplace{}}.Fit, shift, 1e-5),
	})
	onBothPaths(t, func(t *testing.T) {
		if err := mlkittest.TestUnits(Newton{}.Fit, mlkittest.Units{Offset: 1e6}, 1e-4); err != nil { // √Tol
			t.Errorf("Newton: %v", err)
		}
	})
}
