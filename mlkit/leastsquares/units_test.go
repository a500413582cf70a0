package leastsquares

import (
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/mlkittest"
)

// The doc comments' promises about shifting and scaling columns.
func TestUnitsOfColumns(t *testing.T) { onBothPaths(t, unitsOfColumns) }

func unitsOfColumns(t *testing.T, _ ...string) {
	const tol = 1e-12 // a few rounding errors times the condition number of the samples
	shift := mlkittest.Units{Offset: 1e12}
	each := mlkittest.Units{Offset: 1e12, Scale: 1e150, Each: true}
	units := mlkittest.Units{Scale: 1e150, Each: true}
	for name, err := range map[string]error{
		"least squares":              mlkittest.TestUnits(Regression{}.Fit, each, tol),
		"least squares, normal":      mlkittest.TestUnits(Regression{Solver: ByNormalEquations}.Fit, each, tol),
		"least squares, tiny ridge":  mlkittest.TestUnits(Regression{Lambda: 1e-30}.Fit, shift, tol),
		"through the origin":         mlkittest.TestUnits(Regression{Bias: mlkit.NoBias}.Fit, units, tol),
		"through the origin, normal": mlkittest.TestUnits(Regression{Bias: mlkit.NoBias, Solver: ByNormalEquations}.Fit, units, tol),
		"ridge":                      mlkittest.TestUnits(Regression{Lambda: 1}.Fit, shift, tol),
		"ridge, normal":              mlkittest.TestUnits(Regression{Lambda: 1, Solver: ByNormalEquations}.Fit, shift, tol),
		"least squares, classes":     mlkittest.TestUnits(Classifier{}.Fit, each, tol),
		"ridge, classes":             mlkittest.TestUnits(Classifier{Lambda: 1}.Fit, shift, tol),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
