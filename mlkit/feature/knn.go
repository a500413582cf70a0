package feature

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

// KNN is the classifier that lets the K nearest samples vote (Cover and Hart, 1967).
// Distances are Euclidean. Of samples at the same distance the one with the lower
// row is nearer; of classes with as many votes the one with the nearest sample wins.
// Neither the origin nor a common unit of the columns matters.
//
// Fitting copies the samples; a prediction takes O(nd) time. Scores and Predictions of
// many rows divide the samples among boxes first, and don't look at those too far away,
// which takes less time with few features; what they return is the same, ties included.
type KNN struct {
	// K is the number of votes, 1 to n; 0 means 11, as in the figures of EE-559.
	K int
}

// KNNModel is the samples and the number of votes. It is a Classifier if the labels
// are -1 and +1. Its methods panic on a sample or a destination of the wrong length.
type KNNModel struct {
	K       int         `json:"k"`
	Classes []int       `json:"classes"` // the labels, ascending; at least two
	X       [][]float64 `json:"x"`       // n samples of length d
	Y       []int       `json:"y"`       // n labels
}

var _ mlkit.Classifier = (*KNNModel)(nil)

// Fit keeps the rows of X (n×d) and their labels y, any ints of at least two
// values.
func (k KNN) Fit(X *mat.Dense, y []int) (*KNNModel, error) {
	if err := check.Samples("feature", X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if len(y) != n {
		return nil, fmt.Errorf("feature: len(y) = %d, want %d, one label for each row of X", len(y), n)
	}
	if k.K == 0 {
		k.K = 11
	}
	if k.K < 1 || k.K > n {
		return nil, fmt.Errorf("feature: KNN.K = %d, want 1 to %d, the rows of X, or 0 for 11", k.K, n)
	}
	m := &KNNModel{K: k.K, Classes: Classes(y), X: make([][]float64, n), Y: slices.Clone(y)}
	if len(m.Classes) < 2 {
		return nil, fmt.Errorf("feature: y has only the label %d in its %d rows, want at least two", y[0], n)
	}
	for i := range m.X {
		m.X[i] = slices.Clone(X.RawRowView(i))
	}
	return m, nil
}

// Neighbours returns the rows of the K samples nearest to x, the nearest first.
func (m *KNNModel) Neighbours(x []float64) []int {
	if len(x) != len(m.X[0]) {
		panic(fmt.Sprintf("feature: len(x) = %d, want %d", len(x), len(m.X[0])))
	}
	return m.rowsOf(nearest.Find(nil, len(m.X), m.row, x, m.K, -1), x)
}

func (m *KNNModel) row(i int) []float64 { return m.X[i] }

// rowsOf returns the rows found for x, which it looks for again where their squared
// distances do not tell.
func (m *KNNModel) rowsOf(found []nearest.Neighbour, x []float64) []int {
	if nearest.Lost(found, m.row, x) {
		found = nearest.FindByNorm(len(m.X), m.row, x, m.K, -1)
	}
	rows := make([]int, len(found))
	for i, f := range found {
		rows[i] = f.Row
	}
	return rows
}

// indexFrom is the number of samples, and of questions about them, from which an index
// is worth the time that it takes to make.
const indexFrom = 64

// finder returns Neighbours for a number of questions.
func (m *KNNModel) finder(questions int) func(x []float64) []int {
	if questions < indexFrom || len(m.X) < indexFrom {
		return m.Neighbours
	}
	d := len(m.X[0])
	index, _ := nearest.NewIndex(context.Background(), len(m.X), d, m.row) // which has no error but the context's
	var found []nearest.Neighbour
	return func(x []float64) []int {
		if len(x) != d || floats.HasNaN(x) {
			return m.Neighbours(x)
		}
		found = index.Find(found, x, m.K, -1)
		return m.rowsOf(found, x)
	}
}

// Votes sets dst[c] to the votes for Classes[c] at x and returns dst; nil asks for a
// new slice. Their sum is K.
func (m *KNNModel) Votes(dst []int, x []float64) []int {
	dst, _ = m.count(dst, m.Neighbours(x))
	return dst
}

// count counts the votes of some rows, the nearest first, and returns the class that
// wins.
func (m *KNNModel) count(dst []int, neighbours []int) (votes []int, winner int) {
	if dst == nil {
		dst = make([]int, len(m.Classes))
	}
	if len(dst) != len(m.Classes) {
		panic(fmt.Sprintf("feature: len(dst) = %d, want %d, one number for each class", len(dst), len(m.Classes)))
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

// class returns the place of the label of row i in Classes.
func (m *KNNModel) class(i int) int {
	c, _ := slices.BinarySearch(m.Classes, m.Y[i])
	return c
}

// Probs sets dst[c] to the part of the votes that Classes[c] has at x and returns
// dst; nil asks for a new slice. If x has a NaN so has dst.
func (m *KNNModel) Probs(dst, x []float64) []float64 {
	votes := m.Votes(nil, x)
	if dst == nil {
		dst = make([]float64, len(votes))
	}
	if len(dst) != len(votes) {
		panic(fmt.Sprintf("feature: len(dst) = %d, want %d, one number for each class", len(dst), len(votes)))
	}
	for c, v := range votes {
		dst[c] = float64(v) / float64(m.K)
		if floats.HasNaN(x) {
			dst[c] = math.NaN()
		}
	}
	return dst
}

// Score returns the votes for the largest label less all other votes, divided by K:
// -1 to 1. Where that is 0 and the largest label does not win, it is -1/(2K), so
// that the sign of the score of two classes is always the prediction. It is NaN if x
// has one.
func (m *KNNModel) Score(x []float64) float64 { return m.score(x, m.Neighbours(x)) }

func (m *KNNModel) score(x []float64, neighbours []int) float64 {
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

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst. If dst is nil
// a slice of length n is allocated.
func (m *KNNModel) Scores(dst []float64, X mat.Matrix) []float64 {
	n, _ := X.Dims()
	find := m.finder(n)
	return eachRow(dst, X, func(x []float64) float64 { return m.score(x, find(x)) })
}

// Predict returns the label with the most votes at x, a sample of length d.
func (m *KNNModel) Predict(x []float64) int { return m.predict(m.Neighbours(x)) }

func (m *KNNModel) predict(neighbours []int) int {
	_, winner := m.count(nil, neighbours)
	return m.Classes[winner]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst. If dst is
// nil a slice of length n is allocated.
func (m *KNNModel) Predictions(dst []int, X mat.Matrix) []int {
	n, _ := X.Dims()
	find := m.finder(n)
	return eachRow(dst, X, func(x []float64) int { return m.predict(find(x)) })
}

func eachRow[T any](dst []T, X mat.Matrix, f func(x []float64) T) []T {
	n, _, row := rows.Of(X)
	if dst == nil {
		dst = make([]T, n)
	}
	if len(dst) != n {
		panic(fmt.Sprintf("feature: len(dst) = %d, want %d, one element for each row of X", len(dst), n))
	}
	for i := range dst {
		dst[i] = f(row(i))
	}
	return dst
}
