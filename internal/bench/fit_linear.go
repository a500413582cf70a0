package main

import (
	"errors"

	"marginalia/mlkit"
	"marginalia/mlkit/linear"
)

// signs and classes fit a logistic regression to two classes and to more.
func signs(of func(params) linear.Logistic) fitter {
	return learn(func(p params, train samples) (*linear.LogisticModel, error) {
		return of(p).Fit(train.X, train.y)
	}, func(m *linear.LogisticModel) solution { return hyperplane(m.Hyperplane) })
}

func classes(of func(params) linear.Logistic) fitter {
	return learn(func(p params, train samples) (*linear.SoftmaxModel, error) {
		return of(p).FitClasses(train.X, train.y)
	}, func(m *linear.SoftmaxModel) solution { return solution{W: m.W, B: m.B} })
}

func lbfgs(p params) linear.Logistic {
	return linear.Logistic{L2: 1 / p.C, Solver: linear.LBFGS, Tol: p.Tol}
}

// byDefault leaves the solver and when to stop to mlkit, and so does sparse; Tol is that
// of the others.
func byDefault(p params) linear.Logistic { return linear.Logistic{L2: 1 / p.C} }
func sparse(p params) linear.Logistic    { return linear.Logistic{L1: 1 / p.C} }

// fitLeastSquares has the labels for targets.
func fitLeastSquares(t task, train, test samples, c *clock) (solution, error) {
	targets := train.targets()
	return learn(func(p params, train samples) (*linear.LeastSquaresModel, error) {
		return linear.LeastSquares{Ridge: p.Lambda}.Fit(train.X, targets)
	}, func(m *linear.LeastSquaresModel) solution {
		return hyperplane(linear.Hyperplane{W: m.W, B: m.B})
	})(t, train, test, c)
}

var fitLDA = learn(func(_ params, train samples) (*linear.LDAModel, error) {
	return linear.LDA{Divisor: linear.MaximumLikelihood}.Fit(train.X, train.y) // as scikit-learn since 1.9
}, func(m *linear.LDAModel) solution { return hyperplane(m.Hyperplane) })

// fitPerceptron takes the hyperplane after the last pass, as scikit-learn does; the
// model has the best one.
var fitPerceptron = learn(func(p params, train samples) (last linear.Hyperplane, err error) {
	_, err = linear.Perceptron{MaxEpochs: p.Passes, TraceEpoch: func(e linear.PerceptronEpoch) bool {
		last = e.Hyperplane
		return true
	}}.Fit(train.X, train.y)
	if errors.As(err, new(*mlkit.NotConvergedError)) {
		err = nil // the passes are over
	}
	return last, err
}, hyperplane)

func hyperplane(h linear.Hyperplane) solution {
	return solution{W: [][]float64{h.W}, B: []float64{h.B}}
}
