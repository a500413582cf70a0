// Package kernel holds kernels, k(x, z) = φ(x)·φ(z), and what is learnt with them:
// Gram matrices and their test for Mercer's condition, the explicit maps φ, maps
// that stand for φ approximately, and the perceptron, ridge regression, principal
// components and k-means in the space of φ.
//
//	k := kernel.RBF{Gamma: 0.5}
//	K, err := kernel.Gram(k, X) // X is n×d, one sample a row; K is n×n, symmetric
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(K.At(0, 1) == k.Eval(X.RawRowView(0), X.RawRowView(1))) // true
//
// Package mlkit states what holds for every algorithm: shapes, labels, errors,
// traces.
//
// # What to take
//
// Perceptron separates two classes, Ridge learns numbers, PCA finds directions and
// KMeans clusters, all in the space of φ and without φ; package svm takes these
// kernels too. Each fit but the perceptron's and a linear PCA's holds one n×n matrix,
// which is 200 MB for 5000 samples. For more of them map the samples to a space of few
// dimensions, with Monomials (exact, for a Polynomial of low degree), Fourier (RBF and
// Laplace, any n) or Nystroem (all kernels), and use a linear method there.
//
// A kernel of one's own is a Func, or a type with a method Eval; ask Mercer whether
// it is one before trusting what is learnt with it. Kernels are put together by Sum,
// Product and Scaled.
//
// # Gamma and sigma
//
// The lectures give the width of a kernel in ways of their own; here it is γ. CMU's
// Gaussian and Laplace kernels both divide by 2σ², so for both γ = 1/(2σ²), which
// is what GammaOfSigma returns; Cornell's Gaussian kernel divides by α, so γ = 1/α,
// and its χ² kernel halves the sum and divides by α, so γ = 1/(2α). Where the
// zero of Gamma means 1/2 it therefore means σ = 1 or, for χ², α = 1.
//
// # References
//
// The lectures named in the comments are
//
//   - CMU: "Perceptron: Geometric Margins, Kernel Methods, Support Vector
//     Machines", slides of a machine learning course, Carnegie Mellon University
//   - Cornell: "CS 5785 Applied machine learning, lecture 15: SVMs and kernels",
//     lecture notes, Cornell Tech
package kernel
