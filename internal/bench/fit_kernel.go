package main

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/cluster"
	"marginalia/mlkit/kernel"
)

var fitKernelPCA = learn(func(p params, train samples) (*kernel.PCAModel, error) {
	return kernel.PCA{Kernel: kernel.RBF{Gamma: p.Gamma}, Components: p.K}.Fit(train.X)
}, func(m *kernel.PCAModel) solution { return solution{Vectors: rowsOf(m.Vectors.Dense())} })

func fitKernelRidge(t task, train, test samples, c *clock) (solution, error) {
	targets := train.targets()
	return learn(func(p params, train samples) (*kernel.RidgeModel, error) {
		return kernel.Ridge{Kernel: kernel.RBF{Gamma: p.Gamma}, Lambda: p.Lambda}.Fit(train.X, targets)
	}, func(m *kernel.RidgeModel) solution { return solution{Alpha: m.Coef} })(t, train, test, c)
}

// fitKMeans starts from the first samples, as every side does.
var fitKMeans = learn(func(p params, train samples) (*cluster.KMeansModel, error) {
	_, d := train.X.Dims()
	return cluster.KMeans{K: p.K, Start: mat.DenseCopyOf(train.X.Slice(0, p.K, 0, d))}.Fit(train.X)
}, func(m *cluster.KMeansModel) solution { return solution{Centres: m.Centres, Passes: m.Iterations} })

var fitSpectral = learn(func(p params, train samples) (*cluster.SpectralModel, error) {
	if p.Neighbours > 0 {
		// scikit-learn counts a sample as its own neighbour.
		return cluster.Spectral{K: p.K, Affinity: cluster.Neighbours, Nearest: p.Neighbours - 1}.Fit(train.X)
	}
	return cluster.Spectral{K: p.K, Gamma: p.Gamma}.Fit(train.X)
}, func(m *cluster.SpectralModel) solution { return solution{Labels: m.Labels} })

func rowsOf(A *mat.Dense) [][]float64 {
	n, _ := A.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = A.RawRowView(i)
	}
	return rows
}
