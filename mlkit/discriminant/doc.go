// Package discriminant provides linear and quadratic discriminant analysis and naive
// Bayes, the generative models: they learn how the samples of each class are distributed,
// and give the probabilities of the classes by Bayes' rule.
//
//	m, err := discriminant.LDA{}.Fit(X, y) // X is n×d, one sample a row; y[i] is any int
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.Classes, m.Posterior(nil, x), m.Predict(x))
//
// A model is of two classes or of many. For two classes it also has the probability of
// Classes[1] alone, Prob, and if it is linear their hyperplane:
//
//	if h, ok := m.Hyperplane(); ok {
//		fmt.Println(h.W, h.B, m.Prob(x)) // P(Y = Classes[1] | X = x) = σ(w·x + b)
//	}
//
// # What to use when
//
//   - LDA: one covariance for all classes, so that the boundaries are hyperplanes. It is
//     optimal if the classes are Gaussian and do have equal covariances. It also finds
//     Fisher's directions, in which the classes are farthest apart.
//   - QDA: a covariance for each class, so that the boundaries are quadrics. It needs more
//     samples.
//   - GaussianNB: naive Bayes, QDA without covariances between the columns. Two samples of
//     each class are enough, and many columns cost little.
//   - DiagonalLDA: naive Bayes with the same variances in all classes, LDA without
//     covariances between the columns. Its boundaries are hyperplanes.
//   - BernoulliNB: naive Bayes for columns of 0 and 1. Its boundaries are hyperplanes.
//
// Package logistic estimates the same probabilities by a discriminative model: the w and b
// of LDA, DiagonalLDA or BernoulliNB, without an assumption about the distribution of the
// samples. It needs more samples to do as well where the assumption holds, and does better
// with many where it does not (Andrew Ng and Michael Jordan, "On discriminative vs.
// generative classifiers: a comparison of logistic regression and naive Bayes", 2002).
//
// A column that is the same in all samples, up to the rounding of its numbers, says nothing
// about the classes. The Gaussian models ignore it, and say so by a variance of 0. If other
// columns of X are linearly dependent within the classes, LDA and QDA return a *SingularError;
// Shrinkage and LedoitWolf make the covariance invertible. Naive Bayes has no such covariance:
// only a column that does not vary in a class is such an error, and VarSmoothing gives it a
// variance.
//
// All fits take weights: of the samples by FitWith, of the classes by ClassWeights or
// Balanced. A sample of weight 2 counts as two. Priors give the classes other probabilities
// without that.
//
// Shifting or scaling a column of X does not change the predictions beyond the rounding of
// the samples, for columns up to 10¹² standard deviations away from 0 and of size 10⁻¹⁵⁰ to
// 10¹⁵⁰. With Shrinkage, which depends on the units of the columns, only shifts have no
// effect.
//
// In scikit-learn, LDA is LinearDiscriminantAnalysis, and QDA is
// QuadraticDiscriminantAnalysis. GaussianNB and BernoulliNB have the same names.
//
// # The files
//
//   - lda.go, qda.go, gaussiannb.go, diagonallda.go, bernoullinb.go: an algorithm each, and
//     its models
//   - labelled.go, weights.go: samples by class, with priors and weights
//   - gaussians.go, variances.go: the means and covariances that the algorithms share
//   - columns.go: LDA and QDA without constant columns
//   - rows.go: scores and labels of many samples
//   - decode.go, decode_naivebayes.go: the decoding of the models
//
// Package mlkit documents what all algorithms have in common, shapes, labels and errors,
// and lists the lectures that the comments cite.
package discriminant
