// Package logistic provides logistic regression, for two classes and for many (softmax).
// It maximises the likelihood of the labels,
//
//	P(Y = k | X = x) = exp(w_k·x + b_k) / Σ exp(w_l·x + b_l),
//
// by Newton's method or another Solver, with or without a penalty on the weights.
//
//	m, err := logistic.Regression{}.Fit(X, y) // X is n×d, one sample a row; y[i] is any int
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.Classes, m.Posterior(nil, x), m.Predict(x))
//
// Two classes have one hyperplane between them, and P(Y = Classes[1] | X = x) = σ(w·x + b):
//
//	h, _ := m.Hyperplane()
//	fmt.Println(h.W, h.B, m.Prob(x))
//
// For separable classes the likelihood has no maximum, and Fit returns a *SeparableError
// with the direction in which it grows. With L2 or L1 there is a maximum always. A fit
// without an error has proved that it is near the maximum. If there is a proof of neither,
// Fit returns a *mlkit.NotConvergedError that says so.
//
// Samples and classes may have weights: see FitWith, ClassWeights and Balanced. Path fits for
// many values of L2 or L1, each fit from the previous model, and Lambdas chooses the values.
//
// Package discriminant estimates the same probabilities from Gaussian classes; package
// calibration from the scores of a machine.
//
// In scikit-learn, Regression is LogisticRegression.
//
// # The methods
//
// With the samples extended by 1, θ = (w, b) and the scores f = Xθ, a step of Newton's method
// solves a least squares problem with the weights σ(f)(1 - σ(f)), so it is also known as
// iteratively reweighted least squares (IRLS):
//
//	(Xᵀ diag(σ(f)(1 - σ(f))) X + L2) s = -∇F(θ),  θ ← θ + ts
//
// It stops when the Newton decrement √(s·Hs) says that F(θ) is near its minimum, and a proof
// confirms that. LBFGS, for many columns, takes cheaper steps, and CoordinateDescent, for L1,
// one weight at a time. Solver says which of them is chosen.
//
// # Origin and units of the columns
//
// Shifting or scaling a column of X does not change the predictions beyond the rounding of
// the samples, for columns up to 10¹² standard deviations away from 0 and of size 10⁻¹⁵⁰ to
// 10¹⁵⁰. With L2 or L1, which depend on the units of the columns, only shifts have no
// effect. If columns are collinear and nothing is penalised, many w have the same likelihood,
// and the fit finds one of them.
//
// # Large problems
//
// From 10,000 samples or 2²⁰ elements of X on, and with CoordinateDescent, sums are computed
// with vector instructions, and their last bits differ from processor to processor. At the
// optimum, the log-likelihood differs by less than 10⁻¹² of it, and W and B by no more than
// such errors in the gradient do. With L2 and a Tol of 1e-6 or more, LBFGS starts such large
// problems on a float32 copy of the samples and finishes on the samples themselves.
//
// # The files
//
// Read newton.go first. The other files are for other problems, and for proofs.
//
//   - logistic.go: Regression and its Model
//   - newton.go: Newton's method. It minimises any objective with a value, a gradient and a
//     Hessian. Its step with an L1 penalty is proximal.go; where the Hessian is singular,
//     basis.go goes on.
//   - loss.go: the interfaces of a loss, by need: smooth for Newton's method, dual for proofs
//     and fast for large problems; and what two classes add to signLoss in newton.go. The loss
//     of many classes is loss_softmax.go. To add a loss for two classes, write a file like
//     that one, and choose it in Regression.loss (loss.go) by a field of Regression (logistic.go);
//     the comments in loss.go say what each method has to be.
//   - solver.go, start.go: the choice of the method, and its run; warm starts, and Newton's
//     start on a subsample
//   - path.go: Path, the models for many values of L2 or L1; MaxL1
//   - problem.go, units.go, labels.go: the objective with its penalties; its units and origin;
//     labels and weights of the samples
//   - lbfgs.go, finish.go: the call of gonum's L-BFGS, and what follows it
//   - descent.go, descent_*.go: coordinate descent for L1 and many columns
//   - maximum.go, maximum_gradient.go: the proof that a fit is at the maximum, and how a
//     gradient alone proves it
//   - separable.go: SeparableError, and the proof that there is no maximum
//   - fast.go, fast_store.go: the same sums over the samples for large problems, and how the
//     samples are stored for them
//   - decode.go: the decoding of the model
//
// Package mlkit documents what all algorithms have in common, shapes, labels, errors and
// traces, and lists the lectures that the comments cite.
package logistic
