package logistic

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// SoftmaxModel is what Regression has learnt from M classes,
//
//	P(Y = k | X = x) = exp(w_k·x + b_k) / Σ exp(w_l·x + b_l).
//
// Adding one vector to all w_k, or one number to all b_k, changes no probability. Here
// Σ b_k = 0 and, unless L1 decides otherwise, Σ w_k = 0. Theodoridis sets w_M = 0 and
// b_M = 0 instead: his w_k is w_k - w_M here; see Between.
type SoftmaxModel struct {
	mlkit.LinearMachine
	LogLikelihood float64 `json:"log_likelihood"` // Σ vᵢ log P(Y = yᵢ | X = xᵢ)
	Objective     float64 `json:"objective"`      // with the penalties, summed over all w_k
	Iterations    int     `json:"iterations"`
	Converged     bool    `json:"converged"`
}

// FitClasses learns from the rows of X (n×d) with labels y[i], any ints, at least two
// different ones. It returns the same errors as Fit.
func (l Regression) FitClasses(X *mat.Dense, y []int) (*SoftmaxModel, error) {
	return l.FitClassesContext(context.Background(), X, y)
}

// FitClassesContext is to FitClasses what FitContext is to Fit.
func (l Regression) FitClassesContext(ctx context.Context, X *mat.Dense, y []int) (*SoftmaxModel, error) {
	return l.FitClassesWeightedContext(ctx, X, y, nil)
}

// FitClassesWeighted is to FitClasses what FitWeighted is to Fit. A label all of whose rows
// have the weight 0 is absent from the model; at least two must be left.
func (l Regression) FitClassesWeighted(X *mat.Dense, y []int, weights []float64) (*SoftmaxModel, error) {
	return l.FitClassesWeightedContext(context.Background(), X, y, weights)
}

// FitClassesWeightedContext is to FitClassesWeighted what FitContext is to Fit.
func (l Regression) FitClassesWeightedContext(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*SoftmaxModel, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	if err := check.Samples("logistic", X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if _, _, err := check.Classes("logistic", n, y); err != nil {
		return nil, err
	}
	X, y, v, err := l.weighted(X, y, weights)
	if err != nil {
		return nil, err
	}
	classes, index, err := check.Classes("logistic", len(y), y)
	if err != nil {
		return nil, err
	}
	_, d := X.Dims()
	start, b, err := l.start(classes, d)
	if err != nil {
		return nil, err
	}
	p, err := newProblem(ctx, l.solvedBy(X, len(classes)), X, labels{index, v, len(classes)})
	if err != nil {
		return nil, err
	}
	run, cause := p.run(start, b)
	W, B := p.original(run.theta)
	shift := 0.0
	for _, b := range B {
		shift += b / float64(len(B))
	}
	for k := range B {
		B[k] -= shift
	}
	m := &SoftmaxModel{
		LinearMachine: mlkit.LinearMachine{Classes: classes, W: W, B: B},
		LogLikelihood: -run.loss,
		Objective:     run.objective,
		Iterations:    run.iterations,
		Converged:     run.converged,
	}
	return m, p.failure(run, cause, m)
}

// Posterior sets dst[k] to P(Y = Classes[k] | X = x) and returns dst, a new slice if dst is
// nil. It panics unless x has length d and dst has length M.
func (m *SoftmaxModel) Posterior(dst, x []float64) []float64 {
	dst = m.Discriminants(dst, x)
	rows.Softmax(dst)
	return dst
}

// Posteriors sets row i of dst (n×M) to Posterior of row i of X (n×d) and returns dst, a new
// matrix if dst is nil. It panics if X or dst has another shape.
func (m *SoftmaxModel) Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return rows.Posteriors("logistic", dst, X, len(m.B), len(m.W[0]), func(dst, x []float64) { m.Posterior(dst, x) })
}
