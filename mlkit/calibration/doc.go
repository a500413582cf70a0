// Package calibration turns the scores of a classifier into probabilities. A score says which
// class, and how far from the boundary; a calibrated probability says how often the class is
// right among samples of that score.
//
//	c := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{C: 10}}
//	m, err := c.Fit(X, y)
//	fmt.Println(m.Predict(x), m.Prob(x))
//
// Classifier trains any algorithm for two classes, cross-validates it, and fits Platt's sigmoid
// to the scores.
//
// # Many classes
//
// A Classifier for each pair of classes gives the probabilities of all classes, by pairwise
// coupling: see multiclass.ProbableOneVsOne.
//
//	o := multiclass.ProbableOneVsOne[*calibration.ClassifierModel[*svm.Model]]{Binary: c}
//	m, err := o.Fit(X, y) // y[i] is any int
//	fmt.Println(m.Classes, m.Posterior(nil, x))
//
// # Scores alone
//
// FitPlatt takes any scores, of this library's models or of others:
//
//	a := svm.Classifier{}
//	folds, err := eval.KFold{Shuffle: true}.Stratified(y)
//	scores, err := eval.CrossScores(mlkit.Options{}, eval.Plan{Folds: folds}, a, X, y)
//	p, err := calibration.FitPlatt(scores, y, nil)
//	m, err := a.Fit(X, y)
//	fmt.Println(p.Prob(m.Score(x)))
//
// Packages logistic, discriminant and neighbors estimate probabilities themselves.
//
// In scikit-learn, Classifier is CalibratedClassifierCV with method="sigmoid".
package calibration
