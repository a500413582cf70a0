package mlkit

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

var _ ClassifierModel = LinearMachine{}

// LinearMachine is a classifier of M classes with one linear discriminant function per
// class, g_k(x) = w_k·x + b_k. It predicts the class whose function is largest
// (Theodoridis, "The goal is to compute M linear discriminant functions"). The boundary
// between two classes is a piece of the hyperplane g_k(x) = g_l(x), so adding the same
// function to all of them changes nothing.
//
// For two classes the difference of the two functions is a hyperplane, and its value the
// score, which is positive where Classes[1] is preferred.
//
// LinearMachine is part of models, which validate it when they are decoded. On its own
// it is decoded as a plain struct, without validation.
type LinearMachine struct {
	Classes []int       `json:"classes"` // the labels, sorted
	W       [][]float64 `json:"w"`       // M×d: row k is w_k of Classes[k]
	B       []float64   `json:"b"`       // M numbers
}

// Inputs returns d, the number of features of a sample.
func (m LinearMachine) Inputs() int {
	if len(m.W) == 0 {
		return 0
	}
	return len(m.W[0])
}

// Discriminants sets dst[k] to g_k(x) of Classes[k] and returns dst, a new slice if dst
// is nil. It panics if len(x) != d or len(dst) != M.
func (m LinearMachine) Discriminants(dst, x []float64) []float64 {
	m.mustFit("Discriminants", len(x))
	dst = rows.Destination("mlkit", "Discriminants", dst, len(m.B))
	m.discriminants(dst, x)
	return dst
}

func (m LinearMachine) discriminants(dst, x []float64) {
	for k, w := range m.W {
		dst[k] = floats.Dot(w, x) + m.B[k]
	}
}

// Predict returns the label of the class with the largest g_k(x), the first in a tie. For
// two classes it returns Classes[1] if Score(x) is at least 0, and Classes[0] otherwise. It
// panics if len(x) != d.
func (m LinearMachine) Predict(x []float64) int {
	m.mustFit("Predict", len(x))
	if len(m.Classes) == 2 {
		return m.Classes[rows.Second(m.Between(1, 0).Score(x))]
	}
	g := make([]float64, len(m.B))
	m.discriminants(g, x)
	return m.Classes[rows.Largest(g)]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics if X does not have d columns or len(dst) != n.
func (m LinearMachine) Predictions(dst []int, X mat.Matrix) []int {
	n, d, row := rows.Of(X)
	m.mustFit("Predictions", d)
	dst = rows.Destination("mlkit", "Predictions", dst, n)
	if len(m.Classes) == 2 {
		h := m.Between(1, 0)
		for i := range dst {
			dst[i] = m.Classes[rows.Second(h.Score(row(i)))]
		}
		return dst
	}
	g := make([]float64, len(m.B))
	for i := range dst {
		m.discriminants(g, row(i))
		dst[i] = m.Classes[rows.Largest(g)]
	}
	return dst
}

// Hyperplane returns the hyperplane between two classes, with Classes[1] on its positive side,
// and false if there are more classes; see Between.
func (m LinearMachine) Hyperplane() (Hyperplane, bool) {
	if len(m.Classes) != 2 {
		return Hyperplane{}, false
	}
	return m.Between(1, 0), true
}

// Score returns the score of x for two classes, w·x + b of their Hyperplane. It panics if
// there are more classes, or if len(x) != d.
func (m LinearMachine) Score(x []float64) float64 {
	return m.between("Score", len(x)).Score(x)
}

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst, a new slice if dst is
// nil. It panics if there are more than two classes, X does not have d columns or
// len(dst) != n.
func (m LinearMachine) Scores(dst []float64, X mat.Matrix) []float64 {
	_, d := X.Dims()
	return m.between("Scores", d).Scores(dst, X)
}

// between returns the hyperplane of the two classes, for a method that samples of length d are
// passed to.
func (m LinearMachine) between(method string, d int) Hyperplane {
	if err := rows.TwoClasses("mlkit", method, len(m.Classes)); err != nil {
		panic(err.Error() + "; Discriminants has a number for each class, and Posterior, if the model has it, a probability")
	}
	m.mustFit(method, d)
	return m.Between(1, 0)
}

// Between returns the hyperplane w·x + b = g_k(x) - g_l(x). It is positive where
// Classes[k] is preferred to Classes[l].
func (m LinearMachine) Between(k, l int) Hyperplane {
	h := Hyperplane{W: slices.Clone(m.W[k]), B: m.B[k] - m.B[l]}
	floats.Sub(h.W, m.W[l])
	return h
}

func (m LinearMachine) mustFit(method string, d int) {
	if want := m.Inputs(); d != want {
		panic(fmt.Sprintf("mlkit: %s: a sample has %d elements, want %d, the length of a row of W", method, d, want))
	}
}
