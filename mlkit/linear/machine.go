package linear

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

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
	dst = destination("Discriminants", dst, len(m.B))
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
	return m.Classes[largest(g)]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics if X does not have d columns or len(dst) != n.
func (m LinearMachine) Predictions(dst []int, X mat.Matrix) []int {
	n, d, row := rows.Of(X)
	m.mustFit("Predictions", d)
	dst = destination("Predictions", dst, n)
	g := make([]float64, len(m.B))
	for i := range dst {
		m.discriminants(g, row(i))
		dst[i] = m.Classes[largest(g)]
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
		panic(fmt.Sprintf("linear: %s: a sample has %d elements, want %d, the length of a row of W", method, d, want))
	}
}

// probs sets dst (n×M) to the posteriors of all rows of X; one sets those of one
// sample.
func probs(dst *mat.Dense, X mat.Matrix, M, want int, one func(dst, x []float64)) *mat.Dense {
	n, d, row := rows.Of(X)
	if d != want {
		panic(fmt.Sprintf("linear: ProbsOf: X has %d columns, want %d", d, want))
	}
	if dst == nil {
		dst = mat.NewDense(n, M, nil)
	}
	if r, c := dst.Dims(); r != n || c != M {
		panic(fmt.Sprintf("linear: ProbsOf: dst is %d×%d, want %d×%d", r, c, n, M))
	}
	for i := range n {
		one(dst.RawRowView(i), row(i))
	}
	return dst
}

// largest returns the index of the largest element, the first in a tie; 0 if all are
// NaN.
func largest(g []float64) int {
	best := 0
	for k, v := range g {
		if v > g[best] {
			best = k
		}
	}
	return best
}

// softmax replaces g_k by e^{g_k} / Σ e^{g_l} and returns log Σ e^{g_l}. It subtracts
// the largest g first, so nothing overflows.
func softmax(g []float64) (logSum float64) {
	top, sum := g[largest(g)], 0.0
	for k, v := range g {
		g[k] = math.Exp(v - top)
		sum += g[k]
	}
	for k := range g {
		g[k] /= sum
	}
	return top + math.Log(sum)
}

// sigmoid is σ(s) = 1/(1 + e⁻ˢ) of EE-559.
func sigmoid(s float64) float64 {
	if s >= 0 {
		return 1 / (1 + math.Exp(-s))
	}
	// The same function, accurate where σ is nearly 0.
	e := math.Exp(s)
	return e / (1 + e)
}

// classesOf returns the labels in y, sorted, and for each sample the index of its
// label. It returns an error unless len(y) = n and y has at least two different labels.
func classesOf(n int, y []int) (classes, index []int, err error) {
	if len(y) != n {
		return nil, nil, fmt.Errorf("linear: len(y) = %d, want %d, one label for each row of X", len(y), n)
	}
	classes = slices.Compact(slices.Sorted(slices.Values(y)))
	if len(classes) < 2 {
		return nil, nil, fmt.Errorf("linear: y has only the label %d in its %d rows, want at least two", y[0], n)
	}
	index = make([]int, n)
	for i, label := range y {
		index[i], _ = slices.BinarySearch(classes, label)
	}
	return classes, index, nil
}
