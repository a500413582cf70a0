package leastsquares

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// everyModel returns a small value of every type of this package that is encoded.
func everyModel(t testing.TB) []any {
	X := mat.NewDense(7, 2, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, 9, 3, -2, 1, 1})
	y, classes := []int{1, -1, 1, -1, 1, -1, 1}, []int{1, 1, 2, 2, 3, 3, 3}
	targets := mat.NewDense(7, 3, []float64{1, 2, 3, 5, 8, 13, 0, 1, 0, -1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7})
	models := samples.Models{T: t}
	models.Add(Regression{}.Fit(X, []float64{1, 2, 3, 5, 8, 13, 21}))
	models.Add(Regression{}.FitTargets(X, targets))
	models.Add(Classifier{}.Fit(X, y))
	models.Add(Classifier{}.Fit(X, classes))
	return models.All
}

func TestDecodedModelsAreWhole(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	testkit.Long(t)
	samples.TestDecoding(t, everyModel(t))
}

func FuzzDecode(f *testing.F) { samples.FuzzDecode(f, everyModel(f)...) }
