package leastsquares

import (
	"context"

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
}

// regression returns the regression on the targets of the classes.
func (l Classifier) regression() Regression {
	return Regression{Bias: l.Bias, Lambda: l.Lambda, Solver: l.Solver, RankTol: l.RankTol}
}

// ClassifierModel is what a Classifier has learnt from two classes.
type ClassifierModel struct {
	mlkit.Hyperplane
	Rank int     `json:"rank"` // as in Model
	MSE  float64 `json:"mse"`  // as in Model
}

// ClassesModel is what a Classifier has learnt from M classes. Its discriminants are mean
// square estimates of the posteriors P(ωₖ|x) (Theodoridis, "Remark"). With a bias and
// λ = 0 they sum to 1, but they can lie outside [0, 1]. A class between others can be
// masked: its discriminant is largest nowhere.
type ClassesModel struct {
	mlkit.LinearMachine
	Rank int       `json:"rank"` // as in ClassifierModel
	MSE  []float64 `json:"mse"`  // of each class
}

var (
	_ mlkit.ClassifierModel = (*ClassifierModel)(nil)
	_ mlkit.Predictor       = (*ClassesModel)(nil)
)

// Fit learns from the rows of X (n×d) with labels y[i], each -1 or +1, as targets. It
// returns an error that names what is wrong with X, y or l.
func (l Classifier) Fit(X *mat.Dense, y []int) (*ClassifierModel, error) {
	return l.FitContext(context.Background(), X, y)
}

// FitContext is to Fit what Regression.FitContext is to Regression.Fit.
func (l Classifier) FitContext(ctx context.Context, X *mat.Dense, y []int) (*ClassifierModel, error) {
	return l.FitWeightedContext(ctx, X, y, nil)
}

// FitWeighted is Fit with a weight sᵢ ≥ 0 for each row of X, as in Regression.FitWeighted;
// ClassWeights multiply it. Each label needs a row with a weight above 0.
func (l Classifier) FitWeighted(X *mat.Dense, y []int, weights []float64) (*ClassifierModel, error) {
	return l.FitWeightedContext(context.Background(), X, y, weights)
}

// FitWeightedContext is to FitWeighted what Regression.FitContext is to Regression.Fit.
func (l Classifier) FitWeightedContext(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*ClassifierModel, error) {
	const name = "Classifier"
	if err := l.regression().check(name, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := check.Signs("leastsquares", n, y); err != nil {
		return nil, err
	}
	if err := check.BothSigns("leastsquares", y); err != nil {
		return nil, err
	}
	weights, err := sampleWeights(l.ClassWeights, y, weights)
	if err != nil {
		return nil, err
	}
	s, err := l.regression().solve(ctx, name, data{X, 1, func(dst []float64, i int) { dst[0] = float64(y[i]) }, weights})
	if err != nil {
		return nil, err
	}
	m := &ClassifierModel{Hyperplane: mlkit.Hyperplane{W: s.W[0], B: s.B[0]}, Rank: s.rank, MSE: s.mse[0]}
	return m, s.unsolved(name, m)
}

// FitClasses learns from the rows of X (n×d) with labels y[i], any ints, at least two
// different ones. Each class has its own target: 1 for its samples and 0 for the others
// (Theodoridis, "Multi-class generalization").
func (l Classifier) FitClasses(X *mat.Dense, y []int) (*ClassesModel, error) {
	return l.FitClassesContext(context.Background(), X, y)
}

// FitClassesContext is to FitClasses what Regression.FitContext is to
// Regression.Fit.
func (l Classifier) FitClassesContext(ctx context.Context, X *mat.Dense, y []int) (*ClassesModel, error) {
	return l.FitClassesWeightedContext(ctx, X, y, nil)
}

// FitClassesWeighted is FitClasses with a weight sᵢ ≥ 0 for each row of X, as in
// Regression.FitWeighted; ClassWeights multiply it. A class whose rows all have the weight 0
// is absent from the model; at least two must be left.
func (l Classifier) FitClassesWeighted(X *mat.Dense, y []int, weights []float64) (*ClassesModel, error) {
	return l.FitClassesWeightedContext(context.Background(), X, y, weights)
}

// FitClassesWeightedContext is to FitClassesWeighted what Regression.FitContext is to
// Regression.Fit.
func (l Classifier) FitClassesWeightedContext(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*ClassesModel, error) {
	const name = "Classifier"
	if err := l.regression().check(name, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	classes, index, err := check.Classes("leastsquares", n, y)
	if err != nil {
		return nil, err
	}
	weights, err = sampleWeights(l.ClassWeights, y, weights)
	if err != nil {
		return nil, err
	}
	if weights != nil {
		classes, index = check.Present(y, weights)
	}
	s, err := l.regression().solve(ctx, name, data{X, len(classes), func(dst []float64, i int) {
		clear(dst)
		dst[index[i]] = 1
	}, weights})
	if err != nil {
		return nil, err
	}
	m := &ClassesModel{LinearMachine: mlkit.LinearMachine{Classes: classes, W: s.W, B: s.B}, Rank: s.rank, MSE: s.mse}
	return m, s.unsolved(name, m)
}
