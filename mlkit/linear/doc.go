// Package linear provides classifiers with a linear decision boundary, w·x + b = 0: the
// perceptron in the lectures' variants, with the quantities of Novikoff's theorem;
// threshold units and layers of them; least squares and ridge regression; linear
// discriminant analysis, and the quadratic one for comparison, which drops the
// assumption of equal covariances; and logistic regression. The hyperplane itself, with
// distances, projections and margins, is mlkit.Hyperplane.
//
//	p := linear.Perceptron{}
//	m, err := p.Fit(X, y) // X is n×d, one sample a row; y[i] is -1 or +1
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.Mistakes, m.Score(x), m.Predict(x))
//
// # What to use when
//
//   - Perceptron, DualPerceptron: separable classes. If the weights recur, the fit
//     proves that no hyperplane separates them. BatchPerceptron is gradient descent
//     on the same cost.
//   - Pocket, AveragedPerceptron, VotedPerceptron: perceptrons for classes that
//     overlap
//   - LeastSquaresClassifier: one linear solve, for any classes; it may miss a
//     separating hyperplane. LeastSquares, with Ridge, is for regression.
//   - LDA: probabilities from class means and one covariance, optimal if the classes
//     are Gaussian with equal covariances; QDA if the covariances differ
//   - Logistic: class probabilities without the Gaussian assumption; with L2 or L1
//     also for separable classes
//   - Hyperplane, NewNovikoff: margins and the mistake bound of any linear classifier
//   - ThresholdUnit, Layer, Network: threshold units and networks of them
//
// If the columns of X are linearly dependent, least squares has many solutions.
// LeastSquares returns the one with the smallest ‖w‖, as scikit-learn does. LDA returns
// an error for such columns, and Logistic finds one of the solutions.
//
// # Shifting and scaling the columns
//
// Shifting or scaling a column of X does not change the predictions of LeastSquares,
// LDA, QDA and Logistic beyond the rounding of the samples, for columns up to 10¹²
// standard deviations away from 0 and of size 10⁻¹⁵⁰ to 10¹⁵⁰. A penalty or shrinkage
// depends on the units of the columns: with Ridge, L2, L1 and Shrinkage only shifts
// have no effect. The steps of all perceptrons depend on both, and so does their number
// of mistakes: standardise the samples first (feature.Standardise).
//
// Package mlkit documents what all algorithms have in common: shapes, labels, errors,
// traces.
//
// # References
//
// The lectures cited in the comments are
//
//   - CMU: "Perceptron: Geometric Margins, Kernel Methods, Support Vector Machines",
//     slides of a machine learning course, Carnegie Mellon University
//   - Cornell: Serge Belongie, "CS 5785 Applied Machine Learning, lecture 15",
//     Cornell Tech, 2018
//   - EE-559: François Fleuret, "EE-559 Deep learning, 3a. Linear classifiers,
//     perceptron", EPFL, 2018
//   - Theodoridis: Sergios Theodoridis and Konstantinos Koutroumbas, "Pattern
//     Recognition", 4th edition, 2009, chapter 3, Linear Classifiers
//   - Yuille: Alan Yuille, "Linear classifiers, perceptrons, margins and duality",
//     lecture notes
//
// Beyond the lectures, the variants of the perceptron follow Yoav Freund and Robert
// Schapire, "Large margin classification using the perceptron algorithm", Machine
// Learning 37, 1999 (voted and averaged), and Stephen Gallant, "Perceptron-based
// learning algorithms", IEEE Transactions on Neural Networks 1, 1990 (pocket).
package linear
