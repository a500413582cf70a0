package svm

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
)

// OneAgainstOne makes a classifier for M classes of M(M-1)/2 machines, one for each
// pair of classes, which learns from these two alone (Stefan Knerr, Léon Personnaz,
// Gérard Dreyfus, "Single-layer learning revisited", 1990). Each machine votes; the
// class with most votes wins, the smallest label of equals, as in LIBSVM.
//
//	o := svm.OneAgainstOne[*svm.Model]{Binary: svm.Classifier{C: 10}}
//
// How machines are fitted side by side, and what they share, is as for OneAgainstAll.
type OneAgainstOne[M mlkit.Classifier] struct {
	Binary       Binary[M]       // nil is an error
	ClassWeights map[int]float64 // weights of samples by label, each above 0; 1 for others. Binary must have FitWeighted

	// Progress, if not nil, is called after each machine that was fitted, never by two
	// at once: so many are done, of so many.
	Progress func(done, machines int)
}

// OneAgainstOneModel is what OneAgainstOne has learnt. Rows in a machine, such as
// the Support of a Model, are rows of the samples of its two classes.
type OneAgainstOneModel[M mlkit.Classifier] struct {
	Classes  []int    `json:"classes"`  // the labels, ascending
	Pairs    [][2]int `json:"pairs"`    // labels of the two classes of each machine, in the order of Classes
	Rows     [][]int  `json:"rows"`     // rows of X that each machine learnt from, ascending
	Machines []M      `json:"machines"` // Machines[k] scores the first of Pairs[k] above 0 and the second below
}

// Fit learns to tell the labels y[i] of the rows of X (n×d) apart: any ints, two or
// more different ones. The errors are those of OneAgainstAll.Fit.
func (o OneAgainstOne[M]) Fit(X *mat.Dense, y []int) (*OneAgainstOneModel[M], error) {
	return o.FitContext(context.Background(), X, y)
}

// FitContext is Fit that ends with the error of Binary soon after ctx is done.
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
		m.Rows[k] = p.X.rows
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

// twoOf returns the n samples of two classes, the first labelled +1, in the memory of signs.
func twoOf(X *mat.Dense, y []int, weights []float64, pair [2]int, n int, signs []int) problem {
	p := problem{X: samples{X: X, rows: make([]int, 0, n)}, y: gram.Resized(signs, n)[:0]}
	for i, label := range y {
		if label != pair[0] && label != pair[1] {
			continue
		}
		p.X.rows = append(p.X.rows, i)
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

// Decisions sets dst[k] to the score of x for the first of Pairs[k] against the
// second, and returns dst, a new slice if dst is nil. It panics unless x is as long
// as a row of X, and dst as Pairs.
func (m *OneAgainstOneModel[M]) Decisions(dst, x []float64) []float64 {
	dst = destination("Decisions", dst, len(m.Machines))
	for k, machine := range m.Machines {
		dst[k] = machine.Score(x)
	}
	return dst
}

// Votes sets dst[k] to the number of machines that vote for Classes[k], and returns
// dst, a new slice if dst is nil. It panics unless x is as long as a row of X, and
// dst as Classes.
func (m *OneAgainstOneModel[M]) Votes(dst []int, x []float64) []int {
	dst = destination("Votes", dst, len(m.Classes))
	clear(dst)
	for k, machine := range m.Machines {
		m.vote(dst, k, machine.Predict(x) > 0)
	}
	return dst
}

// vote counts the vote of machine k for the first of its pair or the second.
func (m *OneAgainstOneModel[M]) vote(votes []int, k int, first bool) {
	winner := m.Pairs[k][1]
	if first {
		winner = m.Pairs[k][0]
	}
	at, _ := slices.BinarySearch(m.Classes, winner)
	votes[at]++
}

// Predict returns the label of x. It panics where Votes does.
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

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new
// slice if dst is nil. It panics where Predict does, and unless dst has one element a
// row.
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
