package mlkit

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

var _ Predictor = LinearMachine{}

// LinearMachine is a classifier of M classes with one linear discriminant function per
// class, g_k(x) = w_k·x + b_k. It predicts the class whose function is largest
// (Theodoridis, "The goal is to compute M linear discriminant functions"). The boundary
// between two classes is a piece of the hyperplane g_k(x) = g_l(x), so adding the same
// function to all of them changes nothing.
//
// LinearMachine is part of models, which validate it when they are decoded. On its own
// it is decoded as a plain struct, without validation.
type LinearMachine struct {
	Classes []int       `json:"classes"` // the labels, sorted
	W       [][]float64 `json:"w"`       // M×d: row k is w_k of Classes[k]
	B       []float64   `json:"b"`       // M numbers
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

// Predict returns the label of the class with the largest g_k(x), the first in a tie.
// It panics if len(x) != d.
func (m LinearMachine) Predict(x []float64) int {
	m.mustFit("Predict", len(x))
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
	g := make([]float64, len(m.B))
	for i := range dst {
		m.discriminants(g, row(i))
		dst[i] = m.Classes[rows.Largest(g)]
	}
	return dst
}

// Between returns the hyperplane w·x + b = g_k(x) - g_l(x). It is positive where
// Classes[k] is preferred to Classes[l].
func (m LinearMachine) Between(k, l int) Hyperplane {
	h := Hyperplane{W: slices.Clone(m.W[k]), B: m.B[k] - m.B[l]}
	floats.Sub(h.W, m.W[l])
	return h
}

func (m LinearMachine) mustFit(method string, d int) {
	if want := len(m.W[0]); d != want {
		panic(fmt.Sprintf("mlkit: %s: a sample has %d elements, want %d, the length of a row of W", method, d, want))
	}
}
