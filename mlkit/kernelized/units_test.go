package kernelized

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
)

// The origins of columns make no difference to a kernel of differences, nor to the linear
// kernel if the images are centred or b is free.
func TestUnitsOfColumns(t *testing.T) { onBothPaths(t, unitsOfColumns) }

func unitsOfColumns(t *testing.T, _ ...string) {
	const tol = 1e-12
	shift := mlkittest.Units{Offset: 1e12}
	pca := func(p PCA) func(X *mat.Dense, _ []int) (*PCAModel, error) {
		return func(X *mat.Dense, _ []int) (*PCAModel, error) { return p.Fit(X) }
	}
	kmeans := func(k KMeans) func(X *mat.Dense, _ []int) (*KMeansModel, error) {
		return func(X *mat.Dense, _ []int) (*KMeansModel, error) { return k.Fit(X) }
	}
	testkit.NoErrors(t, map[string]error{
		"ridge":             mlkittest.TestUnits(Ridge{}.Fit, shift, tol),
		"ridge, Gauss":      mlkittest.TestUnits(Ridge{Kernel: kernel.RBF{}, Bias: mlkit.NoBias}.Fit, shift, tol),
		"ridge, Gauss, b":   mlkittest.TestUnits(Ridge{Kernel: kernel.RBF{}}.Fit, shift, tol),
		"ridge, Laplace":    mlkittest.TestUnits(Ridge{Kernel: kernel.Laplace{}, Bias: mlkit.NoBias}.Fit, shift, tol),
		"PCA":               mlkittest.TestUnits(pca(PCA{Components: 3}), shift, tol),
		"PCA, Gauss":        mlkittest.TestUnits(pca(PCA{Components: 2, Kernel: kernel.RBF{}}), shift, tol),
		"k-means":           mlkittest.TestUnits(kmeans(KMeans{}), shift, 0),
		"k-means, Gauss":    mlkittest.TestUnits(kmeans(KMeans{Kernel: kernel.RBF{Gamma: 0.01}}), shift, 0),
		"perceptron, Gauss": mlkittest.TestUnits(Perceptron{Kernel: kernel.RBF{}}.Fit, shift, tol),
	})
}
