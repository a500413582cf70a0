package logistic

import (
	"testing"

	"marginalia/mlkit/mlkittest"
)

// The doc comments' promises about shifting and scaling columns.
func TestUnitsOfColumns(t *testing.T) {
	const tol = 1e-12 // a few rounding errors times the condition number of the samples
	shift := mlkittest.Units{Offset: 1e12}
	each := mlkittest.Units{Offset: 1e12, Scale: 1e150, Each: true}
	for name, err := range map[string]error{
		"logistic":              mlkittest.TestUnits(Regression{}.Fit, each, tol),
		"logistic, L-BFGS":      mlkittest.TestUnits(Regression{Solver: LBFGS}.Fit, each, 1e-6), // its Tol
		"logistic, classes":     mlkittest.TestUnits(Regression{}.FitClasses, each, tol),
		"logistic, L2":          mlkittest.TestUnits(Regression{L2: 1}.Fit, shift, tol),
		"logistic, L2, classes": mlkittest.TestUnits(Regression{L2: 1}.FitClasses, shift, tol),
		"logistic, L1":          mlkittest.TestUnits(Regression{L1: 1}.Fit, shift, 1e-6), // its Tol
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
