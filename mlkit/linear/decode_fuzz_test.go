package linear

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/fuzzing"
)

func FuzzDecode(f *testing.F) {
	X := mat.NewDense(6, 2, []float64{0, 1, 2, 1, 4, 4, 5, 7, 1, 9, 3, -2})
	y, classes, targets := []int{1, -1, 1, -1, 1, -1}, []int{1, 1, 2, 2, 3, 3}, []float64{1, 2, 3, 5, 8, 13}
	var models []any
	for _, fit := range []func() (any, error){
		func() (any, error) { return Pocket{}.Fit(X, y) },
		func() (any, error) { return LDA{}.Fit(X, y) },
		func() (any, error) { return LDA{Shrinkage: 0.5}.FitClasses(X, classes) },
		func() (any, error) { return QDA{Shrinkage: 0.5}.Fit(X, y) },
		func() (any, error) { return Logistic{L2: 1}.Fit(X, y) },
		func() (any, error) { return Logistic{L2: 1}.FitClasses(X, classes) },
		func() (any, error) { return LeastSquares{}.Fit(X, targets) },
		func() (any, error) { return VotedPerceptron{}.Fit(X, y) },
	} {
		m, _ := fit() // the best model of a fit that does not converge will do
		models = append(models, m)
	}
	fuzzing.Decode(f, models...)
}
