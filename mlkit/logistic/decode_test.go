package logistic

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
)

// everyModel returns a small value of every type of this package that is encoded.
func everyModel(t testing.TB) []any {
	X := mat.NewDense(7, 2, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, 9, 3, -2, 1, 1})
	y, classes := []int{1, -1, 1, -1, 1, -1, 1}, []int{1, 1, 2, 2, 3, 3, 3}
	models := samples.Models{T: t}
	models.Add(Regression{L2: 1}.Fit(X, y))
	models.Add(Regression{L2: 1}.Fit(X, classes))
	return models.All
}

func FuzzDecode(f *testing.F) { samples.FuzzDecode(f, everyModel(f)...) }
