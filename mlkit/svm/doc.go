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
// Package mlkit documents the conventions of all algorithms: shapes, labels, errors and
// traces.
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
// with w = Σ αᵢyᵢφ(xᵢ). With C = +∞ the margin is hard: α has no upper bound, and slack
// is not allowed. Every dual value is a lower bound on every primal value, and the two
// optima are equal. Their difference, the gap, therefore bounds how far a hyperplane is
// from the optimum.
//
// The lectures use other letters:
//
//	here   Theodoridis   Yuille   Cornell
//	w, b   w, w₀         a, b     β, β₀
//	α      λ             α        α
//	ξ      ξ             z        ξ
//	τ      μ             τ            multiplier of ξ ≥ 0: τ = C - α
//	C      C             γ        c
//
// EE-559 minimises λ‖w‖² plus the mean hinge loss; see COfLambda.
//
// # The algorithms
//
//   - Classifier: any kernel, by sequential minimal optimisation of the dual
//   - DualDescent: the linear kernel, by coordinate descent in the dual
//   - Newton: the linear kernel and squared slacks, by Newton's method in the primal
//   - SubgradientDescent: the hinge loss by subgradient descent, as in EE-559
//   - Pegasos: the stochastic version, with one or a few random samples a step
//
// Package multiclass makes classifiers for many classes of each of them, and
// calibration.Classifier makes probabilities of their scores; multiclass.ProbableOneVsOne has
// an example with both. docs/module.md has a whole program: it reads a file, scales, chooses C
// and Gamma by eval.Search, tests, and saves the model and a figure.
//
// All have a Trace, weights of classes (ClassWeights, or Balanced) and of samples. They stop
// by a measure of optimality: Classifier by the largest violation of the optimality
// conditions, the others by the gap relative to the primal value.
//
// To fit for many values of C, warm-start each fit: pass the model for the previous C, or for
// Classifier its Alpha, as Start. Classifier, DualDescent and Newton have this field. Multiply
// the multipliers by the ratio of the two C first: those at their bound stay there, and the fit
// takes fewer iterations (Dennis DeCoste, Kiri Wagstaff, "Alpha seeding for support vector
// machines", 2000).
//
// The penalty ½‖w‖² does not include b unless the field Bias says so. LIBLINEAR's does,
// so its hyperplane differs.
//
// In scikit-learn, Classifier is SVC, DualDescent is LinearSVC with loss="hinge", Newton
// is LinearSVC with loss="squared_hinge", and SubgradientDescent and Pegasos do what
// SGDClassifier does.
//
// # Origin and units of the features
//
// The penalty ½‖w‖² and the kernels' parameters depend on the units of the features. If
// the features have different units, use feature.Standardize first. The origin makes no
// difference to a linear machine with a free b, or to a Gaussian or Laplace kernel. Up to
// rounding error, Classifier finds the same solution for samples as far as 10¹² standard
// deviations from 0, and Newton as far as 10⁶. DualDescent and gradient descent need
// samples centred near 0; otherwise they end with a *mlkit.NotConvergedError.
//
// # Large problems
//
// For soft margins with a linear, polynomial or Gaussian kernel and at least 1000 samples,
// Classifier evaluates rows of the Gram matrix in float32. The scores that it updates stay in
// float64, and multipliers that stay at their bounds leave the active set (shrinking). At the
// end it evaluates the violation in float64 over all samples; if that is above Tol, the fit
// continues. Neither the number of processors nor CacheBytes changes the result.
//
// If X has at least 10,000 rows or 2²⁰ elements, the other algorithms use vector instructions,
// DualDescent shrinks too, and both it and Newton begin in float32. The gap is always over all
// samples in float64. Models may then differ between types of processors: Primal is within
// Tol·Primal of the minimum, and w within √(2 Tol Primal) of the optimum.
//
// # The files
//
//   - classifier.go: Classifier. Its algorithm, with the choice of the pair, the step on two
//     multipliers and b, is internal/smo/smo.go.
//   - dualdescent.go: DualDescent. Its algorithm, with the step on one multiplier, is
//     internal/dcd/dcd.go.
//   - newton.go: Newton. Its algorithm, with the gradient, the Hessian and the line search, is
//     internal/newton/newton.go.
//   - subgradientdescent.go, pegasos.go: SubgradientDescent and Pegasos
//   - fit.go, ending.go: a fit of Classifier, and how it may end
//   - model.go, kkt.go: its model, and the conditions of optimality
//   - linearmodel.go: the model of the linear machines. Both problems are in
//     internal/linear/problem.go.
//   - pool.go, scorer.go, together.go: support vectors that many machines share; many scores
//     at a time; many machines at a time
//   - weights.go: C of each sample
//   - forms.go: the problem in the letters of other lectures
//   - decode.go: the decoding of the models
//
// The comments of the packages smo, dcd, newton and linear name the rest.
//
// Package mlkit lists the lectures that the comments cite. Each algorithm names the papers
// it comes from.
package svm
