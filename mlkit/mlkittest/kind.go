package mlkittest

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// A kind is a fit seen as one of its kind of model: how to call it, samples that
// suit it, and the rules it has to obey.
type kind struct {
	name  string
	fit   func(samples) (any, error)
	new   func() samples
	signs bool // labels have to be -1 and +1
	rules []rule
}

// A rule is one clause of the contract.
type rule struct {
	name string // for leaving it out
	why  string // what the contract says, for the message
	// test is given new samples of the kind, which it may change, and the model that
	// was fitted to them.
	test func(k kind, s samples, m any) error
}

// samples are what a fit is given. y is labels, or targets, or neither.
type samples struct {
	X       *mat.Dense
	labels  []int
	targets []float64
}

func twoClasses[M mlkit.Classifier](fit func(*mat.Dense, []int) (M, error)) kind {
	return kind{
		name: "classifier of two classes",
		fit:  func(s samples) (any, error) { return result(fit(s.X, s.labels)) },
		new:  twoClouds,

		signs: true,
		rules: slices.Concat(commonRules, []rule{
			{"separates", "two well separated classes are learnt without an error", separates},
			{"one-class", "two classes are asked for", oneClass},
			{"classes", "Predict is +1 where Score ≥ 0 and -1 elsewhere", signOfScore},
			{"opposite", "which class is called +1 changes only the sign of the scores", opposite},
			{"prob", "a probability is in [0, 1] and rises with the score", probOfTwo},
			{"half", "the probability of +1 is at least a half where +1 is predicted", halfOfTwo},
		}),
	}
}

func manyClasses[M mlkit.Predictor](fit func(*mat.Dense, []int) (M, error)) kind {
	return kind{
		name: "classifier of many classes",
		fit:  func(s samples) (any, error) { return result(fit(s.X, s.labels)) },
		new:  threeClouds,
		rules: slices.Concat(commonRules, []rule{
			{"separates", "well separated classes are learnt without an error", separates},
			{"one-class", "two classes or more are asked for", oneClass},
			{"classes", "Classes are the labels of y, sorted, each once", sortedClasses},
			{"labels", "any ints will do for labels", anyLabels},
			{"prob", "probabilities are in [0, 1] and sum to 1", probOfMany},
			{"half", "the likeliest class is predicted", likeliest},
		}),
	}
}

func regression[M mlkit.Scorer](fit func(*mat.Dense, []float64) (M, error)) kind {
	return kind{
		name: "regression",
		fit:  func(s samples) (any, error) { return result(fit(s.X, s.targets)) },
		new:  slope,
		rules: slices.Concat(commonRules, []rule{
			{"learns", "at least nine tenths of the variance of a linear function are explained", learns},
			{"constant", "equal targets are given back", constantTargets},
		}),
	}
}

func transformer[M any](fit func(*mat.Dense) (M, error)) kind {
	return kind{
		name: "transformer",
		fit:  func(s samples) (any, error) { return result(fit(s.X)) },
		new:  twoCloudsUnlabelled,
		rules: slices.Concat(commonRules, []rule{
			{"rows", "each row of X is transformed to a row, all of one length", transformsRows},
		}),
	}
}

func clusterer[M any](fit func(*mat.Dense) (M, error)) kind {
	return kind{
		name: "clusterer",
		fit:  func(s samples) (any, error) { return result(fit(s.X)) },
		new:  twoCloudsUnlabelled,
		rules: slices.Concat(commonRules, []rule{
			{"groups", "two clouds are two clusters, labelled 0 and 1", groups},
		}),
	}
}

// result makes an any of a model.
func result[M any](m M, err error) (any, error) { return m, err }

// twoClouds are two well separated classes in the plane, on two sides of the
// origin.
func twoClouds() samples {
	const n = 24
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = 1 - 2*(i%2)
		s := float64(y[i])
		// A grid of steps that have no exact binary value.
		X.Set(i, 0, 2*s+0.1*float64(i%5))
		X.Set(i, 1, 1.5*s-0.1*float64(i%7))
	}
	return samples{X: X, labels: y}
}

func twoCloudsUnlabelled() samples { return samples{X: twoClouds().X} }

// threeClouds are three well separated classes in the plane, each of which a line
// separates from the others.
func threeClouds() samples {
	const n = 36
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		centre := [3][3]float64{{-3, -2, -7}, {3, -2, 42}, {0, 4, 0}}[i%3]
		y[i] = int(centre[2])
		X.Set(i, 0, centre[0]+0.1*float64(i%5))
		X.Set(i, 1, centre[1]-0.1*float64(i%7))
	}
	return samples{X: X, labels: y}
}

// slope is a linear function of the plane with a small wave on it.
func slope() samples {
	s := twoClouds()
	n, _ := s.X.Dims()
	y := make([]float64, n)
	for i := range y {
		x := s.X.RawRowView(i)
		y[i] = 1 + 2*x[0] - x[1] + 0.1*float64(i%3-1)
	}
	return samples{X: s.X, targets: y}
}

// pick returns the rows of s in the order of rows.
func (s samples) pick(rows []int) samples {
	_, d := s.X.Dims()
	p := samples{X: mat.NewDense(len(rows), d, nil)}
	for i, r := range rows {
		p.X.SetRow(i, s.X.RawRowView(r))
		if s.labels != nil {
			p.labels = append(p.labels, s.labels[r])
		}
		if s.targets != nil {
			p.targets = append(p.targets, s.targets[r])
		}
	}
	return p
}
