// Package svm holds support vector machines: the hyperplane of largest margin,
// hard and soft, in the space of any kernel, and the algorithms that find it.
//
//	c := svm.Classifier{C: 10, Kernel: kernel.RBF{Gamma: 0.5}}
//	m, err := c.Fit(X, y) // X is n×d, one sample a row; y[i] is -1 or +1
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(len(m.Support), m.Gap, m.Predict(x))
//
// Package mlkit states what holds for every algorithm: shapes, labels, errors,
// traces.
//
// # The problem
//
// The primal problem of the soft margin is to minimise, over w, b and the slacks ξ,
//
//	½‖w‖² + C Σ ξᵢ   where   yᵢ(w·φ(xᵢ) + b) ≥ 1 - ξᵢ  and  ξᵢ ≥ 0
//
// and the dual problem is to maximise, over the multipliers α,
//
//	Σ αᵢ - ½ Σᵢⱼ αᵢαⱼyᵢyⱼk(xᵢ, xⱼ)   where   0 ≤ αᵢ ≤ C  and  Σ αᵢyᵢ = 0
//
// with w = Σ αᵢyᵢφ(xᵢ). With C = +∞ the margin is hard: no slack, no upper bound on
// α. Each value of the dual is a lower bound of each value of the primal, and the
// two optima are equal, so their difference, the gap, tells how far from the
// solution a hyperplane is at most.
//
// The lectures call the same things by other letters:
//
//	here   Theodoridis   Yuille   Cornell
//	w, b   w, w₀         a, b     β, β₀
//	α      λ             α        α
//	ξ      ξ             z        ξ
//	τ      μ             τ            multiplier of ξ ≥ 0: τ = C - α
//	C      C             γ        c
//
// EE-559 writes λ‖w‖² plus the mean of the hinge losses; see COfLambda.
//
// # The algorithms
//
//   - Classifier: any kernel, by sequential minimal optimisation of the dual
//   - DualDescent: the linear kernel, by coordinate descent in the dual
//   - Newton: the linear kernel and squared slacks, by Newton's method in the primal
//   - HingeDescent: the hinge loss by (sub)gradient descent, as in EE-559
//   - Pegasos: the same, one or a few random samples a step
//   - OneAgainstAll, OneAgainstOne: many classes from machines for two
//   - Platt: probabilities from scores
//
// Each of the first five has a Trace, weights of classes and of samples, and ends by a
// number: the gap over the primal value, or for Classifier how far the samples on the
// margin disagree about b. To fit for many values of C, give the model for one, or its
// Alpha, as the Start of the next: Classifier, DualDescent and Newton have it.
//
// None of them adds b to the penalty ½‖w‖², unless its field Bias says so. (LIBLINEAR
// does, so its hyperplane differs.)
//
// # Origins and units of the columns
//
// ‖w‖ is in the units of the columns, and so are the kernels' parameters: with others the
// machine is another. Where columns are not in one unit, feature.Standardise makes them
// alike. Origins make no difference to a linear machine with a free b, or to a Gaussian or
// Laplace kernel. Classifier finds the same machine, up to rounding, for samples 10¹²
// deviations away from 0, and Newton up to 10⁶; DualDescent and gradient descent need
// samples about 0, and end with a *mlkit.NotConvergedError elsewhere.
//
// # References
//
//   - CMU: "Perceptron: Geometric Margins, Kernel Methods, Support Vector
//     Machines", slides of a machine learning course, Carnegie Mellon University
//   - Cornell: Serge Belongie, "CS 5785 Applied Machine Learning, lecture 15",
//     Cornell Tech, 2018
//   - EE-559: François Fleuret, "EE-559 Deep learning, 3a. Linear classifiers,
//     perceptron", EPFL, 2018
//   - Theodoridis: Sergios Theodoridis and Konstantinos Koutroumbas, "Pattern
//     Recognition", 4th edition, 2009, chapter 3, Linear Classifiers
//   - Yuille: Alan Yuille, "Linear classifiers, perceptrons, margins and duality",
//     lecture notes
//
// The papers that the algorithms come from are named beside them.
package svm
