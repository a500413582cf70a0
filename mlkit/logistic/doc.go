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
// Fit returns a *mlkit.NotConvergedError that says so. If columns of X are linearly
// dependent, the fit finds one of the solutions.
//
// Samples and classes may have weights: see FitWith and ClassWeights. Path fits for many
// values of L2 or L1, each fit from the previous model, and Lambdas chooses the values.
//
// Package discriminant estimates the same probabilities from Gaussian classes; package
// calibration from the scores of a machine.
//
// Shifting or scaling a column of X does not change the predictions beyond the rounding of
// the samples, for columns up to 10¹² standard deviations away from 0 and of size 10⁻¹⁵⁰ to
// 10¹⁵⁰. With L2 or L1, which depend on the units of the columns, only shifts have no
// effect.
//
// # Large problems
//
// From 10,000 samples or 2²⁰ elements of X on, and with CoordinateDescent, sums are computed
// with vector instructions, and their last bits differ from processor to processor. At the
// optimum, the log-likelihood differs by less than 10⁻¹² of it, and W and B by no more than
// such errors in the gradient do. With L2 and a Tol of 1e-6 or more, LBFGS starts such large
// problems on a float32 copy of the samples, if the processor has vector instructions, and
// finishes on the samples themselves. So its gradient is below Tol there as well, and the
// log-likelihood within 10⁻¹¹ of what it would be. If columns are collinear and nothing is
// penalised, many w have the same likelihood, and the fit finds one of them.
//
// In scikit-learn, Regression is LogisticRegression.
//
// # The files
//
//   - logistic.go: Regression and its Model
//   - newton.go, proximal.go: Newton's method, and its step with an L1 penalty
//   - softmax.go: the loss of more than two classes, and its Hessian
//   - descent.go, descent_*.go: coordinate descent for L1 and many columns
//   - lbfgs.go, finish.go: the call of gonum's L-BFGS, and what follows it
//   - maximum.go: the proof that a fit is at the maximum
//   - basis.go: an orthogonal basis for nearly collinear columns
//   - problem.go, units.go: the objective, in units and an origin of its own
//   - solver.go, start.go, weights.go: the choice of the method; warm starts; weights
//   - path.go: Path, the models for many values of L2 or L1; MaxL1
//   - fast.go, fast_*.go: the same sums over the samples, for large problems, and Newton's
//     start on a subsample
//   - separable.go: SeparableError, and the proof in it
//   - decode.go: the decoding of the model
//
// Package mlkit documents what all algorithms have in common, shapes, labels, errors and
// traces, and lists the lectures that the comments cite.
package logistic
