// Package linear holds classifiers whose decision boundary is a hyperplane,
// w·x + b = 0: the perceptron in the forms in which the lectures have it, and the
// quantities of Novikoff's theorem; threshold units and layers of them; least
// squares and ridge; linear discriminants, with the quadratic ones beside them
// that show what equal covariances buy; and logistic regression. The hyperplane
// itself, with distances, feet of perpendiculars and margins, is mlkit.Hyperplane.
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
//   - Perceptron, DualPerceptron: classes that a hyperplane separates; where the weights
//     come back, they prove that none does. BatchPerceptron is gradient descent on the
//     same cost.
//   - Pocket, AveragedPerceptron, VotedPerceptron: the same for classes that overlap
//   - LeastSquaresClassifier: one solution of linear equations, for any classes; it may
//     miss a hyperplane that separates. LeastSquares and its Ridge are for targets that
//     are numbers.
//   - LDA: probabilities from means and one covariance, the best there is if the classes
//     are Gaussian and share it; QDA if they don't share it
//   - Logistic: the same probabilities without that assumption; with L2 or L1 also for
//     classes that can be separated
//   - Hyperplane, NewNovikoff: margins and the bound of the mistakes, for any of them
//   - ThresholdUnit, Layer, Network: what is built of such units
//
// Where the columns of X are dependent, least squares has many solutions. LeastSquares
// returns the one with the shortest w, as scikit-learn does. LDA refuses such columns, and
// Logistic finds one of the solutions.
//
// # Origins and units of the columns
//
// They make no difference to the predictions of LeastSquares, LDA, QDA and Logistic beyond
// the rounding of the samples, with columns up to 10¹² deviations away from 0 and from
// 10⁻¹⁵⁰ to 10¹⁵⁰ in size. A penalty or shrinkage is in the units of the columns, so with
// Ridge, L2, L1 and Shrinkage only the origins make none. The steps of all perceptrons
// depend on both, and so does the number of their mistakes: give them samples of
// feature.Standardise.
//
// Package mlkit states what holds for every algorithm: shapes, labels, errors,
// traces.
//
// # References
//
// The lectures named in the comments are
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
// Beyond the lectures, the perceptron's forms are those of Yoav Freund and Robert
// Schapire, "Large margin classification using the perceptron algorithm", Machine
// Learning 37, 1999 (voted and averaged), and of Stephen Gallant, "Perceptron-based
// learning algorithms", IEEE Transactions on Neural Networks 1, 1990 (pocket).
package linear
