// Package linear holds classifiers whose decision boundary is a hyperplane,
// w·x + b = 0: the hyperplane itself, with distances, feet of perpendiculars and
// margins, the perceptron in the forms in which the lectures have it, and the
// quantities of Novikoff's theorem; threshold units and layers of them; least
// squares and ridge; linear discriminants, with the quadratic ones beside them
// that show what equal covariances buy; and logistic regression.
//
//	p := linear.Perceptron{}
//	m, err := p.Fit(X, y) // X is n×d, one sample a row; y[i] is -1 or +1
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.Mistakes, m.Score(x), m.Predict(x))
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
//   - EE-559: François Fleuret, "EE-559 Deep learning, 3a. Linear classifiers,
//     perceptron", EPFL, 2018
//   - Theodoridis: Sergios Theodoridis and Konstantinos Koutroumbas, "Pattern
//     Recognition", chapter 3, Linear Classifiers; example 3.2
//   - Yuille: Alan Yuille, "Linear classifiers, perceptrons, margins and duality",
//     lecture notes
package linear
