package linear

import (
	"testing"

	"marginalia/mlkit/mlkittest"
)

// The doc comments' promises about shifting and scaling columns.
func TestUnitsOfColumns(t *testing.T) {
	const tol = 1e-12 // a few rounding errors times the condition number of the samples
	shift := mlkittest.Units{Offset: 1e12}
	common := mlkittest.Units{Offset: 1e12, Scale: 1e150}
	each := mlkittest.Units{Offset: 1e12, Scale: 1e150, Each: true}
	units := mlkittest.Units{Scale: 1e150, Each: true}
	for name, err := range map[string]error{
		"least squares":              mlkittest.TestUnits(LeastSquares{}.Fit, each, tol),
		"least squares, normal":      mlkittest.TestUnits(LeastSquares{Method: ByNormalEquations}.Fit, each, tol),
		"least squares, tiny ridge":  mlkittest.TestUnits(LeastSquares{Ridge: 1e-30}.Fit, shift, tol),
		"through the origin":         mlkittest.TestUnits(LeastSquares{Bias: ThroughOrigin}.Fit, units, tol),
		"through the origin, normal": mlkittest.TestUnits(LeastSquares{Bias: ThroughOrigin, Method: ByNormalEquations}.Fit, units, tol),
		"ridge":                      mlkittest.TestUnits(LeastSquares{Ridge: 1}.Fit, shift, tol),
		"ridge, normal":              mlkittest.TestUnits(LeastSquares{Ridge: 1, Method: ByNormalEquations}.Fit, shift, tol),
		"least squares, labels":      mlkittest.TestUnits(LeastSquaresClassifier{}.Fit, each, tol),
		"least squares, classes":     mlkittest.TestUnits(LeastSquaresClassifier{}.FitClasses, each, tol),
		"ridge, classes":             mlkittest.TestUnits(LeastSquaresClassifier{Ridge: 1}.FitClasses, shift, tol),
		"logistic":                   mlkittest.TestUnits(Logistic{}.Fit, each, tol),
		"logistic, L-BFGS":           mlkittest.TestUnits(Logistic{Solver: LBFGS}.Fit, each, 1e-6), // its Tol
		"logistic, classes":          mlkittest.TestUnits(Logistic{}.FitClasses, each, tol),
		"logistic, L2":               mlkittest.TestUnits(Logistic{L2: 1}.Fit, shift, tol),
		"logistic, L2, classes":      mlkittest.TestUnits(Logistic{L2: 1}.FitClasses, shift, tol),
		"logistic, L1":               mlkittest.TestUnits(Logistic{L1: 1}.Fit, shift, 1e-6), // its Tol
		"LDA":                        mlkittest.TestUnits(LDA{}.Fit, each, tol),
		"LDA, classes":               mlkittest.TestUnits(LDA{}.FitClasses, each, tol),
		"LDA, shrunk":                mlkittest.TestUnits(LDA{Shrinkage: 0.1}.Fit, common, tol),
		"LDA, Ledoit-Wolf":           mlkittest.TestUnits(LDA{LedoitWolf: true}.Fit, common, tol),
		"QDA":                        mlkittest.TestUnits(QDA{}.Fit, each, tol),
		"QDA, classes":               mlkittest.TestUnits(QDA{}.FitClasses, each, tol),
		"QDA, shrunk":                mlkittest.TestUnits(QDA{Shrinkage: 0.1}.Fit, common, tol),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
