package leastsquares

import (
	"context"
	"math/rand/v2"
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
	targets := mat.Col(nil, 0, X)
	y, classes := make([]int, n), make([]int, n)
	for i := range y {
		y[i], classes[i] = 1-2*(i%2), i%3
	}
	for name, fit := range map[string]func(o mlkit.Options) (any, error){
		"pseudoinverse": func(o mlkit.Options) (any, error) { return Regression{}.FitWith(o, X, targets) },
		"targets":       func(o mlkit.Options) (any, error) { return Regression{}.FitTargetsWith(o, X, X) },
		"normal equations": func(o mlkit.Options) (any, error) {
			return Regression{Solver: ByNormalEquations}.FitWith(o, X, targets)
		},
		"least squares, two classes": func(o mlkit.Options) (any, error) { return Classifier{Lambda: 1}.FitWith(o, X, y) },
		"least squares, classes":     func(o mlkit.Options) (any, error) { return Classifier{Lambda: 1}.FitWith(o, X, classes) },
	} {
		withContext := func(ctx context.Context) (any, error) { return fit(mlkit.Options{Context: ctx}) }
		if err := mlkittest.TestContext(withContext); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Abandoned fits must not read the samples any more; the race detector checks that.
	X.Zero()
	clear(targets)
	clear(y)
	clear(classes)
}
