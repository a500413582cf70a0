package feature_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

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
