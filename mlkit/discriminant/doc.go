// Package discriminant provides linear and quadratic discriminant analysis: probabilities
// of classes that are taken to be Gaussian, from their means, covariances and frequencies.
//
//	m, err := discriminant.LDA{}.Fit(X, y) // X is n×d, one sample a row; y[i] is -1 or +1
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.W, m.B, m.Prob(x)) // P(Y = 1 | X = x) = σ(w·x + b)
//
// # What to use when
//
//   - LDA: one covariance for all classes, so that the boundaries are hyperplanes. It is
//     optimal if the classes are Gaussian and do have equal covariances. It also finds
//     Fisher's directions, in which the classes are farthest apart.
//   - QDA: a covariance for each class, so that the boundaries are quadrics. It needs more
//     samples.
//
// Package logistic estimates the same probabilities without the Gaussian assumption.
//
// If columns of X are linearly dependent within the classes, a fit returns a
// *SingularError; Shrinkage and LedoitWolf make the covariance invertible.
//
// Shifting or scaling a column of X does not change the predictions beyond the rounding of
// the samples, for columns up to 10¹² standard deviations away from 0 and of size 10⁻¹⁵⁰ to
// 10¹⁵⁰. With Shrinkage, which depends on the units of the columns, only shifts have no
// effect.
//
// Package mlkit documents what all algorithms have in common, shapes, labels and errors,
// and lists the lectures that the comments cite.
package discriminant
