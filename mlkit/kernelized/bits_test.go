package kernelized

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

// With the thresholds lowered, 100 samples are shared among goroutines: Gram matrices, scores
// and what follows from them have the same bits on any number of processors.
func TestBits(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.NoRace(t)
	onBothPaths(t, bits)
}

func bits(t *testing.T, _ ...string) {
	X := samples.Uniform(40, 100, 3)
	y := mat.Col(nil, 0, X)
	labels := make([]int, len(y))
	for i, v := range y {
		labels[i] = 1
		if v*X.At(i, 1) > 0.25 {
			labels[i] = -1
		}
	}
	gauss := kernel.RBF{Gamma: 2}
	testkit.NoErrors(t, map[string]error{
		"ridge":        mlkittest.TestBits(X, func() (*RidgeModel, error) { return Ridge{}.Fit(X, y) }),
		"ridge, Gauss": mlkittest.TestBits(X, func() (*RidgeModel, error) { return Ridge{Kernel: gauss}.Fit(X, y) }),
		"PCA":          mlkittest.TestBits(X, func() (*PCAModel, error) { return PCA{}.Fit(X) }),
		"PCA, Gauss":   mlkittest.TestBits(X, func() (*PCAModel, error) { return PCA{Kernel: gauss, Components: 3}.Fit(X) }),
		"Nyström":      mlkittest.TestBits(X, func() (*NystroemModel, error) { return Nystroem{Kernel: gauss}.Fit(X) }),
		"Fourier":      mlkittest.TestBits(X, func() (*FourierModel, error) { return Fourier{}.Fit(X) }),
		"k-means":      mlkittest.TestBits(X, func() (*KMeansModel, error) { return KMeans{K: 3, Kernel: gauss}.Fit(X) }),
		"perceptron": mlkittest.TestBits(X, func() (*PerceptronModel, error) {
			return Perceptron{Kernel: gauss, MaxIter: 20}.Fit(X, labels)
		}),
		"cut perceptron": mlkittest.TestBits(X, func() (*PerceptronModel, error) { return Perceptron{MaxIter: 3}.Fit(X, labels) }),
	})
}
