package svm

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/tier"
	"marginalia/mlkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
)

// Weighting a sample must equal repeating it, in everything that is unique: the scores,
// up to the tolerance. λ‖w‖² + mean hinge is strongly convex, so descent is within
// √(gap/λ) of the optimal w: 0.01 here, and 0.03 for Pegasos, times ‖x‖ of at most 4.
func TestWeightsContract(t *testing.T) {
	contracts := map[string]error{
		"SMO": mlkittest.TestWeights(func(X *mat.Dense, y []int, weights []float64) (*Model, error) {
			return Classifier{C: 1, Tol: 1e-10}.FitWeighted(X, y, weights)
		}, 1e-5),
		"dual descent": mlkittest.TestWeights(func(X *mat.Dense, y []int, weights []float64) (*LinearModel, error) {
			return DualDescent{C: 1, Tol: 1e-12, Bias: mlkit.PenalisedBias}.FitWeighted(X, y, weights)
		}, 1e-5),
		"Newton": mlkittest.TestWeights(func(X *mat.Dense, y []int, weights []float64) (*LinearModel, error) {
			return Newton{C: 1}.FitWeighted(X, y, weights)
		}, 1e-6),
	}
	if tier.IsLong(t) { // they take many steps
		contracts["hinge"] = mlkittest.TestWeights(func(X *mat.Dense, y []int, weights []float64) (*LinearModel, error) {
			return SubgradientDescent{Lambda: 1, Tol: 1e-4, MaxIter: 1 << 20}.FitWeighted(X, y, weights)
		}, 0.05)
		contracts["Pegasos"] = mlkittest.TestWeights(func(X *mat.Dense, y []int, weights []float64) (*LinearModel, error) {
			return Pegasos{Lambda: 1, Tol: 1e-3, MaxIter: 1 << 17, Bias: mlkit.NoBias}.FitWeighted(X, y, weights)
		}, 0.13)
	}
	for name, err := range contracts {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Fits of many samples and features end soon after their context.
func TestCancelPromptly(t *testing.T) {
	const ever = 1 << 40
	n, d := 600, 200
	if tier.IsLong(t) {
		n, d = 5000, 1000
	}
	rng := rand.New(rand.NewPCG(5, 6))
	X, y, classes := mat.NewDense(n, d, nil), make([]int, n), make([]int, n)
	for i := range n {
		y[i], classes[i] = 1-2*(i%2), i%3
		for j := range d {
			X.Set(i, j, rng.NormFloat64())
		}
	}
	for name, fit := range map[string]func(ctx context.Context) (any, error){
		"SMO": func(ctx context.Context) (any, error) { return Classifier{C: 1}.FitContext(ctx, X, y) },
		"SMO, Gauss": func(ctx context.Context) (any, error) {
			return Classifier{C: 1, Kernel: kernel.RBF{Gamma: 1e-3}}.FitContext(ctx, X, y)
		},
		"dual descent": func(ctx context.Context) (any, error) {
			return DualDescent{MaxIter: ever, Tol: 1e-300}.FitContext(ctx, X, y)
		},
		"Newton": func(ctx context.Context) (any, error) { return Newton{}.FitContext(ctx, X, y) },
		"hinge": func(ctx context.Context) (any, error) {
			return SubgradientDescent{MaxIter: ever, Tol: 1e-300}.FitContext(ctx, X, y)
		},
		"Pegasos": func(ctx context.Context) (any, error) {
			return Pegasos{MaxIter: ever, Tol: 1e-300}.FitContext(ctx, X, y)
		},
		"one-vs-rest": func(ctx context.Context) (any, error) {
			return multiclass.OneVsRest[*Model]{Binary: Classifier{}}.FitContext(ctx, X, classes)
		},
		"one-vs-one": func(ctx context.Context) (any, error) {
			return multiclass.OneVsOne[*Model]{Binary: Classifier{}}.FitContext(ctx, X, classes)
		},
	} {
		if err := mlkittest.TestContext(fit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
