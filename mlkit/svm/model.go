package svm

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/kernel"
)

// Model is what a Classifier has learnt: f(x) = Σ αᵢyᵢk(xᵢ, x) + b, and the solution
// of the primal and of the dual problem. Rows are those of X; slices with an element
// for each of them have length n.
type Model struct {
	Kernel  kernel.Any  `json:"kernel"`
	Vectors [][]float64 `json:"vectors"` // the support vectors, copies of the rows with α > 0
	Coef    []float64   `json:"coef"`    // αᵢyᵢ of each support vector
	B       float64     `json:"b"`

	// W is Σ αᵢyᵢxᵢ, of length d, if the kernel is kernel.Linear, and else nil.
	W []float64 `json:"w,omitempty"`

	Support []int `json:"support"`  // rows of the support vectors, ascending
	Free    []int `json:"free"`     // of these, the rows with α < C: they lie on the margin
	AtBound []int `json:"at_bound"` // the rows with α = C: on the margin or beyond it

	Alpha []float64 `json:"alpha"` // the multipliers α, n of them
	Slack []float64 `json:"slack"` // ξᵢ = max(0, 1 - yᵢf(xᵢ)), n of them; for a hard margin what is missing
	Tau   []float64 `json:"tau"`   // τᵢ = Cᵢ - αᵢ, the multipliers of ξᵢ ≥ 0 (Yuille, section 10), n of them; nil for a hard margin
	Bound []float64 `json:"bound"` // Cᵢ, C times the weights of the row; n of them; nil for a hard margin

	Norm   float64 `json:"norm"`   // ‖w‖ in the space of the kernel; the margin is 1/‖w‖ on each side
	Dual   float64 `json:"dual"`   // value of the dual problem
	Primal float64 `json:"primal"` // ½‖w‖² + Σ Cᵢξᵢ; see Hard for the hard margin
	Gap    float64 `json:"gap"`    // Primal - Dual ≥ 0

	// Hard says that the margin is hard. Primal is then ½‖w‖² after (w, b) have
	// been scaled until no slack is needed, or math.MaxFloat64, as Gap is, if the
	// hyperplane does not separate the classes.
	Hard bool `json:"hard"`

	Violation  float64 `json:"violation"` // m(α) - M(α), evaluated anew after the last iteration
	Iterations int     `json:"iterations"`
	Converged  bool    `json:"converged"` // whether Violation is at most Tol
}

var _ mlkit.Classifier = (*Model)(nil)

// Score returns f(x) = Σ αᵢyᵢk(xᵢ, x) + b, the decision value of x: its sign is the
// side of x, ±1 is the margin. It panics unless x is as long as a row of X, and if m is the
// zero value.
func (m *Model) Score(x []float64) float64 {
	m.mustFit("Score", len(x))
	return m.score(x)
}

func (m *Model) score(x []float64) float64 {
	if m.W != nil {
		return floats.Dot(m.W, x) + m.B
	}
	s := 0.0
	for k, v := range m.Vectors {
		s += m.Coef[k] * m.Kernel.Eval(v, x)
	}
	return s + m.B
}

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics unless X has as many columns as the X of the fit, and
// dst one element a row.
//
// With a linear, polynomial or Gaussian kernel and 1000 support vectors or more it uses
// all processors, and differs from Score by rounding: by some 10⁻¹⁵ (Σ |αᵢk(xᵢ, x)|)(1 + γ‖x‖²)
// for a Gaussian.
func (m *Model) Scores(dst []float64, X mat.Matrix) []float64 {
	n, d, row := rows.Of(X)
	m.mustFit("Scores", d)
	dst = destination("Scores", dst, n)
	if s := newScorer([]*Model{m}, n); s != nil {
		s.scores([][]float64{dst}, asDense(X), 0)
		return dst
	}
	for i := range dst {
		dst[i] = m.score(row(i))
	}
	return dst
}

// Predict returns +1 if f(x) ≥ 0 and -1 otherwise. It panics where Score does.
func (m *Model) Predict(x []float64) int { return rows.Side(m.Score(x)) }

// Predictions sets dst[i] to the label, -1 or +1, of row i of X (n×d) and returns
// dst, a new slice if dst is nil. It panics where Scores does.
func (m *Model) Predictions(dst []int, X mat.Matrix) []int {
	n, d := X.Dims()
	m.mustFit("Predictions", d)
	dst = destination("Predictions", dst, n)
	for i, s := range m.Scores(nil, X) {
		dst[i] = rows.Side(s)
	}
	return dst
}

// Margin returns 1/‖w‖, the distance in the space of the kernel between the decision
// boundary and the margin on either side (Theodoridis: "the margin is twice this
// distance").
func (m *Model) Margin() float64 { return 1 / m.Norm }

// Hyperplane returns a copy of the decision boundary in the space of the samples,
// and whether there is one: only with the linear kernel.
func (m *Model) Hyperplane() (mlkit.Hyperplane, bool) {
	return mlkit.Hyperplane{W: append([]float64(nil), m.W...), B: m.B}, m.W != nil
}

// mustFit panics unless m can score samples of d elements.
func (m *Model) mustFit(method string, d int) {
	if m.Kernel.Kernel == nil {
		panic(fmt.Sprintf("svm: %s: the model has no kernel, want one that Fit has returned", method))
	}
	if want, known := m.features(); known && d != want {
		panic(fmt.Sprintf("svm: %s: a sample has %d elements, want %d", method, d, want))
	}
}

// destination returns dst, or a new slice if dst is nil, of length n.
func destination[T any](method string, dst []T, n int) []T {
	return rows.Destination("svm", method, dst, n)
}

// isLinear reports whether k is kernel.Linear.
func isLinear(k kernel.Kernel) bool {
	if wrapped, ok := k.(kernel.Any); ok {
		return isLinear(wrapped.Kernel)
	}
	_, ok := k.(kernel.Linear)
	return ok
}

// vectors returns the number of support vectors.
func (s *smo) vectors() int {
	count := 0
	for _, a := range s.alpha {
		if a != 0 {
			count++
		}
	}
	return count
}

// model returns the model of the present state, which is the last then. g must be that
// of alpha.
func (s *smo) model() *Model {
	n := len(s.y)
	o := s.objectives()
	m := &Model{
		Kernel:     kernel.Any{Kernel: s.kernel},
		B:          s.modelB(o.b),
		Alpha:      s.alpha,
		Slack:      make([]float64, n),
		Norm:       math.Sqrt(o.norm2),
		Dual:       o.dual,
		Primal:     o.primal,
		Gap:        o.gap,
		Hard:       s.hard,
		Violation:  max(0, s.violation()),
		Iterations: s.iterations,
	}
	if wrapped, ok := s.kernel.(kernel.Any); ok {
		m.Kernel = wrapped
	}
	if isLinear(s.kernel) {
		m.W = s.weights()
	}
	if !s.hard {
		m.Bound = s.bound
		m.Tau = make([]float64, n)
	}
	count := s.vectors()
	m.Support, m.Vectors, m.Coef = slices.Grow(m.Support, count), slices.Grow(m.Vectors, count), slices.Grow(m.Coef, count)
	for i, a := range s.alpha {
		m.Slack[i] = max(0, s.y[i]*(s.g[i]-o.b))
		if !s.hard {
			m.Tau[i] = s.bound[i] - a
		}
		if a == 0 {
			continue
		}
		m.Support = append(m.Support, i)
		m.Vectors = append(m.Vectors, s.X.vector(i))
		m.Coef = append(m.Coef, a*s.y[i]*s.sign)
		if a < s.bound[i] {
			m.Free = append(m.Free, i)
		} else {
			m.AtBound = append(m.AtBound, i)
		}
	}
	m.Converged = m.Violation <= s.tol
	return m
}
