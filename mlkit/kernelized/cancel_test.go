package kernelized

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

// Fits of thousands of samples or hundreds of features end soon after their context.
func TestCancelPromptly(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	n := testkit.Size(t, 2000, 5000)
	X, wide := samples.Uniform(30, n, 2), samples.Uniform(31, n, testkit.Size(t, 300, 1000))
	y := mat.Col(nil, 0, X)
	for name, fit := range map[string]func(ctx context.Context) (any, error){
		"ridge, wide": func(ctx context.Context) (any, error) {
			return Ridge{Bias: mlkit.NoBias}.FitWith(mlkit.Options{Context: ctx}, wide, y)
		},
		"ridge": func(ctx context.Context) (any, error) {
			return Ridge{Kernel: kernel.RBF{}, Bias: mlkit.NoBias}.FitWith(mlkit.Options{Context: ctx}, X, y)
		},
		"PCA, wide": func(ctx context.Context) (any, error) { return PCA{}.FitWith(mlkit.Options{Context: ctx}, wide) },
		"PCA": func(ctx context.Context) (any, error) {
			return PCA{Kernel: kernel.RBF{}, Components: n / 2}.FitWith(mlkit.Options{Context: ctx}, X)
		},
		"PCA, own kernel": func(ctx context.Context) (any, error) {
			return PCA{Kernel: kernel.Sum{kernel.RBF{}, shifted{}}, Components: 20}.FitWith(mlkit.Options{Context: ctx}, X)
		},
		"Nyström": func(ctx context.Context) (any, error) {
			return Nystroem{Landmarks: n}.FitWith(mlkit.Options{Context: ctx}, X)
		},
		"k-means": func(ctx context.Context) (any, error) {
			return KMeans{K: 50, Restarts: 1000}.FitWith(mlkit.Options{Context: ctx}, X)
		},
		"k-means, wide": func(ctx context.Context) (any, error) {
			return KMeans{K: 50}.FitWith(mlkit.Options{Context: ctx}, wide)
		},
	} {
		testkit.NoError(t, name, mlkittest.TestContext(fit))
	}
}

// Wherever its context ends, a fit ends too and returns a model. Every part that takes
// O(n²) time or more checks the context at least once per row; want counts these parts.
func TestCancelEverywhere(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	n := testkit.Size(t, 40, 90)
	X := samples.Uniform(32, n, 2)
	y, weights := mat.Col(nil, 0, X), mat.Col(nil, 1, X)
	for name, c := range map[string]struct {
		fit  func(ctx context.Context) (any, error)
		want int
	}{
		// Gram, means, centring, weights
		"ridge": {func(ctx context.Context) (any, error) {
			return Ridge{Kernel: kernel.RBF{}}.FitWith(mlkit.Options{Context: ctx, Weights: weights}, X, y)
		}, 4},
		// Gram, means, centring, two norms, and the decomposition with its four parts
		"PCA": {func(ctx context.Context) (any, error) {
			return PCA{Kernel: kernel.RBF{}}.FitWith(mlkit.Options{Context: ctx}, X)
		}, 9},
		// minimum and maximum, mean, differences, their scale, norm, the pairs
		"linear PCA": {func(ctx context.Context) (any, error) { return PCA{}.FitWith(mlkit.Options{Context: ctx}, X) }, 5},
		// Gram, the vectors of the basis
		"Nyström": {func(ctx context.Context) (any, error) {
			return Nystroem{Kernel: kernel.RBF{Gamma: 10}, Landmarks: n}.FitWith(mlkit.Options{Context: ctx}, X)
		}, 2},
	} {
		ctx := &samples.LateContext{Context: t.Context(), Calls: math.MaxInt}
		if _, err := c.fit(ctx); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		asked := math.MaxInt - ctx.Calls
		if asked < c.want*n {
			t.Errorf("%s: asked %d times, want %d or more", name, asked, c.want*n)
		}
		for left := 1; left <= asked; left++ {
			m, err := c.fit(&samples.LateContext{Context: t.Context(), Calls: left - 1})
			if left == asked && err == nil {
				break // the context ended after the last check
			}
			var e *mlkit.NotConvergedError
			if !errors.As(err, &e) || !errors.Is(err, context.Canceled) || e.Model != m {
				t.Fatalf("%s: ended at the question %d of %d: %v", name, left, asked, err)
			}
		}
	}
	G := testkit.Try(kernel.Gram(kernel.Sigmoid{}, X)).Or(t)
	for left := 1; left <= n; left++ {
		if err := kernel.CheckDefiniteTo(&samples.LateContext{Context: t.Context(), Calls: left - 1}, G, 1); !errors.Is(err, context.Canceled) {
			t.Fatalf("CheckDefiniteTo, ended at the question %d: %v", left, err)
		}
	}
}

// These take no weights of samples.
func TestUnweighted(t *testing.T) {
	X, y := irregular(40)
	for name, err := range map[string]error{
		"perceptron":      mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return Perceptron{}.FitWith(o, X, y) }),
		"k-means":         mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return KMeans{}.FitWith(o, X) }),
		"PCA":             mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return PCA{}.FitWith(o, X) }),
		"Nyström":         mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return Nystroem{}.FitWith(o, X) }),
		"Nyström, a step": mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return Nystroem{}.FitMap(o, X) }),
		"Fourier, a step": mlkittest.TestUnweighted(func(o mlkit.Options) (any, error) { return Fourier{}.FitMap(o, X) }),
	} {
		testkit.NoError(t, name, err)
	}
}

// The iterative ones report.
func TestReport(t *testing.T) {
	X, y := irregular(40)
	for name, err := range map[string]error{
		"perceptron": mlkittest.TestReport(func(o mlkit.Options) (any, error) { return Perceptron{MaxIter: 7}.FitWith(o, X, y) }),
		"k-means":    mlkittest.TestReport(func(o mlkit.Options) (any, error) { return KMeans{K: 4}.FitWith(o, X) }),
		"unfinished": mlkittest.TestReport(func(o mlkit.Options) (any, error) { return KMeans{K: 4, MaxIter: 1}.FitWith(o, X) }),
		"without end": mlkittest.TestReport(func(o mlkit.Options) (any, error) {
			return KMeans{K: 4, MaxIter: math.MaxInt}.FitWith(o, X)
		}),
	} {
		testkit.NoError(t, name, err)
	}
}
