package linear

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// By hand: S = diag(1/2, 1.21/2), m = 0.5525, δ² = 2·0.0525² = 0.0055125 and
// β² = (Σ ‖z‖⁴ - 4‖S‖²)/16 = (4.9282 - 2.4641)/16 = 0.154, more than all there is to
// shrink: λ = 1.
func TestLedoitWolfMost(t *testing.T) {
	if lambda := ledoitWolf(mat.NewDense(4, 2, []float64{1, 0, -1, 0, 0, 1.1, 0, -1.1})); lambda != 1 {
		t.Errorf("λ = %v, want 1", lambda)
	}
}

// Far from the origin the means are right to the last place, so that what is computed
// of the differences from them is what it is near the origin: integers moved by 2⁵⁰,
// whose means are integers.
func TestFarFromOrigin(t *testing.T) {
	const n, far = 200, 1 << 50
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		k := i / 2 % 10
		y[i] = 1 - 2*(i%2)
		X.SetRow(i, []float64{float64(2*k - 9 + 3*y[i]), float64(2*(k*7%10) - 9 - 5*y[i])})
	}
	near0, err := LDA{}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	moved := mat.NewDense(n, 2, nil)
	moved.Apply(func(_, _ int, v float64) float64 { return v + far }, X)
	m, err := LDA{}.Fit(moved, y)
	if err != nil {
		t.Fatal(err)
	}
	for c, mean := range m.Means {
		near(t, "mean", mean, []float64{near0.Means[c][0] + far, near0.Means[c][1] + far}, 0)
	}
	for j, row := range m.Covariance {
		near(t, "covariance", row, near0.Covariance[j], 1e-12)
	}
	near(t, "w", m.W, near0.W, 1e-12)
	logistic0, err := Logistic{L2: 1}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	logistic, err := Logistic{L2: 1}.Fit(moved, y)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "w of the logistic regression", logistic.W, logistic0.W, 1e-12)
}

// What varies by 10⁻⁹ of its size varies: a deviation is none only where it is of the
// size of the rounding errors of the numbers.
func TestSmallDeviation(t *testing.T) {
	x := []float64{-2, -1, 0, 3, 1, 2, 3, 6}
	X, y := mat.NewDense(8, 1, slices.Clone(x)), []int{-1, -1, -1, -1, 1, 1, 1, 1}
	m, err := LDA{}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range x {
		X.Set(i, 0, 1<<30+v)
	}
	far, err := LDA{}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "w", far.W, m.W, 1e-12)
}

// Columns u and u + εv, with u and v of one length and orthogonal, have the correlation
// 1/√(1+ε²), so the eigenvalues are in the ratio ε²/4: the rule is a ratio of 10⁻¹³.
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
			near(t, "direction", []float64{math.Abs(e.Direction[0]), math.Abs(e.Direction[1])}, []float64{math.Sqrt2 / 2, math.Sqrt2 / 2}, 1e-9)
		}
	}
}

// The columns of a combination are named whatever their share in it, and those that
// have none are not; and as many degrees of freedom as columns are no reason.
func TestSingularColumns(t *testing.T) {
	X, y := versicolorVirginica(t)
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

// Three classes whose means lie on a line have one discriminant direction, not two:
// nothing is between the classes across the line.
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
	m, err := LDA{}.FitClasses(X, y)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Directions) != 1 || !slices.Equal(m.Explained, []float64{1}) {
		t.Errorf("%d directions that explain %v, want one that explains all", len(m.Directions), m.Explained)
	}
}

// Of components of equal length the first says which sign a direction has.
func TestExtreme(t *testing.T) {
	if e := extreme([]float64{0.5, -2, 2, 1}); e != -2 {
		t.Errorf("extreme = %v, want the first of -2 and 2", e)
	}
}
