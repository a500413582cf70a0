package discriminant

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
)

// With divisor n, numbers from scikit-learn 1.9.1, QuadraticDiscriminantAnalysis();
// with n - 1, from numpy.cov and numpy.linalg.solve.
func TestQDAIris(t *testing.T) {
	X, y := samples.Iris(t)
	m := fitted(t, QDA{Divisor: MaximumLikelihood}.Fit, X, y)
	if rows := samples.Wrong(m.Predictions(nil, X), y); !slices.Equal(rows, []int{70, 83, 133}) {
		t.Errorf("rows %v are wrong, want 70, 83, 133", rows)
	}
	P := m.Posteriors(nil, X)
	samples.Near(t, "P(70)", P.RawRowView(70), []float64{0, 3.284513343009e-1, 6.715486656991e-1}, 1e-11)
	samples.Near(t, "P(133)", P.RawRowView(133), []float64{0, 6.022879816361e-1, 3.977120183639e-1}, 1e-11)
	if p := P.At(77, 0); math.Abs(p/6.162405862618e-115-1) > 1e-9 {
		t.Errorf("P(setosa) of row 77 = %v, want 6.162405862618e-115", p)
	}
	Z, z := samples.VersicolorVirginica(t)
	two := fitted(t, QDA{Divisor: MaximumLikelihood}.Fit, Z, z)
	s := two.Scores(nil, Z)
	samples.Near(t, "score", []float64{s[0], s[20], s[83]}, []float64{-10.21773390736, 0.715197804708, -0.415007534305}, 1e-10)
	if rows := samples.Wrong(two.Predictions(nil, Z), z); len(rows) != 3 {
		t.Errorf("%d errors, want 3", len(rows))
	}
	if p := two.Prob(Z.RawRowView(20)); math.Abs(p-1/(1+math.Exp(-0.715197804708))) > 1e-11 || p != two.Probs(nil, Z)[20] {
		t.Errorf("P = %v", p)
	}
	two = fitted(t, QDA{}.Fit, Z, z)
	s = two.Scores(nil, Z)
	samples.Near(t, "score", []float64{s[0], s[20], s[83]}, []float64{-10.0328518948325, 0.6814211829943, -0.4261800492387}, 1e-10)
}

// By hand: -1 and 1 have mean 0 and variance 2, 1 and 7 have mean 4 and variance 18, so
// δ₊ - δ₋ = -½log 9 - (x-4)²/36 + x²/4, with roots where 8x² + 8x = 16 + 36 log 3.
// Priors of ¼ and ¾ add log 3, and the roots are then -2 and 1.
func TestQDAByHand(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{-1, 1, 1, 7})
	y := []int{-1, -1, 1, 1}
	m := fitted(t, QDA{Priors: []float64{0.25, 0.75}}.Fit, X, y)
	samples.Near(t, "score", m.Scores(nil, mat.NewDense(3, 1, []float64{-2, 1, 0})), []float64{0, 0, -16. / 36}, 1e-14)
	if a, b := m.Predict([]float64{-2.1}), m.Predict([]float64{0.9}); a != 1 || b != -1 {
		t.Errorf("labels %d and %d, want +1 on both outer sides and -1 between", a, b)
	}
}

// The error names the class whose covariance is singular.
func TestQDASingular(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{0, 1, 5, 5}), []int{-1, -1, 1, 1}
	var e *SingularError
	if _, err := (QDA{}).Fit(X, y); !errors.As(err, &e) || e.Population != "of class 1" {
		t.Errorf("%v, want a SingularError of class 1", err)
	}
}
