package feature_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

// The doc comments' promises about shifting and scaling columns.
func TestUnitsOfColumns(t *testing.T) {
	each := mlkittest.Units{Offset: 1e12, Scale: 1e150, Each: true}
	testkit.NoErrors(t, map[string]error{
		"Standardize": mlkittest.TestUnits(func(X *mat.Dense, _ []int) (*feature.Scaling, error) { return feature.Standardize{}.Fit(X) }, each, 1e-14),
		"MinMax":      mlkittest.TestUnits(func(X *mat.Dense, _ []int) (*feature.Scaling, error) { return feature.MinMax{}.Fit(X) }, each, 1e-14),
		// Directions depend on the units of the columns, and components on a common one.
		"PCA":        mlkittest.TestUnits(func(X *mat.Dense, _ []int) (*feature.PCAModel, error) { return feature.PCA{}.Fit(X) }, mlkittest.Units{Offset: 1e12}, 1e-12),
		"PCA, white": mlkittest.TestUnits(func(X *mat.Dense, _ []int) (*feature.PCAModel, error) { return feature.PCA{Whiten: true}.Fit(X) }, mlkittest.Units{Offset: 1e12, Scale: 1e150}, 1e-12),
	})
}

// Weights of samples count in both scalings as in other fits.
func TestWeightsOfScaling(t *testing.T) {
	standardize := func(o mlkit.Options, X *mat.Dense, _ []float64) (*feature.Scaling, error) {
		return feature.Standardize{}.FitWith(o, X)
	}
	minMax := func(o mlkit.Options, X *mat.Dense, _ []float64) (*feature.Scaling, error) {
		return feature.MinMax{}.FitWith(o, X)
	}
	testkit.NoErrors(t, map[string]error{
		"Standardize":          mlkittest.TestWeights(standardize, 1e-13),
		"Standardize, absence": mlkittest.TestAbsence(standardize),
		"MinMax":               mlkittest.TestWeights(minMax, 0),
		"MinMax, absence":      mlkittest.TestAbsence(minMax),
	})
	// (1·1 + 3·5)/4 = 4, and the variance is (1·9 + 3·1)/4 = 3.
	s := testkit.Try(feature.Standardize{}.FitWith(mlkit.Options{Weights: []float64{1, 3}}, mat.NewDense(2, 1, []float64{1, 5}))).Or(t)
	if math.Abs(s.Shift[0]-4) > 1e-15 || math.Abs(s.Units[0]-math.Sqrt(3)) > 1e-15 {
		t.Errorf("mean %v and deviation %v, want 4 and √3", s.Shift[0], s.Units[0])
	}
}
