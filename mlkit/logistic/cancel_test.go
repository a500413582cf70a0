package logistic

import (
	"context"
	"math/rand/v2"
	"testing"

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
