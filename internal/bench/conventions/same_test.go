//go:build unix

package conventions_test

import (
	"fmt"
	"math"
)

// pair is an algorithm of mlkit and one of a peer whose hyperparameters should give the same fit.
type pair struct{ ours, theirs library }

// pairs convert hyperparameters. n is the number of samples, 8, and d of columns, 2.
var pairs = []pair{
	// What the peers take by themselves.
	{ourOwn("`logistic.Regression{L2: 1}`", "logistic_l2", nil), sklearn("LogisticRegression", "logistic", nil)},
	{signed(ourOwn("`svm.Classifier{Kernel: kernel.RBF{Gamma: 1/(d·v)}}`, v the variance of all numbers of X", "svc_scale", nil)), sklearn("SVC", "svc", nil)},
	{signed(ourOwn("`svm.Classifier{Kernel: kernel.RBF{Gamma: 1/d}}`", "svc_auto", nil)), library{title: "LIBSVM", side: "libsvm", peer: "libsvm", parameters: options{"options": ""}}},
	{signed(ourOwn("`svm.Newton{Bias: mlkit.PenalizedBias}`", "newton_1_penalized", nil)), sklearn("LinearSVC", "linear_svc", nil)},
	{signed(ourOwn("`svm.Newton{Bias: mlkit.NoBias}`", "newton_1_none", nil)), library{title: "LIBLINEAR `-e 1e-9`", side: "libsvm", peer: "liblinear", parameters: options{"options": "-e 1e-9"}}},
	{ourOwn("`leastsquares.Classifier{Lambda: 1}`", "ridge_1", nil), sklearn("RidgeClassifier", "least_squares", nil)},
	{ourOwn("`logistic.Regression{L2: 2}`", "logistic_2", nil), sklearn("LogisticRegression", "logistic", options{"C": 0.5, "tol": 1e-10})},
	{ourOwn("`logistic.Regression{L2: 2}`", "logistic_2", nil), library{title: "LIBLINEAR `-s 0 -c 0.5 -B 1 -R`", side: "libsvm", peer: "liblinear", parameters: options{"options": "-s 0 -c 0.5 -B 1 -R -e 1e-8"}}},
	{ourOwn("`logistic.Regression{L2: 2}`", "logistic_2", nil), library{title: "LIBLINEAR `-s 0 -c 0.5 -B 1`", side: "libsvm", peer: "liblinear", parameters: options{"options": "-s 0 -c 0.5 -B 1 -e 1e-8"}}},
	{ourOwn("`logistic.Regression{L2: 2}`", "logistic_2", nil), library{title: "XGBoost `gblinear`, `lambda` 2/n", side: "python", peer: "xgboost_linear", parameters: options{"lambda": 0.25}}},
	{ourOwn("`logistic.Regression{}`", "logistic", nil), library{title: "statsmodels `Logit`", side: "python", peer: "statsmodels_logit"}},
	{ourOwn("`logistic.Regression{}`", "logistic", nil), sklearn("LogisticRegression", "logistic", options{"C": 1e300, "tol": 1e-10})},
	{ourOwn("`logistic.Regression{}`", "logistic", nil), library{title: "mlxtend `LogisticRegression`", side: "python", peer: "mlxtend_logistic"}},
	{signed(ourOwn("`svm.Classifier{C: 2}`", "svc_2", nil)), sklearn("SVC", "svc", options{"C": 2, "kernel": "linear", "tol": 1e-9})},
	{signed(ourOwn("`svm.Classifier{C: 2}`", "svc_2", nil)), library{title: "LIBSVM `-t 0 -c 2`", side: "libsvm", peer: "libsvm", parameters: options{"options": "-t 0 -c 2 -e 1e-9"}}},
	{signed(ourOwn("`svm.Classifier{C: 2}`", "svc_2", nil)), library{title: "OpenCV `ml.SVM`, C 2", side: "python", peer: "opencv_svm", parameters: options{"C": 2}}},
	{signed(ourOwn("`svm.Classifier{C: 2}`", "svc_2", nil)), signed(library{title: "ml-svm, C 2", side: "js", peer: "ml_svm", parameters: options{"C": 2}})},
	{signed(ourOwn("`svm.DualDescent{C: 2}`", "dual_2", nil)), sklearn("LinearSVC", "linear_svc", options{"C": 2, "loss": "hinge", "tol": 1e-9, "max_iter": 1000000})},
	{signed(ourOwn("`svm.DualDescent{C: 2, Bias: mlkit.PenalizedBias}`", "dual_2_penalized", nil)), sklearn("LinearSVC", "linear_svc", options{"C": 2, "loss": "hinge", "tol": 1e-9, "max_iter": 1000000})},
	{signed(ourOwn("`svm.DualDescent{C: 2, Bias: mlkit.PenalizedBias}`", "dual_2_penalized", nil)), library{title: "LIBLINEAR `-s 3 -c 2 -B 1`", side: "libsvm", peer: "liblinear", parameters: options{"options": "-s 3 -c 2 -B 1 -e 1e-9"}}},
	{signed(ourOwn("`svm.Newton{C: 2}`", "newton_2", nil)), library{title: "LIBLINEAR `-s 2 -c 2 -B 1 -R`", side: "libsvm", peer: "liblinear", parameters: options{"options": "-s 2 -c 2 -B 1 -R -e 1e-9"}}},
	{signed(ourOwn("`svm.Newton{C: 2, Bias: mlkit.PenalizedBias}`", "newton_2_penalized", nil)), sklearn("LinearSVC", "linear_svc", options{"C": 2, "dual": false, "tol": 1e-9})},
	{ourOwn("`leastsquares.Classifier{Lambda: 2}`", "ridge_2", nil), sklearn("RidgeClassifier", "least_squares", options{"alpha": 2})},
	{ourOwn("`discriminant.LDA{}`", "lda", nil), sklearn("LinearDiscriminantAnalysis", "lda", nil)},
	{ourOwn("`discriminant.LDA{Divisor: discriminant.MaximumLikelihood}`", "lda_likelihood", nil), sklearn("LinearDiscriminantAnalysis", "lda", nil)},
	{ourOwn("`discriminant.GaussianNB{Divisor: discriminant.MaximumLikelihood}`", "nb_likelihood", nil), sklearn("GaussianNB", "nb", nil)},
	{ourOwn("`discriminant.GaussianNB{}`", "nb", nil), library{title: "river `GaussianNB`", side: "python", peer: "river_nb"}},
}

// same says whether two libraries have the same scores, or log odds, of three samples, and if not, theirs
// divided by ours if that is one factor.
func (p pair) same() string {
	X, y, Z := plane(1)
	for _, rows := range [][][]float64{X, Z} { // far from the origin, so that a penalised b shows
		for _, row := range rows {
			row[0], row[1] = row[0]+1, row[1]+0.5
		}
	}
	a, b := p.ours.fit(X, y, Z), p.theirs.fit(X, y, Z)
	if b.Error != "" {
		return "error: " + words(b.Error)
	}
	same, factor := true, math.NaN()
	one := true
	for i, z := range Z {
		s, r := a.odds(z, i), b.odds(z, i)
		same = same && math.Abs(s-r) <= 5e-3*(1+math.Abs(s))
		if math.IsNaN(factor) {
			factor = r / s
		}
		one = one && math.Abs(r/s-factor) <= 5e-3*math.Abs(factor)
	}
	switch {
	case same:
		return "the same"
	case one && math.Abs(factor+1) < 5e-3:
		return "the same, with the other sign"
	case one && math.Abs(factor) > 1e-3:
		return fmt.Sprintf("%.3g times as large", factor)
	}
	return "another fit"
}

// odds is the score of sample i, or the log odds of its probability.
func (a answer) odds(z []float64, i int) float64 {
	if i < len(a.Probabilities) {
		p := float64(a.Probabilities[i][1])
		return math.Log(p / (1 - p))
	}
	s, ok := a.score(z, i)
	if !ok {
		return math.NaN()
	}
	return s
}
