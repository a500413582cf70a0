package discriminant_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/internal/testkit"
)

// A sample so far away that its squared distances overflow is of the wider class, as one is
// that is just far: along each axis the standard deviation of +1 is twice that of -1.
func TestFarSamples(t *testing.T) {
	X := mat.NewDense(8, 2, []float64{-1, 0, 1, 0, 0, -1, 0, 1, 8, 0, 12, 0, 10, -2, 10, 2})
	y := []int{-1, -1, -1, -1, 1, 1, 1, 1}
	type model interface {
		mlkit.ProbableClassifierModel
		Posterior(dst, x []float64) []float64
	}
	qda := testkit.Try(discriminant.QDA{}.Fit(X, y)).Or(t)
	nb := testkit.Try(discriminant.GaussianNB{}.Fit(X, y)).Or(t)
	for name, m := range map[string]model{"QDA": qda, "GaussianNB": nb} {
		for _, far := range []float64{1e3, 1e150, 1e154, 1e160, 1e300, math.MaxFloat64} {
			for _, x := range [][]float64{{far, 0}, {-far, far}, {0, -far}} {
				if s := m.Score(x); !(s > 0) {
					t.Errorf("%s: the score at %v is %v, want a positive one", name, x, s)
				}
				if p := m.Prob(x); p != 1 {
					t.Errorf("%s: P(+1 | %v) = %v, want 1", name, x, p)
				}
				if label, p := m.Predict(x), m.Posterior(nil, x); label != 1 || p[0] != 0 || p[1] != 1 {
					t.Errorf("%s: at %v the label is %d and the posterior %v, want 1 and [0 1]", name, x, label, p)
				}
			}
		}
		if s := m.Score([]float64{math.NaN(), 1e300}); !math.IsNaN(s) {
			t.Errorf("%s: the score of NaN is %v", name, s)
		}
	}
}
