// Package kernel provides kernels k(x, z) = φ(x)·φ(z), their Gram matrices, a test of
// Mercer's condition, and the feature map φ of a polynomial kernel.
//
//	k := kernel.RBF{Gamma: 0.5}
//	G, err := kernel.Gram(k, X) // X is n×d, one sample per row; G is n×n, symmetric
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(G.At(0, 1) == k.Eval(X.RawRowView(0), X.RawRowView(1))) // true
//
// Package mlkit documents the conventions of all algorithms: shapes, labels, errors and
// traces.
//
// Package kernelized has the algorithms that learn with kernels, and package svm the
// machines of largest margin.
//
// # Kernels of one's own
//
// To define a kernel, write a Func or a type with an Eval method. Check it with Mercer
// before you trust what is learnt with it. Sum, Product and Scaled combine kernels.
//
// # Gamma and sigma
//
// The lectures parametrise the width of a kernel in different ways; this package uses γ.
// CMU divides by 2σ² in both the Gaussian and the Laplace kernel, so γ = 1/(2σ²), which
// GammaOfSigma returns. Cornell divides by α in the Gaussian kernel, so γ = 1/α. Its χ²
// kernel halves the sum and divides by α, so γ = 1/(2α). The default Gamma of 1/2 thus
// means σ = 1 or, for χ², α = 1.
//
// In scikit-learn, the kernels are rbf_kernel, laplacian_kernel, chi2_kernel,
// polynomial_kernel, sigmoid_kernel and linear_kernel, and Centering is KernelCenterer.
//
// # The files
//
//   - kernel.go: Kernel, and what other packages ask of one
//   - product.go, distance.go: the kernels of inner products and those of distances
//   - combine.go: Sum, Product, Scaled and Func
//   - encode.go: Any, and the table of names by which it encodes kernels
//   - gram.go, center.go, mercer.go: Gram matrices, centred ones, Mercer's condition
//   - monomials.go: the φ of a polynomial kernel
//   - decode.go: the decoding of what this package has beside kernels
//
// # References
//
// The comments cite two lectures:
//
//   - CMU: "Perceptron: Geometric Margins, Kernel Methods, Support Vector
//     Machines", slides of a machine learning course, Carnegie Mellon University
//   - Cornell: "CS 5785 Applied machine learning, lecture 15: SVMs and kernels",
//     lecture notes, Cornell Tech
package kernel
