package main

import (
	"errors"

	"marginalia/mlkit"
	"marginalia/mlkit/linear"
)

func fitLogistic(t task, train, _ samples, c *clock) (s solution, err error) {
	return signs(linear.Logistic{L2: 1 / t.Params.C, Solver: linear.LBFGS, Tol: t.Params.Tol}, train, c)
}

// fitLogisticDefault leaves the solver and when to stop to mlkit; Tol is that of the
// others.
func fitLogisticDefault(t task, train, _ samples, c *clock) (s solution, err error) {
	return signs(linear.Logistic{L2: 1 / t.Params.C}, train, c)
}

func fitLogisticL1(t task, train, _ samples, c *clock) (s solution, err error) {
	return signs(linear.Logistic{L1: 1 / t.Params.C}, train, c)
}

func signs(l linear.Logistic, train samples, c *clock) (s solution, err error) {
	var m *linear.LogisticModel
	if err := c.fit(func() error { m, err = l.Fit(train.X, train.y); return err }); err != nil {
		return s, err
	}
	return s.with(m.Hyperplane), nil
}

func fitSoftmax(t task, train, _ samples, c *clock) (s solution, err error) {
	return classes(linear.Logistic{L2: 1 / t.Params.C, Solver: linear.LBFGS, Tol: t.Params.Tol}, train, c)
}

func fitSoftmaxDefault(t task, train, _ samples, c *clock) (s solution, err error) {
	return classes(linear.Logistic{L2: 1 / t.Params.C}, train, c)
}

func classes(l linear.Logistic, train samples, c *clock) (s solution, err error) {
	var m *linear.SoftmaxModel
	if err := c.fit(func() error { m, err = l.FitClasses(train.X, train.y); return err }); err != nil {
		return s, err
	}
	s.W, s.B = m.W, m.B
	return s, nil
}

// fitLeastSquares has the labels for targets.
func fitLeastSquares(t task, train, _ samples, c *clock) (s solution, err error) {
	targets := make([]float64, len(train.y))
	for i, y := range train.y {
		targets[i] = float64(y)
	}
	var m *linear.LeastSquaresModel
	if err := c.fit(func() error {
		m, err = linear.LeastSquares{Ridge: t.Params.Lambda}.Fit(train.X, targets)
		return err
	}); err != nil {
		return s, err
	}
	return s.with(linear.Hyperplane{W: m.W, B: m.B}), nil
}

func fitLDA(_ task, train, _ samples, c *clock) (s solution, err error) {
	p := linear.LDA{Divisor: linear.MaximumLikelihood} // as scikit-learn since 1.9
	var m *linear.LDAModel
	if err := c.fit(func() error { m, err = p.Fit(train.X, train.y); return err }); err != nil {
		return s, err
	}
	return s.with(m.Hyperplane), nil
}

// fitPerceptron takes the hyperplane after the last pass, as scikit-learn does; the
// model has the best one.
func fitPerceptron(t task, train, _ samples, c *clock) (s solution, err error) {
	var last linear.Hyperplane
	p := linear.Perceptron{MaxEpochs: t.Params.Passes, TraceEpoch: func(e linear.PerceptronEpoch) bool {
		last = e.Hyperplane
		return true
	}}
	if err := c.fit(func() error {
		_, err := p.Fit(train.X, train.y)
		if errors.As(err, new(*mlkit.NotConvergedError)) {
			return nil // the passes are over
		}
		return err
	}); err != nil {
		return s, err
	}
	return s.with(last), nil
}
