package mlkit

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

var _ ProbableClassifierModel = LogLinearMachine{}

// LogLinearMachine is a LinearMachine whose discriminant functions are the logarithms of the
// classes' probabilities up to a common term,
//
//	P(Y = k | X = x) = exp g_k(x) / Σ exp g_l(x)
//
// so that for two classes P(Y = Classes[1] | X = x) = σ(w·x + b), with the w and b of their
// Hyperplane.
type LogLinearMachine struct{ LinearMachine }

// Posterior sets dst[k] to P(Y = Classes[k] | X = x) and returns dst, a new slice if dst is
// nil. It panics if len(x) != d or len(dst) != M.
func (m LogLinearMachine) Posterior(dst, x []float64) []float64 {
	m.mustFit("Posterior", len(x))
	dst = rows.Destination("mlkit", "Posterior", dst, len(m.B))
	m.posterior(dst, x)
	return dst
}

func (m LogLinearMachine) posterior(dst, x []float64) {
	if len(dst) == 2 {
		s := m.Between(1, 0).Score(x)
		dst[0], dst[1] = rows.Sigmoid(-s), rows.Sigmoid(s)
		return
	}
	m.discriminants(dst, x)
	rows.Softmax(dst)
}

// Posteriors sets row i of dst (n×M) to Posterior of row i of X (n×d) and returns dst, a new
// matrix if dst is nil. It panics if the shapes differ from these.
func (m LogLinearMachine) Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return rows.Posteriors("mlkit", dst, X, len(m.B), len(m.W[0]), m.posterior)
}

// Prob returns P(Y = Classes[1] | X = x) of two classes. It panics if there are more, or if
// len(x) != d.
func (m LogLinearMachine) Prob(x []float64) float64 {
	return rows.Sigmoid(m.between("Prob", len(x)).Score(x))
}

// Probs sets dst[i] to Prob of row i of X (n×d) and returns dst, a new slice if dst is nil.
// It panics if there are more than two classes, X does not have d columns or len(dst) != n.
func (m LogLinearMachine) Probs(dst []float64, X mat.Matrix) []float64 {
	_, d := X.Dims()
	return rows.Sigmoids(m.between("Probs", d).Scores(dst, X))
}
