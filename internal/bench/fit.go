package main

import (
	"errors"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/kernelized"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/neighbors"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/svm"
)

// signs and classes fit a logistic regression to two classes and to more.
func signs(of func(params) logistic.Regression) fitter {
	return learn(func(p params, train samples) (*logistic.Model, error) {
		return of(p).Fit(train.X, train.y)
	}, func(m *logistic.Model) solution { return hyperplane(m.Between(1, 0)) })
}

func classes(of func(params) logistic.Regression) fitter {
	return learn(func(p params, train samples) (*logistic.Model, error) {
		return of(p).Fit(train.X, train.y)
	}, func(m *logistic.Model) solution { return solution{W: m.W, B: m.B} })
}

func lbfgs(p params) logistic.Regression {
	return logistic.Regression{L2: 1 / p.C, Solver: logistic.LBFGS, Tol: p.Tol}
}

// byDefault leaves the solver and when to stop to mlkit, and so does sparse; Tol is that
// of the others.
func byDefault(p params) logistic.Regression { return logistic.Regression{L2: 1 / p.C} }
func sparse(p params) logistic.Regression    { return logistic.Regression{L1: 1 / p.C} }

// fitLeastSquares has the labels for targets.
func fitLeastSquares(t task, train, test samples, c *clock) (solution, error) {
	targets := train.targets()
	return learn(func(p params, train samples) (*leastsquares.Model, error) {
		return leastsquares.Regression{Lambda: p.Lambda}.Fit(train.X, targets)
	}, func(m *leastsquares.Model) solution {
		return hyperplane(mlkit.Hyperplane{W: m.W, B: m.B})
	})(t, train, test, c)
}

var fitLDA = learn(func(_ params, train samples) (*discriminant.LDAModel, error) {
	return discriminant.LDA{Divisor: discriminant.MaximumLikelihood}.Fit(train.X, train.y) // as scikit-learn since 1.9
}, func(m *discriminant.LDAModel) solution { return hyperplane(m.Between(1, 0)) })

// fitPerceptron takes the hyperplane after the last pass, as scikit-learn does; the
// model has the best one.
var fitPerceptron = learn(func(p params, train samples) (last mlkit.Hyperplane, err error) {
	_, err = perceptron.Perceptron{MaxIter: p.Passes, TraceEpoch: func(e perceptron.Epoch) bool {
		last = e.Hyperplane
		return true
	}}.Fit(train.X, train.y)
	if errors.As(err, new(*mlkit.NotConvergedError)) {
		err = nil // the passes are over
	}
	return last, err
}, hyperplane)

func hyperplane(h mlkit.Hyperplane) solution {
	return solution{W: [][]float64{h.W}, B: []float64{h.B}}
}

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
	var m *multiclass.OneVsOneModel[*svm.Model]
	c.fitting.measure(func() {
		m, err = multiclass.OneVsOne[*svm.Model]{Binary: classifier(t.Params)}.Fit(train.X, train.y)
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
	return svm.Newton{C: p.C, Bias: mlkit.PenalizedBias, Tol: p.Gap}.Fit(train.X, train.y)
}, linearSVM)

var fitLinearDual = learn(func(p params, train samples) (*svm.LinearModel, error) {
	return svm.DualDescent{C: p.C, Loss: svm.Hinge, Bias: mlkit.PenalizedBias, Tol: p.Gap}.Fit(train.X, train.y)
}, linearSVM)

func linearSVM(m *svm.LinearModel) solution {
	s := hyperplane(m.Hyperplane)
	s.Passes = m.Iterations
	return s
}

var fitKernelPCA = learn(func(p params, train samples) (*kernelized.PCAModel, error) {
	return kernelized.PCA{Kernel: kernel.RBF{Gamma: p.Gamma}, Components: p.K}.Fit(train.X)
}, func(m *kernelized.PCAModel) solution { return solution{Vectors: rowsOf(m.Eigenvectors.Dense())} })

func fitKernelRidge(t task, train, test samples, c *clock) (solution, error) {
	targets := train.targets()
	return learn(func(p params, train samples) (*kernelized.RidgeModel, error) {
		return kernelized.Ridge{Kernel: kernel.RBF{Gamma: p.Gamma}, Lambda: p.Lambda, Bias: mlkit.NoBias}.Fit(train.X, targets)
	}, func(m *kernelized.RidgeModel) solution { return solution{Alpha: m.Coef} })(t, train, test, c)
}

// fitKMeans starts from the first samples, as every side does.
var fitKMeans = learn(func(p params, train samples) (*cluster.KMeansModel, error) {
	_, d := train.X.Dims()
	return cluster.KMeans{K: p.K, Start: mat.DenseCopyOf(train.X.Slice(0, p.K, 0, d))}.Fit(train.X)
}, func(m *cluster.KMeansModel) solution { return solution{Centers: m.Centers, Passes: m.Iterations} })

var fitSpectral = learn(func(p params, train samples) (*cluster.SpectralModel, error) {
	if p.Neighbors > 0 {
		// scikit-learn counts a sample as its own neighbour.
		return cluster.Spectral{K: p.K, Affinity: cluster.Neighbors, Nearest: p.Neighbors - 1}.Fit(train.X)
	}
	return cluster.Spectral{K: p.K, Gamma: p.Gamma}.Fit(train.X)
}, func(m *cluster.SpectralModel) solution { return solution{Labels: m.Labels} })

// fitNeighbours has one vote: with more, the sides break ties of votes differently. Both keep
// the samples that they are given, and no copy.
func fitNeighbours(_ task, train, test samples, c *clock) (s solution, err error) {
	c.fitting.measure(func() {
		var m *neighbors.Model
		if m, err = (neighbors.KNN{K: 1, Share: true}).Fit(train.X, train.y); err == nil {
			s.Labels = m.Predictions(nil, test.X)
		}
	})
	return s, err
}

func fitStandardise(_ task, train, _ samples, c *clock) (s solution, err error) {
	var Z *mat.Dense
	c.fitting.measure(func() {
		var m *feature.Scaling
		if m, err = (feature.Standardize{}).Fit(train.X); err == nil {
			Z = m.Transform(nil, train.X)
		}
	})
	if err != nil {
		return s, err
	}
	return solution{Vectors: rowsOf(samples{Z, train.y}.first(standardised).X)}, nil
}

func fitNystroem(t task, train, test samples, c *clock) (s solution, err error) {
	n, _ := train.X.Dims()
	var Z *mat.Dense
	c.fitting.measure(func() {
		var m *kernelized.NystroemModel
		if m, err = (kernelized.Nystroem{Kernel: kernel.RBF{Gamma: t.Params.Gamma}, Landmarks: min(t.Params.K, n)}).Fit(train.X); err == nil {
			Z = m.Transform(nil, test.X)
		}
	})
	if err != nil {
		return s, err
	}
	for _, z := range rowsOf(Z) {
		s.Predicted = append(s.Predicted, floats.Dot(z, z))
	}
	return s, nil
}

func rowsOf(A *mat.Dense) [][]float64 {
	n, _ := A.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = A.RawRowView(i)
	}
	return rows
}
