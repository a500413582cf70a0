// Package leastsquares provides least squares: linear and ridge regression, the
// pseudoinverse and the normal equations, and the classifier that has labels as targets. It
// minimises
//
//	J(w, b) = Σ (yᵢ - w·xᵢ - b)² + λ‖w‖²
//
// A fit returns a model:
//
//	m, err := leastsquares.Regression{}.Fit(X, y) // X is n×d, one sample a row; y[i] is a number
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.W, m.B, m.MSE, m.Score(x))
//
// # What to use when
//
//   - Regression: numbers as targets, one for each sample (Fit) or several (FitTargets)
//   - Classifier: two classes or more, with any labels, by one linear solve. It may miss a
//     separating hyperplane; package discriminant and package logistic model the classes.
//   - PseudoInverse, NormalEquations: the lecture's X# and XᵀX themselves
//
// FitWith and FitTargetsWith take a weight for each sample, and Classifier.ClassWeights has one
// for each class, or Balanced computes them: a sample of weight 2 counts as two, one of weight
// 0 is absent.
//
// If the columns of X are linearly dependent, there are many solutions. Regression returns
// the one with the smallest ‖w‖, as scikit-learn does.
//
// Shifting or scaling a column of X does not change the predictions beyond the rounding of
// the samples, for columns up to 10¹² standard deviations away from 0 and of size 10⁻¹⁵⁰ to
// 10¹⁵⁰. With a Lambda, which depends on the units of the columns, only shifts have no
// effect.
//
// In scikit-learn, Regression is LinearRegression and, with Lambda, Ridge; Classifier is
// RidgeClassifier.
//
// # The files
//
//   - leastsquares.go, classifier.go: Regression and Classifier
//   - problem.go: the problem in units and an origin of its own; weights.go; residuals.go:
//     its errors
//   - solve.go: which of the solutions below, and the model that comes of it
//   - tall.go, wide.go: Householder reflections, for more rows than unknowns or fewer
//   - products.go, rows.go: the Gram matrix of the columns or of the rows, for large
//     problems; condition.go tells whether it will do
//   - shortest.go: the shortest solution among many
//   - decode.go: the decoding of the models
//
// Package mlkit documents what all algorithms have in common, shapes, labels and errors,
// and lists the lectures that the comments cite.
package leastsquares
