// Package kernelized has the algorithms that learn in the space of a kernel's φ without
// computing φ: a perceptron, ridge regression, principal component analysis and k-means;
// and maps of few dimensions in place of φ, for linear algorithms.
//
//	p := kernelized.Perceptron{Kernel: kernel.RBF{Gamma: 0.5}}
//	m, err := p.Fit(X, y) // X is n×d, one sample a row; y[i] is -1 or +1
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.Predict(x))
//
// Package kernel has the kernels, and package mlkit documents the conventions of all
// algorithms: shapes, labels, errors and traces.
//
// # Choosing an algorithm
//
//   - Perceptron separates two classes, in passes over the samples
//   - Ridge predicts numbers
//   - PCA finds directions of large variance
//   - KMeans finds clusters
//   - Nystroem maps samples to a space of few dimensions for any kernel, Fourier for RBF and
//     Laplace and any number of samples. kernel.Monomials is the φ of a Polynomial itself.
//
// Package svm has the machines of largest margin. Except for the perceptron and linear PCA,
// each fit of the first four holds an n×n matrix: 200 MB for 5000 samples. With more
// samples, map them and use a linear algorithm there.
//
// In scikit-learn, Ridge is KernelRidge, PCA is KernelPCA, and Fourier is RBFSampler.
// Nystroem has the same name.
//
// # The files
//
//   - perceptron.go, with perceptron_run.go and perceptron_result.go; ridge.go, with
//     ridge_solve.go and ridge_check.go; pca.go, with pca_linear.go for the linear kernel;
//     kmeans.go, with kmeans_run.go; nystroem.go; fourier.go: an algorithm each
//   - dimension.go: how many dimensions the images of samples span
//   - expansion.go: Σ cᵢk(xᵢ, x), which most models are
//   - project.go: the maps of pca.go and nystroem.go for many samples at once
//   - shift.go: the origin where a kernel rounds least
//   - decode_models.go, decode_maps.go: the decoding of the models and the maps
//   - matrix.go: samples as models store them
//
// # References
//
// The comments cite CMU, "Perceptron: Geometric Margins, Kernel Methods, Support Vector
// Machines": package mlkit lists the lectures. Each algorithm names its papers.
package kernelized

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/kernel"
)

// checkBoth checks a kernel and the samples X, which must be in its domain.
func checkBoth(k kernel.Kernel, X *mat.Dense) error {
	if err := kernel.Check(k); err != nil {
		return err
	}
	if err := check.Samples("kernelized", X); err != nil {
		return err
	}
	return kernel.CheckSamples(k, X)
}
