package multiclass

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
)

// OneVsOne trains M(M-1)/2 machines for M classes, each on the samples of two of them
// (Stefan Knerr, Léon Personnaz, Gérard Dreyfus, "Single-layer learning revisited", 1990).
// The majority vote of the machines wins. The smallest label wins a tie, as in scikit-learn's
// SVC. LIBSVM (3.37) lets the class win whose sample comes first in the training set.
//
//	o := multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{C: 10}}
type OneVsOne[M mlkit.ClassifierModel] struct {
	Binary       mlkit.Algorithm[M, int] // required: an algorithm for two classes, labelled -1 and +1
	ClassWeights map[int]float64         // weights of samples by label, above 0; 1 if absent. They need a Binary that takes weights

	// Balanced gives all classes of y the same total weight, computed at each fit: see package
	// mlkit. ClassWeights must then be empty. So does SVC(class_weight="balanced") in
	// scikit-learn. The Balanced of a Binary makes the weights of each machine's two classes
	// add up to the number of their samples instead, in the same ratio.
	Balanced bool
}

// OneVsOneModel is the result of OneVsOne.Fit. Indices of rows in a machine, such as
// svm.Model.Support, count the samples of its two classes.
type OneVsOneModel[M mlkit.ClassifierModel] struct {
	Classes  []int    `json:"classes"`  // the labels, ascending
	Pairs    [][2]int `json:"pairs"`    // labels of the two classes of each machine, in the order of Classes
	Rows     [][]int  `json:"rows"`     // rows of X that each machine was trained on, ascending
	Machines []M      `json:"machines"` // Machines[k] scores the first of Pairs[k] above 0 and the second below
}

// Fit trains on the rows of X (n×d) with labels y[i]: any ints, at least two different
// ones. Its errors are those of OneVsRest.Fit.
func (a OneVsOne[M]) Fit(X *mat.Dense, y []int) (*OneVsOneModel[M], error) {
	return a.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context, which ends it with the error of Binary, and with weights of the
// samples, if Binary takes any; those of the classes multiply them. It reports each machine that
// is done. A class whose samples all
// have weight 0 is absent from the model; at least two must be left.
func (a OneVsOne[M]) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*OneVsOneModel[M], error) {
	m := new(OneVsOneModel[M])
	return whole(m, a.fit(o, "OneVsOne", X, y, m, m))
}

// fit sets *m. Errors name the algorithm, and hold the whole model that m is part of.
func (a OneVsOne[M]) fit(o mlkit.Options, algorithm string, X *mat.Dense, y []int, m *OneVsOneModel[M], model any) error {
	classes, weights, err := checkData(algorithm, a.Binary, a.ClassWeights, a.Balanced, X, y, o.Weights)
	if err != nil {
		return err
	}
	m.Classes = classes
	var problems []Problem
	for k, first := range classes {
		for _, second := range classes[k+1:] {
			p := twoOf(y, weights, first, second)
			problems = append(problems, p)
			m.Pairs = append(m.Pairs, [2]int{first, second})
			m.Rows = append(m.Rows, p.Rows)
		}
	}
	machines, errs := fitMachines(o, algorithm, a.Binary, X, problems)
	m.Machines = machines
	return failure(algorithm, model, errs, func(k int) string { return fmt.Sprintf("%d against %d", m.Pairs[k][0], m.Pairs[k][1]) })
}

// twoOf returns the samples of two classes that have a weight, labelled +1 for the first and
// -1 for the second.
func twoOf(y []int, weights []float64, first, second int) Problem {
	n := 0
	for _, label := range y {
		if label == first || label == second {
			n++
		}
	}
	p := Problem{Rows: make([]int, 0, n), Y: make([]int, 0, n)}
	for i, label := range y {
		if label != first && label != second || weights != nil && weights[i] == 0 {
			continue
		}
		sign := -1
		if label == first {
			sign = +1
		}
		p.Rows, p.Y = append(p.Rows, i), append(p.Y, sign)
		if weights != nil {
			p.Weights = append(p.Weights, weights[i])
		}
	}
	return p
}

// Decisions sets dst[k] to the score of x for the first class of Pairs[k] against the
// second and returns dst, a new slice if dst is nil. It panics if len(x) is not the
// number of features, or if len(dst) != len(Pairs).
func (m *OneVsOneModel[M]) Decisions(dst, x []float64) []float64 {
	dst = destination("Decisions", dst, len(m.Machines))
	for k, machine := range m.Machines {
		dst[k] = machine.Score(x)
	}
	return dst
}

// Votes sets dst[k] to the number of machines that vote for Classes[k] and returns dst, a
// new slice if dst is nil. It panics if len(x) is not the number of features, or if
// len(dst) != len(Classes).
func (m *OneVsOneModel[M]) Votes(dst []int, x []float64) []int {
	dst = destination("Votes", dst, len(m.Classes))
	m.count(dst, m.Decisions(nil, x))
	return dst
}

// count sets votes[k] to the number of machines whose score is for Classes[k].
func (m *OneVsOneModel[M]) count(votes []int, scores []float64) {
	clear(votes)
	for k, s := range scores {
		winner := m.Pairs[k][1]
		if rows.Side(s) > 0 {
			winner = m.Pairs[k][0]
		}
		at, _ := slices.BinarySearch(m.Classes, winner)
		votes[at]++
	}
}

// Predict returns the label of x. It panics if Votes would.
func (m *OneVsOneModel[M]) Predict(x []float64) int {
	return m.Classes[rows.Largest(m.Votes(nil, x))]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics if Predict would, or if len(dst) != n.
func (m *OneVsOneModel[M]) Predictions(dst []int, X mat.Matrix) []int {
	n, _ := X.Dims()
	dst = destination("Predictions", dst, n)
	votes := make([]int, len(m.Classes))
	eachRow(m.Machines, X, ScoresOfAll, func(i int, scores []float64) {
		m.count(votes, scores)
		dst[i] = m.Classes[rows.Largest(votes)]
	})
	return dst
}
