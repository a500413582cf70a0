package mlkittest

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// kind is a fit of one kind of model: how to call it, samples that suit it, and the rules
// it must obey.
type kind struct {
	name  string
	fit   func(samples) (any, error)
	new   func() samples
	signs bool // labels must be -1 and +1
	rules []rule
}

// rule is one clause of the contract.
type rule struct {
	name string // for except
	why  string // what the contract says, for the error message
	// test gets new samples of the kind, which it may change, and the model fitted to
	// them.
	test func(k kind, s samples, m any) error
}

// samples are the arguments of a fit. y is labels, targets or neither.
type samples struct {
	X       *mat.Dense
	labels  []int
	targets []float64
}

func twoClasses[M mlkit.ClassifierModel](fit func(*mat.Dense, []int) (M, error)) kind {
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

func mapping[M any](fit func(*mat.Dense) (M, error)) kind {
	return kind{
		name: "map",
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

// result converts a model to any.
func result[M any](m M, err error) (any, error) { return m, err }

// twoClouds returns two well separated classes in the plane, on opposite sides of the
// origin.
func twoClouds() samples {
	const n = 24
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = 1 - 2*(i%2)
		s := float64(y[i])
		// A grid with steps that are inexact in binary.
		X.Set(i, 0, 2*s+0.1*float64(i%5))
		X.Set(i, 1, 1.5*s-0.1*float64(i%7))
	}
	return samples{X: X, labels: y}
}

func twoCloudsUnlabelled() samples { return samples{X: twoClouds().X} }

// threeClouds returns three well separated classes in the plane, each separated from the
// others by a line.
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

// slope returns a linear function of the plane with a small wave added.
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

// pick returns the given rows of s, in the given order.
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
