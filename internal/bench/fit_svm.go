package main

import (
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/svm"
)

func classifier(p params) svm.Classifier {
	return svm.Classifier{C: p.C, Kernel: kernel.RBF{Gamma: p.Gamma}, Tol: p.Tol, CacheBytes: int64(p.CacheMB) << 20}
}

func twoClasses(m *svm.Model) solution {
	return solution{Machines: []machine{{Positive: +1, Negative: -1, Rows: m.Support, Coef: m.Coef, B: m.B}}}
}

var fitSVC = learn(func(p params, train samples) (*svm.Model, error) {
	return classifier(p).Fit(train.X, train.y)
}, twoClasses)

func fitSVCClasses(t task, train, test samples, c *clock) (s solution, err error) {
	var m *svm.OneAgainstOneModel[*svm.Model]
	c.fitting.measure(func() {
		m, err = svm.OneAgainstOne[*svm.Model]{Binary: classifier(t.Params)}.Fit(train.X, train.y)
	})
	if err != nil {
		return s, err
	}
	for k, pair := range m.Machines {
		rows := make([]int, len(pair.Support))
		for i, row := range pair.Support {
			rows[i] = m.Rows[k][row]
		}
		s.Machines = append(s.Machines, machine{Positive: m.Pairs[k][0], Negative: m.Pairs[k][1], Rows: rows, Coef: pair.Coef, B: pair.B})
	}
	c.predicting.measure(func() { s.Labels = m.Predictions(nil, test.X) })
	return s, nil
}

func fitSVCPredict(t task, train, test samples, c *clock) (s solution, err error) {
	m, err := classifier(t.Params).Fit(train.X, train.y)
	if err != nil {
		return s, err
	}
	s = twoClasses(m)
	c.fitting.measure(func() { s.Predicted = m.Scores(nil, test.X) })
	return s, nil
}

var fitLinearPrimal = learn(func(p params, train samples) (*svm.LinearModel, error) {
	return svm.Newton{C: p.C, Bias: svm.PenalisedBias, Tol: p.Gap}.Fit(train.X, train.y)
}, linearSVM)

var fitLinearDual = learn(func(p params, train samples) (*svm.LinearModel, error) {
	return svm.DualDescent{C: p.C, Loss: svm.Hinge, Bias: svm.PenalisedBias, Tol: p.Gap}.Fit(train.X, train.y)
}, linearSVM)

func linearSVM(m *svm.LinearModel) solution {
	s := hyperplane(m.Hyperplane)
	s.Passes = m.Iterations
	return s
}
