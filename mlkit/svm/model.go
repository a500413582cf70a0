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

// Model is the result of Classifier.Fit: the score f(x) = Σ αᵢyᵢk(xᵢ, x) + b,
// which predicts, and the solution that it comes from.
type Model struct {
	Kernel  kernel.Any  `json:"kernel"`
	Vectors [][]float64 `json:"vectors"` // support vectors: copies of the rows of X with α > 0
	Coef    []float64   `json:"coef"`    // αᵢyᵢ of each support vector
	B       float64     `json:"b"`

	// W is Σ αᵢyᵢxᵢ, of length d, if the kernel is kernel.Linear; otherwise nil.
	W []float64 `json:"w,omitempty"`

	Norm float64 `json:"norm"` // ‖w‖ in the feature space; the margin is 1/‖w‖ on each side

	// Solution may be the zero value: the model predicts without it. See Predictor.
	Solution `json:"solution"`
}

// Solution is the solution of the primal and dual problems. Rows are rows of X; n is their
// number. A row of weight 0 is not in the problems: its α, ξ, τ and C are 0.
type Solution struct {
	Support []int `json:"support"`  // rows of the support vectors, ascending
	Free    []int `json:"free"`     // those with α < C: they lie on the margin
	AtBound []int `json:"at_bound"` // those with α = C: on the margin or on its wrong side

	Alpha  []float64 `json:"alpha"` // multipliers α, length n
	Slacks []float64 `json:"slack"` // ξᵢ = max(0, 1 - yᵢf(xᵢ)), length n; with a hard margin, the shortfall
	Tau    []float64 `json:"tau"`   // τᵢ = Cᵢ - αᵢ, the multipliers of ξᵢ ≥ 0 (Yuille, section 10), length n; nil for a hard margin
	Bounds []float64 `json:"bound"` // Cᵢ, C times the weights of sample i and of its class, length n; nil for a hard margin

	Dual   float64 `json:"dual"`   // value of the dual problem
	Primal float64 `json:"primal"` // ½‖w‖² + Σ Cᵢξᵢ; see Hard for the hard margin
	Gap    float64 `json:"gap"`    // Primal - Dual ≥ 0

	// Hard reports whether the margin is hard. Primal is then ½‖w‖² after scaling (w, b)
	// until no slack is needed. If the hyperplane does not separate the classes, Primal
	// and Gap are math.MaxFloat64.
	Hard bool `json:"hard"`

	Violation  float64 `json:"violation"` // m(α) - M(α), from a gradient evaluated afresh at the end
	Iterations int     `json:"iterations"`
	Converged  bool    `json:"converged"` // whether Violation is at most Tol
}

// Predictor returns only what the score needs: m without its Solution, whose four
// numbers for each sample are most of a model on disk. It shares its vectors with m.
func (m *Model) Predictor() *Model {
	p := *m
	p.Solution = Solution{}
	return &p
}

var _ mlkit.ClassifierModel = (*Model)(nil)

// Score returns f(x) = Σ αᵢyᵢk(xᵢ, x) + b. Its sign is the predicted
// side; ±1 is the margin. Score panics if len(x) is not the number of features, or if m
// is the zero value.
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

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst, a new slice if dst
// is nil. It panics if d is not the number of features, if len(dst) != n, or if m is the
// zero value.
//
// With a linear, polynomial or Gaussian kernel and at least 1000 support vectors, Scores
// runs on all processors and differs from Score by rounding error: for a Gaussian about
// 10⁻¹⁵ (Σ |αᵢk(xᵢ, x)|)(1 + γ‖x‖²).
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

// Predict returns +1 if f(x) ≥ 0 and -1 otherwise. It panics if Score would.
func (m *Model) Predict(x []float64) int { return rows.Side(m.Score(x)) }

// Predictions sets dst[i] to the label, -1 or +1, of row i of X (n×d) and returns dst, a
// new slice if dst is nil. It panics if Scores would.
func (m *Model) Predictions(dst []int, X mat.Matrix) []int {
	n, d := X.Dims()
	m.mustFit("Predictions", d)
	dst = destination("Predictions", dst, n)
	for i, s := range m.Scores(nil, X) {
		dst[i] = rows.Side(s)
	}
	return dst
}

// Margin returns 1/‖w‖, the distance in the feature space from the decision boundary to
// the margin on either side (Theodoridis: "the margin is twice this distance").
func (m *Model) Margin() float64 { return 1 / m.Norm }

// Hyperplane returns a copy of the decision boundary in the space of the samples. It
// reports false unless the kernel is linear.
func (m *Model) Hyperplane() (mlkit.Hyperplane, bool) {
	return mlkit.Hyperplane{W: append([]float64(nil), m.W...), B: m.B}, m.W != nil
}

// mustFit panics unless m can score samples with d features.
func (m *Model) mustFit(method string, d int) {
	if m.Kernel.Kernel == nil {
		panic(fmt.Sprintf("svm: %s: the model has no kernel, want one that Fit has returned", method))
	}
	if want := m.Inputs(); want > 0 && d != want {
		panic(fmt.Sprintf("svm: %s: a sample has %d elements, want %d", method, d, want))
	}
}

// destination returns dst, or a new slice of length n if dst is nil. It panics if dst has
// another length.
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

// model returns the model of the final state: it takes over Alpha. G must be up to date
// with Alpha. The model keeps views of the samples if lent, otherwise copies.
func (f *fit) model(lent bool) *Model {
	n := len(f.Y)
	o := f.Objectives()
	m := &Model{
		Kernel: kernel.Any{Kernel: f.Kernel},
		B:      f.b(o.B),
		Norm:   math.Sqrt(o.Norm2),
		Solution: Solution{
			Alpha:      f.Alpha,
			Slacks:     make([]float64, n),
			Dual:       o.Dual,
			Primal:     o.Primal,
			Gap:        o.Gap,
			Hard:       f.Hard,
			Violation:  max(0, f.Violation()),
			Iterations: f.Iterations,
		},
	}
	if wrapped, ok := f.Kernel.(kernel.Any); ok {
		m.Kernel = wrapped
	}
	if f.Linear {
		m.W = f.weights()
	}
	if !f.Hard {
		m.Bounds = f.C
		m.Tau = make([]float64, n)
	}
	count := 0
	for _, a := range f.Alpha {
		if a != 0 {
			count++
		}
	}
	m.Support, m.Vectors, m.Coef = slices.Grow(m.Support, count), slices.Grow(m.Vectors, count), slices.Grow(m.Coef, count)
	for i, a := range f.Alpha {
		m.Slacks[i] = max(0, f.Y[i]*(f.G[i]-o.B))
		if !f.Hard {
			m.Tau[i] = f.C[i] - a
		}
		if a == 0 {
			continue
		}
		x := f.Samples.Row(i)
		if !lent {
			x = slices.Clone(x)
		}
		m.Support = append(m.Support, i)
		m.Vectors = append(m.Vectors, x)
		m.Coef = append(m.Coef, a*f.Y[i]*f.sign)
		if a < f.C[i] {
			m.Free = append(m.Free, i)
		} else {
			m.AtBound = append(m.AtBound, i)
		}
	}
	m.Converged = m.Violation <= f.Tol
	m.restore(f.present, f.n)
	return m
}

// restore puts the numbers of the samples at their places among n. present are the places of
// samples with a weight above 0; nil means all.
func (s *Solution) restore(present []int, n int) {
	for _, v := range []*[]float64{&s.Alpha, &s.Slacks, &s.Tau, &s.Bounds} {
		*v = rows.Restore(*v, present, n)
	}
	for _, v := range [][]int{s.Support, s.Free, s.AtBound} {
		for k, i := range v {
			v[k] = rows.Number(i, present)
		}
	}
}
