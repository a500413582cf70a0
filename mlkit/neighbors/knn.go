package neighbors

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/nearest"
	"marginalia/mlkit/internal/rows"
)

// KNN is the k-nearest-neighbours classifier (Cover and Hart, 1967): the K nearest
// training samples vote. Distances are Euclidean. Of two samples at the same distance,
// the one with the lower row is nearer; of two classes with equal votes, the one with
// the nearest sample wins. Neither the origin nor a common unit of the columns matters.
//
// Fit copies the samples unless Share is set; a prediction takes O(nd) time. For many rows,
// Scores, Posteriors and Predictions are faster: with few features they first build a spatial
// index and skip samples that are too far away, with 16 or more they bound the distances of many
// rows at once. The results are the same, including ties.
type KNN struct {
	// K is the number of votes, 1 to n; 0 means 11, as in the figures of EE-559.
	K int

	// Share lets the model keep X itself, as scikit-learn's does, and not a copy: half of the
	// memory. You must not change X then as long as you use the model.
	Share bool
}

// Model holds the training samples and the number of votes. Unlike other models of many
// classes it has a score with more than two: that of the largest label against the others. Its
// methods panic if a sample or a destination has the wrong length.
type Model struct {
	K       int         `json:"k"`
	Classes []int       `json:"classes"` // the labels, ascending; at least two
	X       [][]float64 `json:"x"`       // n samples of length d
	Y       []int       `json:"y"`       // n labels
}

var _ mlkit.ClassifierModel = (*Model)(nil)

// Fit keeps the rows of X (n×d) and their labels y, any ints with at least two
// different values. It returns an error if X or y is invalid, or if k.K is not from 0
// to n.
func (k KNN) Fit(X *mat.Dense, y []int) (*Model, error) {
	return k.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with options. It takes no weights, and is over before a context could end it.
func (k KNN) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*Model, error) {
	if _, err := o.Unweighted("neighbors: KNN"); err != nil {
		return nil, err
	}
	if err := check.Samples("neighbors", X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	classes, _, err := check.Classes("neighbors", n, y)
	if err != nil {
		return nil, err
	}
	if k.K == 0 {
		k.K = 11
	}
	if k.K < 1 || k.K > n {
		return nil, fmt.Errorf("neighbors: KNN.K = %d, want 1 to %d, the rows of X, or 0 for 11", k.K, n)
	}
	m := &Model{K: k.K, Classes: classes, X: make([][]float64, n), Y: slices.Clone(y)}
	for i := range m.X {
		if m.X[i] = X.RawRowView(i); !k.Share {
			m.X[i] = slices.Clone(m.X[i])
		}
	}
	return m, nil
}

// Neighbors returns the rows of the K training samples nearest to x, the nearest
// first.
func (m *Model) Neighbors(x []float64) []int {
	if len(x) != len(m.X[0]) {
		panic(fmt.Sprintf("neighbors: len(x) = %d, want %d", len(x), len(m.X[0])))
	}
	return m.rowsOf(nearest.Find(nil, len(m.X), m.row, x, m.K, -1), x)
}

func (m *Model) row(i int) []float64 { return m.X[i] }

// rowsOf returns the rows in found. If their squared distances overflowed or
// underflowed, it searches again for the neighbours of x.
func (m *Model) rowsOf(found []nearest.Neighbour, x []float64) []int {
	if nearest.Lost(found, m.row, x) {
		found = nearest.FindByNorm(len(m.X), m.row, x, m.K, -1)
	}
	rows := make([]int, len(found))
	for i, f := range found {
		rows[i] = f.Row
	}
	return rows
}

// manyFrom is the number of training samples, and of queries, from which searching for many
// neighbours at once pays off.
var manyFrom = 64

// each calls take(i, x, neighbours) for each row x of X, with its Neighbors.
func (m *Model) each(X mat.Matrix, take func(i int, x []float64, neighbours []int)) {
	n, d, row := rows.Of(X)
	if n < manyFrom || len(m.X) < manyFrom || d != len(m.X[0]) {
		for i := range n {
			x := row(i)
			take(i, x, m.Neighbors(x))
		}
		return
	}
	dense, ok := X.(*mat.Dense)
	if !ok {
		dense = mat.DenseCopyOf(X)
	}
	none := func(int) int { return -1 }
	// Only a context causes an error.
	_ = nearest.FindMany(context.Background(), len(m.X), d, m.row, n, dense.RawRowView, m.K, none, func(i int, found []nearest.Neighbour) {
		x := dense.RawRowView(i)
		take(i, x, m.rowsOf(found, x))
	})
}

// Votes sets dst[c] to the votes for Classes[c] at x and returns dst, a new slice if
// dst is nil. The votes sum to K.
func (m *Model) Votes(dst []int, x []float64) []int {
	dst, _ = m.count(dst, m.Neighbors(x))
	return dst
}

// count returns the votes of the given rows, ordered from the nearest, and the index of
// the winning class.
func (m *Model) count(dst []int, neighbours []int) (votes []int, winner int) {
	if dst == nil {
		dst = make([]int, len(m.Classes))
	}
	if len(dst) != len(m.Classes) {
		panic(fmt.Sprintf("neighbors: len(dst) = %d, want %d, one number for each class", len(dst), len(m.Classes)))
	}
	clear(dst)
	for _, i := range neighbours {
		dst[m.class(i)]++
	}
	winner = m.class(neighbours[0])
	for _, i := range neighbours {
		if c := m.class(i); dst[c] > dst[winner] {
			winner = c
		}
	}
	return dst, winner
}

// class returns the index in Classes of the label of row i.
func (m *Model) class(i int) int {
	c, _ := slices.BinarySearch(m.Classes, m.Y[i])
	return c
}

// Posterior sets dst[c] to the fraction of the votes for Classes[c] at x and returns dst, a
// new slice if dst is nil. If x contains NaN, so does dst.
func (m *Model) Posterior(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(m.Classes))
	}
	if len(dst) != len(m.Classes) {
		panic(fmt.Sprintf("neighbors: len(dst) = %d, want %d, one number for each class", len(dst), len(m.Classes)))
	}
	m.posterior(dst, x, m.Neighbors(x))
	return dst
}

func (m *Model) posterior(dst, x []float64, neighbours []int) {
	votes, _ := m.count(nil, neighbours)
	for c, v := range votes {
		dst[c] = float64(v) / float64(m.K)
		if floats.HasNaN(x) {
			dst[c] = math.NaN()
		}
	}
}

// Posteriors sets row i of dst (n×M) to Posterior of row i of X (n×d) and returns dst, a new
// matrix if dst is nil. It panics if the shapes differ from these, or if n is 0.
func (m *Model) Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	n, _ := X.Dims()
	dst = rows.PosteriorsIn("neighbors", dst, n, len(m.Classes))
	m.each(X, func(i int, x []float64, neighbours []int) { m.posterior(dst.RawRowView(i), x, neighbours) })
	return dst
}

// Score returns the votes for the largest label minus all other votes, divided by K, a
// number from -1 to 1. If it is 0 and the largest label does not win, Score returns
// -1/(2K) instead; for two classes its sign is then always the prediction. If x
// contains NaN, Score returns NaN.
func (m *Model) Score(x []float64) float64 { return m.score(x, m.Neighbors(x)) }

func (m *Model) score(x []float64, neighbours []int) float64 {
	votes, winner := m.count(nil, neighbours)
	last, k := len(votes)-1, float64(m.K)
	switch lead := 2*votes[last] - m.K; {
	case floats.HasNaN(x):
		return math.NaN()
	case lead == 0 && winner != last:
		return -1 / (2 * k)
	default:
		return float64(lead) / k
	}
}

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst, a new slice if
// dst is nil.
func (m *Model) Scores(dst []float64, X mat.Matrix) []float64 {
	n, _ := X.Dims()
	dst = rows.Destination("neighbors", "Scores", dst, n)
	m.each(X, func(i int, x []float64, neighbours []int) { dst[i] = m.score(x, neighbours) })
	return dst
}

// Predict returns the label with the most votes at x, a sample of length d.
func (m *Model) Predict(x []float64) int { return m.predict(m.Neighbors(x)) }

func (m *Model) predict(neighbours []int) int {
	_, winner := m.count(nil, neighbours)
	return m.Classes[winner]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil.
func (m *Model) Predictions(dst []int, X mat.Matrix) []int {
	n, _ := X.Dims()
	dst = rows.Destination("neighbors", "Predictions", dst, n)
	m.each(X, func(i int, _ []float64, neighbours []int) { dst[i] = m.predict(neighbours) })
	return dst
}
