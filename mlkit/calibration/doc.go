// Package calibration turns the scores of a classifier into probabilities. A score says which
// class, and how far from the boundary; a calibrated probability says how often the class is
// right among samples of that score.
//
//	fit := svm.Classifier{}.Fit
//	folds, err := eval.KFold{Shuffle: true}.Stratified(y)
//	scores, err := eval.CrossScores(ctx, eval.Plan{Folds: folds}, fit, X, y)
//	p, err := calibration.FitPlatt(scores, y)
//	m, err := fit(X, y)
//	fmt.Println(p.Prob(m.Score(x)))
//
// Any scores will do: of this library's models or of others. Package logistic and package
// discriminant estimate probabilities themselves.
package calibration
