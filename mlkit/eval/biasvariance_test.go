package eval

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

var background = context.Background()

// A noisy parabola, sampled at five points of a line and tested at two.
var (
	parabola = Process{F: func(x []float64) float64 { return x[0] * x[0] }, Sigma: 0.7}
	design   = mat.NewDense(5, 1, []float64{-2, -1, 0, 1, 2})
	queries  = mat.NewDense(2, 1, []float64{0.5, 3})
)

// checkParabola compares d with the exact values. The mean of n targets has the bias of
// the mean of f, here 2, and the variance σ²/n. The fitted line is horizontal on average,
// by symmetry, so its bias is the same; its variance is σ²(1/n + (x - x̄)²/Σ(xᵢ - x̄)²)
// with Σ(xᵢ - x̄)² = 10.
func checkParabola(t *testing.T, name string, d Decomposition, err error, slope, tol float64) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s2 := 0.7 * 0.7
	for j, x := range []float64{0.5, 3} {
		near(t, name+": Truth", d.Points[j].Truth, x*x, 1e-15)
		near(t, name+": Bias", d.Points[j].Bias, 2-x*x, tol)
		near(t, name+": Mean", d.Points[j].Mean, 2, tol)
		near(t, name+": Variance", d.Points[j].Variance, s2*(1.0/5+slope*x*x/10), tol)
	}
	near(t, name+": Bias2", d.Bias2, (1.75*1.75+49)/2, 10*tol)
	near(t, name+": Variance", d.Variance, s2*(1.0/5+slope*(0.25+9)/20), tol)
	near(t, name+": Noise", d.Noise, s2, 1e-15)
}

func TestExactBiasVariance(t *testing.T) {
	d, err := ExactBiasVariance(background, parabola, fitMean, design, queries)
	checkParabola(t, "mean", d, err, 0, 1e-12)
	near(t, "mean: MSE", d.MSE, d.Sum(), 1e-12)
	d, err = ExactBiasVariance(background, parabola, fitLine, design, queries)
	checkParabola(t, "line", d, err, 1, 1e-12)
	near(t, "line: MSE", d.MSE, d.Sum(), 1e-12)
	if d.Runs != 32 { // 2⁵
		t.Errorf("Runs = %d, want 32", d.Runs)
	}
	// The maximum is not linear in the targets, but the parts still add up.
	d = testkit.Try(ExactBiasVariance(background, parabola, fitLargest, design, queries)).Or(t)
	near(t, "largest: MSE", d.MSE, d.Sum(), 1e-12)
	// Both ends are 4 ± 0.7, so the maximum is 4.7 in three of four cases.
	near(t, "largest: Mean", d.Points[0].Mean, 4+0.7*0.5, 1e-12)
	near(t, "largest: Variance", d.Points[0].Variance, 0.49*0.75, 1e-12)
}

func fitLargest(_ *mat.Dense, y []float64) (line, error) {
	m := line{b: y[0]}
	for _, v := range y {
		m.b = max(m.b, v)
	}
	return m, nil
}

func TestSmootherBiasVariance(t *testing.T) {
	d, err := SmootherBiasVariance(background, parabola, fitMean, design, queries)
	checkParabola(t, "mean", d, err, 0, 1e-12)
	d, err = SmootherBiasVariance(background, parabola, fitLine, design, queries)
	checkParabola(t, "line", d, err, 1, 1e-12)
	near(t, "MSE", d.MSE, d.Sum(), 0)
	_, err = SmootherBiasVariance(background, parabola, fitLargest, design, queries)
	if err == nil || !strings.HasPrefix(err.Error(), "eval: fit is not linear in y: the prediction for row 0 of T is 4, and 10 as Σ lᵢyᵢ") {
		t.Errorf("err = %v, want a refusal", err)
	}

	// The rounding error of the prediction f(0) = 0 is large relative to 0, but small
	// relative to the other targets.
	rounded := func(_ *mat.Dense, y []float64) (line, error) { return line{b: y[2] + 1e-13*y[0]*y[0]}, nil }
	d = testkit.Try(SmootherBiasVariance(background, parabola, rounded, design, queries)).Or(t)
	near(t, "rounded: Mean", d.Points[0].Mean, 0, 1e-12)
}

func TestBiasVarianceErrors(t *testing.T) {
	ended, cancel := context.WithCancel(background)
	cancel()
	failing := func(*mat.Dense, []float64) (line, error) { return line{}, errors.New("fake: no") }
	bad := Process{F: func(x []float64) float64 { return 1 / x[0] }}
	one := func([]float64) float64 { return 1 }
	wide, hole := mat.NewDense(5, 2, nil), mat.NewDense(2, 1, []float64{1, math.NaN()})
	testkit.Refusals{
		{second(ExactBiasVariance(background, Process{}, fitMean, design, queries)), "eval: Process.F is nil, want a function of a sample"},
		{second(ExactBiasVariance(background, Process{parabola.F, -1}, fitMean, design, queries)), "eval: Process.Sigma = -1, want a number that is at least 0"},
		{second(ExactBiasVariance(background, bad, fitMean, design, queries)), "eval: Process.F(X[2]) = +Inf for [0], want a finite number"},
		{second(ExactBiasVariance(ended, parabola, fitMean, design, queries)), "eval: stopped before the end: context canceled"},
		{second(ExactBiasVariance(background, parabola, failing, design, queries)), "eval: training set 0: fake: no"},
		{second(ExactBiasVariance(background, parabola, fitMean, mat.NewDense(17, 1, nil), queries)), "eval: X has 17 rows, want at most 16, since 2ⁿ models are fitted"},
		{second(ExactBiasVariance(background, parabola, fitMean, nil, queries)), "eval: X is empty, want at least one row…"},
		{second(ExactBiasVariance(background, parabola, fitMean, design, nil)), "eval: T is empty, want at least one row…"},
		{second(SmootherBiasVariance(background, parabola, failing, design, queries)), "eval: y of 1 in row 0: fake: no"},
		{second(SmootherBiasVariance(background, parabola, fitMean, nil, queries)), "eval: X is empty, want at least one row…"},
		{second(SmootherBiasVariance(background, parabola, fitMean, design, nil)), "eval: T is empty, want at least one row…"},
		{second(ExactBiasVariance(background, parabola, fitMean, wide, queries)), "eval: X has 2 columns, want 1, as many as the other samples"},
		{second(SmootherBiasVariance(background, parabola, fitMean, wide, queries)), "eval: X has 2 columns, want 1, as many as the other samples"},
		{second(ExactBiasVariance(background, Process{F: one}, fitMean, hole, queries)), "eval: X[1][0] = NaN, want a finite number"},
	}.Check(t)
	// An unconverged fit contributes its model.
	unfinished := func(_ *mat.Dense, y []float64) (line, error) {
		m := line{b: 2}
		return m, &mlkit.NotConvergedError{Algorithm: "fake: two", Reason: "it is what it is", Model: m}
	}
	d, err := ExactBiasVariance(background, parabola, unfinished, design, queries)
	if err != nil || d.Variance != 0 || d.Points[0].Mean != 2 {
		t.Errorf("%v, %v; want the constant 2", d, err)
	}
}
