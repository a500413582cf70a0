package main

import (
	"errors"

	"marginalia/mlkit"
	"marginalia/mlkit/linear"
)

func fitLogistic(t task, train, _ samples, c *clock) (s solution, err error) {
	var m *linear.LogisticModel
	if err := c.fit(func() error { m, err = logistic(t.Params).Fit(train.X, train.y); return err }); err != nil {
		return s, err
	}
	return s.with(m.Hyperplane), nil
}

func fitSoftmax(t task, train, _ samples, c *clock) (s solution, err error) {
	var m *linear.SoftmaxModel
	if err := c.fit(func() error { m, err = logistic(t.Params).FitClasses(train.X, train.y); return err }); err != nil {
		return s, err
	}
	s.W, s.B = m.W, m.B
	return s, nil
}

func logistic(p params) linear.Logistic {
	return linear.Logistic{L2: 1 / p.C, Solver: linear.LBFGS, Tol: p.Tol}
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
