package leastsquares

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Classifier is Regression with the classes as targets (Theodoridis, "Least
// Squares Methods") and the same hyperparameters. The classes need not be separable. If
// they are, it may still misclassify some samples, since a sample far on its own side
// costs as much as one on the wrong side (Trevor Hastie, Robert Tibshirani and Jerome
// Friedman, "The Elements of Statistical Learning", figure 4.14, shown in Cornell).
type Classifier struct {
	Bias    mlkit.Bias // as in Regression
	Lambda  float64    // as in Regression
	Solver  Solver     // as in Regression
	RankTol float64    // as in Regression

	// ClassWeights are the weights of the samples by label, above 0; 1 if absent. See
	// mlkit.BalancedWeights.
	ClassWeights map[int]float64

	// Balanced gives all classes the same total weight, computed at each fit: see package
	// mlkit. ClassWeights must then be empty.
	Balanced bool
}

// regression returns the regression on the targets of the classes.
func (l Classifier) regression() Regression {
	return Regression{Bias: l.Bias, Lambda: l.Lambda, Solver: l.Solver, RankTol: l.RankTol}
}

// ClassifierModel is what a Classifier has learnt from M classes. Its discriminants are mean
// square estimates of the posteriors P(ωₖ|x) (Theodoridis, "Remark"). With a bias and
// λ = 0 they sum to 1, but they can lie outside [0, 1]. A class between others can be
// masked: its discriminant is largest nowhere.
type ClassifierModel struct {
	mlkit.LinearMachine
	Rank int       `json:"rank"` // as in Model
	MSE  []float64 `json:"mse"`  // of the targets of each class, as in Model
}

var _ mlkit.ClassifierModel = (*ClassifierModel)(nil)

// Fit learns from the rows of X (n×d) with labels y[i], any ints, at least two different ones.
// Each class has its own target: 1 for its samples and 0 for the others (Theodoridis,
// "Multi-class generalization"). For two classes the difference of the two discriminants,
// which is the score, is therefore what Regression learns from the targets -1 for Classes[0]
// and +1 for Classes[1]; with a bias, both MSE are a quarter of its. Fit returns an error that
// names what is wrong with X, y or l.
func (l Classifier) Fit(X *mat.Dense, y []int) (*ClassifierModel, error) {
	return l.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with weights sᵢ ≥ 0 of the samples, as
// Regression.FitWith is. ClassWeights multiply the weights. A class whose rows all have the
// weight 0 is absent from the model; at least two must be left.
func (l Classifier) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*ClassifierModel, error) {
	const name = "Classifier"
	if err := l.regression().check(name, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	classes, index, err := check.Classes("leastsquares", n, y)
	if err != nil {
		return nil, err
	}
	weights, err := l.sampleWeights(y, o.Weights)
	if err != nil {
		return nil, err
	}
	if weights != nil {
		classes, index = check.Present(y, weights)
	}
	s, err := l.regression().solve(o.ContextOrBackground(), name, data{X, len(classes), func(dst []float64, i int) {
		clear(dst)
		dst[index[i]] = 1
	}, weights})
	if err != nil {
		return nil, err
	}
	m := &ClassifierModel{LinearMachine: mlkit.LinearMachine{Classes: classes, W: s.W, B: s.B}, Rank: s.rank, MSE: s.mse}
	return m, s.unsolved(name, m)
}
