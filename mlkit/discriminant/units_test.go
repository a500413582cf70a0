package discriminant

import (
	"testing"

	"marginalia/mlkit/mlkittest"
)

// The doc comments' promises about shifting and scaling columns.
func TestUnitsOfColumns(t *testing.T) { onBothPaths(t, unitsOfColumns) }

func unitsOfColumns(t *testing.T, _ ...string) {
	const tol = 1e-12 // a few rounding errors times the condition number of the samples
	common := mlkittest.Units{Offset: 1e12, Scale: 1e150}
	each := mlkittest.Units{Offset: 1e12, Scale: 1e150, Each: true}
	for name, err := range map[string]error{
		"LDA":                   mlkittest.TestUnits(LDA{}.Fit, each, tol),
		"LDA, shrunk":           mlkittest.TestUnits(LDA{Shrinkage: 0.1}.Fit, common, tol),
		"LDA, Ledoit-Wolf":      mlkittest.TestUnits(LDA{LedoitWolf: true}.Fit, common, tol),
		"QDA":                   mlkittest.TestUnits(QDA{}.Fit, each, tol),
		"GaussianNB":            mlkittest.TestUnits(GaussianNB{}.Fit, each, tol),
		"GaussianNB, smoothed":  mlkittest.TestUnits(GaussianNB{VarSmoothing: 0.1}.Fit, each, tol),
		"DiagonalLDA":           mlkittest.TestUnits(DiagonalLDA{}.Fit, each, tol),
		"DiagonalLDA, smoothed": mlkittest.TestUnits(DiagonalLDA{VarSmoothing: 0.1}.Fit, each, tol),
		"QDA, shrunk":           mlkittest.TestUnits(QDA{Shrinkage: 0.1}.Fit, common, tol),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
