package calibration

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/multiclass"
)

// deal divides the samples of a problem, by their places in it, into parts. The distinct
// samples of a class are dealt in random order, one to each part, and those of the other class
// go on where these end. equal names for each row of X the first that equals it. The class of
// the first sample is dealt first, so that exchanging the labels changes nothing.
func deal(p multiclass.Problem, equal []int, folds int, seed uint64) (parts [][]int, err error) {
	type sample struct{ row, label int }
	var distinct []sample
	places := map[sample][]int{}
	for i, label := range p.Y {
		s := sample{equal[rows.Number(i, p.Rows)], label}
		if places[s] == nil {
			distinct = append(distinct, s)
		}
		places[s] = append(places[s], i)
	}
	if folds == 0 {
		folds = 5
	}
	parts = make([][]int, min(folds, len(distinct)))
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(distinct))
	dealt := 0
	for _, label := range []int{p.Y[0], -p.Y[0]} {
		before := dealt
		for _, at := range order {
			if s := distinct[at]; s.label == label {
				part := &parts[dealt%len(parts)]
				*part = append(*part, places[s]...)
				dealt++
			}
		}
		if dealt-before < 2 {
			who := "y has"
			if p.Weights != nil {
				who = "weights leave"
			}
			return nil, fmt.Errorf("calibration: %s fewer than 2 distinct samples of label %+d, want one to train on, and one to score", who, label)
		}
	}
	for _, part := range parts {
		slices.Sort(part)
	}
	return parts, nil
}

// present returns p without the samples of weight 0.
func present(p multiclass.Problem) multiclass.Problem {
	kept := rows.Present(p.Weights)
	if kept == nil {
		return p
	}
	return multiclass.Problem{Rows: rows.Within(p.Rows, kept), Y: rows.Pick(p.Y, kept), Weights: rows.Pick(p.Weights, kept)}
}

// without returns p without the samples of a part.
func without(p multiclass.Problem, part []int) multiclass.Problem {
	n := len(p.Y) - len(part)
	q := multiclass.Problem{Rows: make([]int, 0, n), Y: make([]int, 0, n)}
	for i, label := range p.Y {
		if len(part) > 0 && part[0] == i {
			part = part[1:]
			continue
		}
		q.Rows, q.Y = append(q.Rows, rows.Number(i, p.Rows)), append(q.Y, label)
		if p.Weights != nil {
			q.Weights = append(q.Weights, p.Weights[i])
		}
	}
	return q
}

// firstEqual returns for each row of X the first row that equals it.
func firstEqual(X *mat.Dense) []int {
	n, _ := X.Dims()
	first, known := make([]int, n), map[uint64][]int{}
	for i := range n {
		x := X.RawRowView(i)
		h := rows.Hash(x)
		at := slices.IndexFunc(known[h], func(j int) bool { return slices.Equal(X.RawRowView(j), x) })
		if first[i] = i; at >= 0 {
			first[i] = known[h][at]
			continue
		}
		known[h] = append(known[h], i)
	}
	return first
}
