package linear

import (
	"testing"

	"marginalia/mlkit/mlkittest"
)

// What the doc comments promise of units and origins of columns.
func TestUnitsOfColumns(t *testing.T) {
	any := mlkittest.Units{Offset: 1e12, Scale: 1e150, Each: true}
	for name, err := range map[string]error{
		"LDA":              mlkittest.TestUnits(LDA{}.Fit, any, 1e-12),
		"LDA, classes":     mlkittest.TestUnits(LDA{}.FitClasses, any, 1e-12),
		"LDA, shrunk":      mlkittest.TestUnits(LDA{Shrinkage: 0.1}.Fit, mlkittest.Units{Offset: 1e12, Scale: 1e150}, 1e-12),
		"LDA, Ledoit-Wolf": mlkittest.TestUnits(LDA{LedoitWolf: true}.Fit, mlkittest.Units{Offset: 1e12, Scale: 1e150}, 1e-12),
		"QDA":              mlkittest.TestUnits(QDA{}.Fit, any, 1e-12),
		"QDA, classes":     mlkittest.TestUnits(QDA{}.FitClasses, any, 1e-12),
		"QDA, shrunk":      mlkittest.TestUnits(QDA{Shrinkage: 0.1}.Fit, mlkittest.Units{Offset: 1e12, Scale: 1e150}, 1e-12),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
