// Package svm implements support vector machines: hyperplanes of largest margin, hard and
// soft, in the feature space of any kernel, and the algorithms that find them.
//
//	c := svm.Classifier{C: 10, Kernel: kernel.RBF{Gamma: 0.5}}
//	m, err := c.Fit(X, y) // X is n×d, one sample a row; y[i] is -1 or +1
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(len(m.Support), m.Gap, m.Predict(x))
//
// Package mlkit has what all algorithms have in common, and the lectures that are cited.
//
// # The problem
//
// The primal problem of the soft margin minimises, over w, b and the slacks ξ,
//
//	½‖w‖² + C Σ ξᵢ   where   yᵢ(w·φ(xᵢ) + b) ≥ 1 - ξᵢ  and  ξᵢ ≥ 0
//
// The dual problem maximises, over the multipliers α,
//
//	Σ αᵢ - ½ Σᵢⱼ αᵢαⱼyᵢyⱼk(xᵢ, xⱼ)   where   0 ≤ αᵢ ≤ C  and  Σ αᵢyᵢ = 0
//
// with w = Σ αᵢyᵢφ(xᵢ). With C = +∞ the margin is hard: slack is not allowed. Every dual
// value is a lower bound on every primal value, and the two optima are equal, so their
// difference, the gap, bounds how far a hyperplane is from the optimum.
//
// Other letters: Theodoridis writes w₀ for b, λ for α and μ for the multiplier τ = C - α of ξ ≥ 0;
// Yuille a for w, z for ξ and γ for C; Cornell β, β₀ for w, b. EE-559 minimises λ‖w‖² plus the mean
// hinge loss: see COfLambda.
//
// # The algorithms
//
//   - Classifier: any kernel, by sequential minimal optimisation of the dual
//   - DualDescent: the linear kernel, by coordinate descent in the dual
//   - Newton: the linear kernel and squared slacks, by Newton's method
//   - SubgradientDescent: the hinge loss by subgradient descent, as in EE-559
//   - Pegasos: the stochastic version, with one or a few random samples a step
//
// Package multiclass takes each of them for many classes, calibration.Classifier for probabilities.
// docs/module.md has a whole program.
//
// All have a Trace, weights of classes (ClassWeights, or Balanced) and of samples. They stop
// by a measure of optimality: Classifier by the largest violation of the optimality
// conditions, the others by the gap relative to the primal value. Unlike LIBLINEAR's, the penalty
// does not include b unless Bias says so. Start warm-starts a fit, as from another C.
//
// In scikit-learn, Classifier is SVC, DualDescent and Newton are LinearSVC with the hinge loss and
// its square, and SubgradientDescent and Pegasos do what SGDClassifier does.
//
// # Origin and units of the features
//
// The penalty ½‖w‖² and the kernels' parameters depend on the units of the features. If
// the features have different units, use feature.Standardize first. The origin makes no
// difference to a linear machine with a free b, or to a Gaussian or Laplace kernel, but
// DualDescent and gradient descent need samples centred near 0: otherwise they end with a
// *mlkit.NotConvergedError. Classifier bears samples 10¹² standard deviations from 0, Newton 10⁶.
//
// # Large problems
//
// For soft margins with a linear, polynomial or Gaussian kernel and at least 1000 samples,
// Classifier evaluates rows of the Gram matrix in float32, and multipliers that stay at their
// bounds leave the active set (shrinking). At the end it evaluates the violation in float64 over
// all samples; if that is above Tol, the fit continues. Neither the number of processors nor
// CacheBytes changes the result.
//
// If X has at least 10,000 rows or 2²⁰ elements, the other algorithms use vector instructions,
// DualDescent shrinks too, and both it and Newton begin in float32; the gap is in float64. Types
// of processors may then differ, by Tol·Primal in Primal and √(2 Tol Primal) in w.
//
// # The files
//
//   - classifier.go: Classifier. The choice of the pair, the step on two multipliers and b are
//     in internal/smo/smo.go.
//   - dualdescent.go: DualDescent. The step on one multiplier is in internal/dcd/dcd.go.
//   - newton.go: Newton. The gradient, the Hessian and the line search are in
//     internal/newton/newton.go.
//   - subgradientdescent.go, pegasos.go: SubgradientDescent and Pegasos
//   - fit.go, ending.go: a fit of Classifier, and how it may end
//   - model.go, kkt.go: its model, and the conditions of optimality
//   - linearmodel.go: the linear machines' model; both problems are in internal/linear/problem.go
//   - pool.go, scorer.go, together.go: support vectors that machines share; many scores at a
//     time; many machines at a time
//   - weights.go, forms.go, decode.go: C of each sample; the problem in the letters of other
//     lectures; the decoding of the models
//
// The comments of the packages smo, dcd, newton and linear name the rest.
package svm
