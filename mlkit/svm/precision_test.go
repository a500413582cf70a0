package svm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/svm/internal/smo"
)

// The fit does not trust its updated g. Here the test sets g to 0, which looks like the
// solution; the fit goes on, and the final model is right. This also holds if the
// violation is larger the next time.
func TestEvaluatesAnew(t *testing.T) {
	X, y := irises(t, 1, 2)
	c := Classifier{C: 10, Tol: 1e-3}
	want := testkit.Try(c.Fit(X, y)).Or(t)
	var f *fit
	spoilt, at := 0, 0.0
	c.Trace = func(step Step) bool {
		if v := step.Violation; spoilt == 0 && v > 2*c.Tol && v < 5*c.Tol || spoilt == 1 && v > at {
			clear(f.G)
			spoilt++
			at = v
		}
		return true
	}
	bound := testkit.Try(bounds(c.C, nil, false, y, nil)).Or(t)
	f = newFit(c, smo.Samples{X: X}, y, bound)
	m, err := f.run(context.Background(), false)
	if err != nil || spoilt != 2 || m.Violation > c.Tol {
		t.Fatalf("spoilt %d times: %v, violation %v", spoilt, err, m.Violation)
	}
	near(t, "dual", m.Dual, want.Dual, 1e-3)
}

// If there is no hard margin, the model returned with the error is usable: it
// misclassifies only a few of the 100 samples of the overlapping classes of Iris.
func TestOverlapModel(t *testing.T) {
	X, y := irises(t, 1, 2)
	m, err := Classifier{C: math.Inf(1)}.Fit(X, y)
	var no *mlkit.NotSeparableError
	if !errors.As(err, &no) || m == nil || no.Fit.Model != any(m) || m.Converged {
		t.Fatalf("model %v, error %v, want a NotSeparableError with the model", m, err)
	}
	wrong := samples.Errors(m, X, y)
	if wrong > 5 {
		t.Errorf("%d of 100 samples are on the wrong side", wrong)
	}
}

// Classes on two sides of a plane, in a cube of side 2 and at least 0.003 from the plane,
// have a hard margin of at least that.
func TestNarrowGap(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var rows []float64
	var y []int
	for len(y) < 300 {
		x := []float64{2*random.Float64() - 1, 2*random.Float64() - 1, 2*random.Float64() - 1}
		s := (x[0] - 2*x[1] + 2*x[2]) / 3
		if math.Abs(s) < 0.003 {
			continue
		}
		rows, y = append(rows, x...), append(y, int(math.Copysign(1, s)))
	}
	m, err := Classifier{C: math.Inf(1)}.Fit(mat.NewDense(len(y), 3, rows), y)
	if err != nil || m.Margin() < 0.003*(1-1e-3) {
		t.Errorf("margin %v, %v, want 0.003 or more", m.Margin(), err)
	}
}

// Exclusive or by hand: both hulls are diagonals of the square with corners (±1, ±1) and
// meet at the origin. The spread is the length of a diagonal, √8 = 2.8.
func TestOverlapSays(t *testing.T) {
	_, err := Classifier{C: math.Inf(1)}.Fit(mat.NewDense(4, 2, []float64{1, 1, -1, -1, 1, -1, -1, 1}), []int{+1, +1, -1, -1})
	const want = "two of their points are 0 apart, where the samples are spread over 2.8; give C a finite value"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("err = %v, want one that says %q", err, want)
	}
}

// By hand: 1 and -1 have the hard margin w = 1 with α = ½ each. With half of these
// multipliers the functional margins are ½, which misses the margin by ½.
func TestKKTHardMargin(t *testing.T) {
	X, y := mat.NewDense(2, 1, []float64{1, -1}), []int{+1, -1}
	m := testkit.Try(Classifier{C: math.Inf(1)}.Fit(X, y)).Or(t)
	m.Alpha = []float64{0.25, 0.25}
	r := testkit.Try(KKT(m, X, y)).Or(t)
	for _, c := range r {
		want := map[string]float64{"stationarity in w": 0.5, "margin": 0.5, "slackness of the margin": 0.125}[c.Name]
		if math.Abs(c.Value-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.Name, c.Value, want)
		}
	}
}
