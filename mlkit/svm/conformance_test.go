package svm

import (
	"context"
	"math/rand/v2"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
)

// Weighting a sample must equal repeating it, in everything that is unique: the scores,
// up to the tolerance. TestLinearPromises is for the linear algorithms.
func TestWeightsContract(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{}} {
		if err := mlkittest.TestWeights(Classifier{C: 1, Kernel: k, Tol: 1e-10}.FitWith, 1e-5); err != nil {
			t.Errorf("%T: %v", k, err)
		}
	}
}

// Fits of many samples and features end soon after their context.
func TestCancelPromptly(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	const ever = 1 << 40
	n, d := 600, 200
	if testkit.IsLong(t) {
		n, d = 5000, 1000
	}
	rng := rand.New(rand.NewPCG(5, 6))
	X, y, classes := samples.Gaussian(rng, n, d), make([]int, n), make([]int, n)
	for i := range n {
		y[i], classes[i] = 1-2*(i%2), i%3
	}
	for name, fit := range map[string]func(ctx context.Context) (any, error){
		"SMO": func(ctx context.Context) (any, error) {
			return Classifier{C: 1}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"SMO, Gauss": func(ctx context.Context) (any, error) {
			return Classifier{C: 1, Kernel: kernel.RBF{Gamma: 1e-3}}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"dual descent": func(ctx context.Context) (any, error) {
			return DualDescent{MaxIter: ever, Tol: 1e-300}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"Newton": func(ctx context.Context) (any, error) { return Newton{}.FitWith(mlkit.Options{Context: ctx}, X, y) },
		"hinge": func(ctx context.Context) (any, error) {
			return SubgradientDescent{MaxIter: ever, Tol: 1e-300}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"Pegasos": func(ctx context.Context) (any, error) {
			return Pegasos{MaxIter: ever, Tol: 1e-300}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"one-vs-rest": func(ctx context.Context) (any, error) {
			return multiclass.OneVsRest[*Model]{Binary: Classifier{}}.FitWith(mlkit.Options{Context: ctx}, X, classes)
		},
		"one-vs-one": func(ctx context.Context) (any, error) {
			return multiclass.OneVsOne[*Model]{Binary: Classifier{}}.FitWith(mlkit.Options{Context: ctx}, X, classes)
		},
	} {
		testkit.NoError(t, name, mlkittest.TestContext(fit))
	}
}
