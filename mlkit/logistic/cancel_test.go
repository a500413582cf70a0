package logistic

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

// Fits of many samples and features stop soon after their context ends. In tier long,
// that includes a decomposition that takes seconds.
func TestCancelPromptly(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	n, d := 2000, 300
	if testkit.IsLong(t) {
		n, d = 5000, 1000
	}
	X := samples.Gaussian(rand.New(rand.NewPCG(31, 32)), n, d)
	y, classes := make([]int, n), make([]int, n)
	for i := range y {
		y[i], classes[i] = 1-2*(i%2), i%3
	}
	for name, fit := range map[string]func(ctx context.Context) (any, error){
		"Newton": func(ctx context.Context) (any, error) { return Regression{}.FitWith(mlkit.Options{Context: ctx}, X, y) },
		"L1": func(ctx context.Context) (any, error) {
			return Regression{L1: 1}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"L-BFGS": func(ctx context.Context) (any, error) {
			return Regression{Solver: LBFGS}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"softmax": func(ctx context.Context) (any, error) {
			return Regression{L2: 1}.FitWith(mlkit.Options{Context: ctx}, X, classes)
		},
	} {
		if err := mlkittest.TestContext(fit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Abandoned fits must not read the samples any more; the race detector checks that.
	X.Zero()
	clear(y)
	clear(classes)
}

// Each solver reports the iterations that Trace shows, and nothing of the fit to a subsample before
// them, nor of those that prove a hyperplane.
func TestReport(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	iris, classes := samples.Iris(t)
	many, signs := samples.Overlapping(rand.New(rand.NewPCG(35, 36)), 70000)
	for name, c := range map[string]struct {
		l Regression
		X *mat.Dense
		y []int
	}{
		"Newton":             {Regression{Solver: Newton}, X, y},
		"Newton, unfinished": {Regression{MaxIter: 2}, X, y},
		"proximal Newton":    {Regression{L1: 1, Solver: Newton}, X, y},
		"L-BFGS":             {Regression{Solver: LBFGS}, X, y},
		"L-BFGS, L2":         {Regression{Solver: LBFGS, L2: 0.1, Tol: 1e-3}, X, y},
		"descent":            {Regression{L1: 1, Solver: CoordinateDescent}, X, y},
		"classes":            {Regression{L2: 1}, iris, classes},
		"classes, Newton":    {Regression{Solver: Newton}, iris, classes},
		"classes, L-BFGS":    {Regression{Solver: LBFGS}, iris, classes},
		"many":               {Regression{L2: 1, Solver: Newton}, many, signs},
		"touching, L-BFGS":   {Regression{Solver: LBFGS}, mat.NewDense(4, 1, []float64{-2, 0, 0, 2}), []int{-1, -1, 1, 1}},
		"touched":            {Regression{}, mat.NewDense(4, 1, []float64{-2.75, -0.5, -1.75, -2.5}), []int{-1, 1, 1, 1}},
	} {
		fit := func(o mlkit.Options) (any, error) { return c.l.FitWith(o, c.X, c.y) }
		type iteration struct {
			done     int
			residual float64
		}
		var traced, reported []iteration
		c.l.Trace = func(s Step) bool { traced = append(traced, iteration{s.Iteration, s.Residual}); return true }
		_, _ = fit(mlkit.Options{Report: func(p mlkit.Progress) { reported = append(reported, iteration{p.Done, p.Residual}) }})
		if !slices.Equal(reported, traced) {
			t.Errorf("%s: reports %v, want %v", name, reported, traced)
		}
		c.l.Trace = nil
		if len(traced) > 0 { // a separable fit may end in its first iteration
			testkit.NoError(t, name, mlkittest.TestReport(fit))
		}
	}
}
