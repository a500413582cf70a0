package main

import (
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/linear"
	"marginalia/mlkit/svm"
)

func classifier(p params) svm.Classifier {
	return svm.Classifier{C: p.C, Kernel: kernel.RBF{Gamma: p.Gamma}, Tol: p.Tol, CacheBytes: int64(p.CacheMB) << 20}
}

func fitSVC(t task, train, _ samples, c *clock) (s solution, err error) {
	var m *svm.Model
	if err := c.fit(func() error { m, err = classifier(t.Params).Fit(train.X, train.y); return err }); err != nil {
		return s, err
	}
	s.Machines = []machine{{Positive: +1, Negative: -1, Rows: m.Support, Coef: m.Coef, B: m.B}}
	return s, nil
}

func fitSVCClasses(t task, train, test samples, c *clock) (s solution, err error) {
	var m *svm.OneAgainstOneModel[*svm.Model]
	if err := c.fit(func() error {
		m, err = svm.OneAgainstOne[*svm.Model]{Binary: classifier(t.Params)}.Fit(train.X, train.y)
		return err
	}); err != nil {
		return s, err
	}
	for k, pair := range m.Machines {
		rows := make([]int, len(pair.Support))
		for i, row := range pair.Support {
			rows[i] = m.Rows[k][row]
		}
		s.Machines = append(s.Machines, machine{Positive: m.Pairs[k][0], Negative: m.Pairs[k][1], Rows: rows, Coef: pair.Coef, B: pair.B})
	}
	return s, c.predict(func() error { s.Labels = m.Predictions(nil, test.X); return nil })
}

func fitSVCPredict(t task, train, test samples, c *clock) (s solution, err error) {
	m, err := classifier(t.Params).Fit(train.X, train.y)
	if err != nil {
		return s, err
	}
	s.Machines = []machine{{Positive: +1, Negative: -1, Rows: m.Support, Coef: m.Coef, B: m.B}}
	return s, c.fit(func() error { s.Predicted = m.Scores(nil, test.X); return nil })
}

func fitLinearPrimal(t task, train, _ samples, c *clock) (s solution, err error) {
	var m *svm.LinearModel
	if err := c.fit(func() error {
		m, err = svm.Newton{C: t.Params.C, Bias: svm.PenalisedBias, Tol: t.Params.Gap}.Fit(train.X, train.y)
		return err
	}); err != nil {
		return s, err
	}
	s.Passes = m.Iterations
	return s.with(m.Hyperplane), nil
}

func fitLinearDual(t task, train, _ samples, c *clock) (s solution, err error) {
	var m *svm.LinearModel
	if err := c.fit(func() error {
		m, err = svm.DualDescent{C: t.Params.C, Loss: svm.Hinge, Bias: svm.PenalisedBias, Tol: t.Params.Gap}.Fit(train.X, train.y)
		return err
	}); err != nil {
		return s, err
	}
	s.Passes = m.Iterations
	return s.with(m.Hyperplane), nil
}

// with is the solution with the weights of a hyperplane.
func (s solution) with(h linear.Hyperplane) solution {
	s.W, s.B = [][]float64{h.W}, []float64{h.B}
	return s
}
