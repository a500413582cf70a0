package discriminant

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/logistic"

	"gonum.org/v1/gonum/mat"
)

// By hand: S = diag(1/2, 1.21/2), m = 0.5525, δ² = 2·0.0525² = 0.0055125 and
// β² = (Σ ‖z‖⁴ - 4‖S‖²)/16 = (4.9282 - 2.4641)/16 = 0.154 > δ², so λ = 1.
func TestLedoitWolfMost(t *testing.T) {
	if lambda := unlabelled(mat.NewDense(4, 2, []float64{1, 0, -1, 0, 0, 1.1, 0, -1.1})).ledoitWolf(); lambda != 1 {
		t.Errorf("λ = %v, want 1", lambda)
	}
}

// Far from the origin the means are accurate to the last place, so the deviations from
// them give the same results as near the origin. The samples are integers shifted by
// 2⁵⁰; their means are integers.
func TestFarFromOrigin(t *testing.T) {
	const n, far = 200, 1 << 50
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		k := i / 2 % 10
		y[i] = 1 - 2*(i%2)
		X.SetRow(i, []float64{float64(2*k - 9 + 3*y[i]), float64(2*(k*7%10) - 9 - 5*y[i])})
	}
	near0 := fitted(t, LDA{}.Fit, X, y)
	moved := mat.NewDense(n, 2, nil)
	moved.Apply(func(_, _ int, v float64) float64 { return v + far }, X)
	m := fitted(t, LDA{}.Fit, moved, y)
	for c, mean := range m.Means {
		samples.Near(t, "mean", mean, []float64{near0.Means[c][0] + far, near0.Means[c][1] + far}, 0)
	}
	for j, row := range m.Covariance {
		samples.Near(t, "covariance", row, near0.Covariance[j], 1e-12)
	}
	samples.Near(t, "w", plane(t, m).W, plane(t, near0).W, 1e-12)
	logistic0 := fitted(t, logistic.Regression{L2: 1}.Fit, X, y)
	logistic := fitted(t, logistic.Regression{L2: 1}.Fit, moved, y)
	samples.Near(t, "w of the logistic regression", plane(t, logistic).W, plane(t, logistic0).W, 1e-12)
}

// Columns u and u + εv, with u and v orthogonal and of equal length, have the
// correlation 1/√(1+ε²). The ratio of the eigenvalues is ε²/4, and the limit is 10⁻¹³.
func TestNearlySingular(t *testing.T) {
	for _, c := range []struct {
		eps      float64
		singular bool
	}{
		{0x1p-18, false}, // 3.6e-12
		{0x1p-20, false}, // 2.3e-13
		{0x1p-22, true},  // 1.4e-14
		{0x1p-23, true},  // 3.6e-15
	} {
		X, y := mat.NewDense(8, 2, nil), make([]int, 8)
		for i := range 8 {
			y[i] = 1 - 2*(i/4)
			u, v := float64(1-2*(i%2)), float64(1-2*(i/2%2))
			X.SetRow(i, []float64{u, u + c.eps*v})
		}
		_, err := LDA{}.Fit(X, y)
		var e *SingularError
		if errors.As(err, &e) != c.singular {
			t.Errorf("ε = %g: err = %v, want a SingularError: %v", c.eps, err, c.singular)
		}
		if c.singular && e != nil {
			samples.Near(t, "direction", []float64{math.Abs(e.Direction[0]), math.Abs(e.Direction[1])}, []float64{math.Sqrt2 / 2, math.Sqrt2 / 2}, 1e-9)
		}
	}
}

// The error names every column of a singular combination, however small its share, and
// no other. It does not blame the degrees of freedom if there are as many as columns.
func TestSingularColumns(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	wide := mat.NewDense(100, 5, nil)
	for i := range 100 {
		x := X.RawRowView(i)
		wide.SetRow(i, []float64{x[0], x[1], x[2], x[3], x[0] + 0.01*x[1]})
	}
	_, err := LDA{}.Fit(wide, y)
	var e *SingularError
	if !errors.As(err, &e) || !slices.Equal(e.Columns, []int{0, 1, 4}) {
		t.Errorf("err = %v, want one of columns 0, 1 and 4", err)
	}
	_, err = LDA{}.Fit(mat.NewDense(4, 2, []float64{1, 1, 2, 2, 5, 5, 7, 7}), []int{-1, -1, 1, 1})
	if !errors.As(err, &e) || e.Rows != 2 || strings.Contains(e.Error(), "too many") {
		t.Errorf("err = %v, want one that does not count 2 columns against 2 degrees of freedom", err)
	}
}

// Three classes with means on a line have one discriminant direction, not two: there is
// no between-class variance across the line.
func TestMeansOnLine(t *testing.T) {
	X, y := mat.NewDense(15, 3, nil), make([]int, 15)
	for i := range 15 {
		k := i / 5
		y[i] = k
		X.SetRow(i, []float64{
			0.7*float64(k) + []float64{1, -1, 0, 2, -2}[i%5],
			0.3*float64(k) + []float64{0, 1, -2, 2, -1}[i%5],
			-1.1*float64(k) + []float64{1, 1, 0, -1, -1}[i%5],
		})
	}
	m := fitted(t, LDA{}.Fit, X, y)
	if len(m.Directions) != 1 || !slices.Equal(m.Explained, []float64{1}) {
		t.Errorf("%d directions that explain %v, want one that explains all", len(m.Directions), m.Explained)
	}
}

// Of components with equal absolute value, the first determines the sign of a
// direction.
func TestExtreme(t *testing.T) {
	if e := rows.Extreme([]float64{0.5, -2, 2, 1}); e != -2 {
		t.Errorf("extreme = %v, want the first of -2 and 2", e)
	}
}
