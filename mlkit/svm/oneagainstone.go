package svm

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/svm/internal/smo"
)

// OneAgainstOne is one-vs-one multiclass classification: M(M-1)/2 binary machines are
// trained, each on the samples of one pair of classes (Stefan Knerr, Léon Personnaz,
// Gérard Dreyfus, "Single-layer learning revisited", 1990). The majority vote of the
// machines wins; the smallest label wins a tie, as in LIBSVM.
//
//	o := svm.OneAgainstOne[*svm.Model]{Binary: svm.Classifier{C: 10}}
//
// Concurrency and sharing are as in OneAgainstAll.
type OneAgainstOne[M mlkit.Classifier] struct {
	Binary       Binary[M]       // required
	ClassWeights map[int]float64 // weights of samples by label, above 0; 1 if absent. Requires a Binary with FitWeighted

	// Progress, if not nil, is called after each machine is fitted, never concurrently:
	// done of machines are complete.
	Progress func(done, machines int)
}

// OneAgainstOneModel is the result of OneAgainstOne.Fit. Row indices in a machine, such
// as Model.Support, are relative to the samples of its two classes.
type OneAgainstOneModel[M mlkit.Classifier] struct {
	Classes  []int    `json:"classes"`  // the labels, ascending
	Pairs    [][2]int `json:"pairs"`    // labels of the two classes of each machine, in the order of Classes
	Rows     [][]int  `json:"rows"`     // rows of X that each machine was trained on, ascending
	Machines []M      `json:"machines"` // Machines[k] scores the first of Pairs[k] above 0 and the second below
}

// Fit trains on the rows of X (n×d) with labels y[i]: any ints, at least two different
// ones. Its errors are those of OneAgainstAll.Fit.
func (o OneAgainstOne[M]) Fit(X *mat.Dense, y []int) (*OneAgainstOneModel[M], error) {
	return o.FitContext(context.Background(), X, y)
}

// FitContext is like Fit but stops soon after ctx is done, with the error of Binary.
func (o OneAgainstOne[M]) FitContext(ctx context.Context, X *mat.Dense, y []int) (*OneAgainstOneModel[M], error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	classes, weights, err := manyClasses("OneAgainstOne", o.Binary, o.ClassWeights, X, y)
	if err != nil {
		return nil, err
	}
	count := map[int]int{}
	for _, label := range y {
		count[label]++
	}
	m := &OneAgainstOneModel[M]{Classes: classes}
	var sizes []int
	for k, first := range classes {
		for _, second := range classes[k+1:] {
			m.Pairs = append(m.Pairs, [2]int{first, second})
			sizes = append(sizes, count[first]+count[second])
		}
	}
	m.Rows = make([][]int, len(m.Pairs))
	machines, errs := fitMachines(ctx, o.Binary, o.Progress, sizes, X, func(k int, signs []int) problem {
		p := twoOf(X, y, weights, m.Pairs[k], sizes[k], signs)
		m.Rows[k] = p.X.Rows
		return p
	})
	m.Machines = machines
	var failure *mlkit.NotConvergedError
	for k, pair := range m.Pairs {
		if failure, err = keepFailure("OneAgainstOne", fmt.Sprintf("%d against %d", pair[0], pair[1]), failure, errs[k], m); err != nil {
			return nil, err
		}
	}
	if failure != nil {
		return m, failure
	}
	return m, nil
}

// twoOf returns the n samples of the two classes, labelled +1 for the first. It reuses
// the memory of signs for the labels.
func twoOf(X *mat.Dense, y []int, weights []float64, pair [2]int, n int, signs []int) problem {
	p := problem{X: smo.Samples{X: X, Rows: make([]int, 0, n)}, y: gram.Resized(signs, n)[:0]}
	for i, label := range y {
		if label != pair[0] && label != pair[1] {
			continue
		}
		p.X.Rows = append(p.X.Rows, i)
		sign := -1
		if label == pair[0] {
			sign = +1
		}
		p.y = append(p.y, sign)
		if weights != nil {
			p.weights = append(p.weights, weights[i])
		}
	}
	return p
}

// Decisions sets dst[k] to the score of x for the first class of Pairs[k] against the
// second and returns dst, a new slice if dst is nil. It panics if len(x) is not the
// number of features, or if len(dst) != len(Pairs).
func (m *OneAgainstOneModel[M]) Decisions(dst, x []float64) []float64 {
	dst = destination("Decisions", dst, len(m.Machines))
	for k, machine := range m.Machines {
		dst[k] = machine.Score(x)
	}
	return dst
}

// Votes sets dst[k] to the number of machines that vote for Classes[k] and returns dst, a
// new slice if dst is nil. It panics if len(x) is not the number of features, or if
// len(dst) != len(Classes).
func (m *OneAgainstOneModel[M]) Votes(dst []int, x []float64) []int {
	dst = destination("Votes", dst, len(m.Classes))
	clear(dst)
	for k, machine := range m.Machines {
		m.vote(dst, k, machine.Predict(x) > 0)
	}
	return dst
}

// vote counts the vote of machine k: for the first class of its pair if first, otherwise
// for the second.
func (m *OneAgainstOneModel[M]) vote(votes []int, k int, first bool) {
	winner := m.Pairs[k][1]
	if first {
		winner = m.Pairs[k][0]
	}
	at, _ := slices.BinarySearch(m.Classes, winner)
	votes[at]++
}

// Predict returns the label of x. It panics if Votes would.
func (m *OneAgainstOneModel[M]) Predict(x []float64) int {
	return m.winner(m.Votes(nil, x))
}

func (m *OneAgainstOneModel[M]) winner(votes []int) int {
	best, most := 0, -1
	for k, v := range votes {
		if v > most {
			best, most = k, v
		}
	}
	return m.Classes[best]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics if Predict would, or if len(dst) != n.
func (m *OneAgainstOneModel[M]) Predictions(dst []int, X mat.Matrix) []int {
	n, _ := X.Dims()
	dst = destination("Predictions", dst, n)
	votes := make([]int, len(m.Classes))
	if scoresOfAll(m.Machines, X, func(i int, scores []float64) {
		clear(votes)
		for k, s := range scores {
			m.vote(votes, k, rows.Side(s) > 0)
		}
		dst[i] = m.winner(votes)
	}) {
		return dst
	}
	return predictions(dst, X, m.Predict)
}
