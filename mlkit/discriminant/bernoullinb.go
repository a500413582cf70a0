package discriminant

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// BernoulliNB is the naive Bayes classifier for columns of 0 and 1, which takes the columns
// of a class to be independent (Cornell, figure 2; Kevin Murphy, "Machine Learning: A
// Probabilistic Perspective", 2012, section 3.5). With θ_kj = P(x_j = 1 | Y = k) the
// log-posteriors are linear in x, up to a common term:
//
//	g_k(x) = Σ_j x_j log θ_kj + (1 - x_j) log(1 - θ_kj) + log P(Y=k) = w_k·x + b_k
//	w_kj = log θ_kj/(1 - θ_kj),  b_k = Σ_j log(1 - θ_kj) + log P(Y=k)
//
// So the model of two classes is a hyperplane, as that of logistic regression is, which
// estimates w and b without the assumption. The classes may be more than two, with any labels.
// A fit takes O(nd) time and O(Md) memory.
//
// Each θ_kj is estimated with a prior, the Beta distribution with both parameters α + 1,
// or in other words from α further samples of 1 and as many of 0: if n_kj of the n_k
// samples of class k have x_j = 1,
//
//	θ_kj = (n_kj + α)/(n_k + 2α)
//
// A 1 that a class never had in training is then unlikely and not impossible.
type BernoulliNB struct {
	// Priors are the probabilities of the classes, as for LDA.
	Priors []float64

	// ClassWeights multiplies the weight of each sample of the class with that label by a
	// factor above 0; a class without an entry has the factor 1. See mlkit.BalancedWeights.
	ClassWeights map[int]float64

	// Balanced gives all classes the same total weight, computed at each fit: see package
	// mlkit. ClassWeights must then be empty.
	Balanced bool

	// Smoothing is α, a positive number; 0 means 1 (Laplace's rule of succession).
	Smoothing float64
}

// BernoulliNBModel is the result of BernoulliNB for M classes. For two classes the score is the
// log-odds of Classes[1], w·x + b of their Hyperplane.
type BernoulliNBModel struct {
	mlkit.LogLinearMachine
	Priors        []float64   `json:"priors"`        // M numbers
	Probabilities [][]float64 `json:"probabilities"` // θ, M×d
}

var _ mlkit.ProbableClassifierModel = (*BernoulliNBModel)(nil)

// Fit estimates the model from the rows of X (n×d), whose elements are 0 or 1, with labels
// y[i], any ints. There must be at least two different labels.
func (a BernoulliNB) Fit(X *mat.Dense, y []int) (*BernoulliNBModel, error) {
	return a.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with weights of the samples, as LDA.FitWith is. Where the
// context ends the fit, the model has θ = ½.
func (a BernoulliNB) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*BernoulliNBModel, error) {
	ctx := o.ContextOrBackground()
	l, err := newLabeled("BernoulliNB", X, y, given{a.Priors, a.ClassWeights, a.Balanced, o.Weights})
	if err != nil {
		return nil, err
	}
	if err := check.Positive("discriminant", "BernoulliNB.Smoothing", a.Smoothing, "1"); err != nil {
		return nil, err
	}
	alpha := a.Smoothing
	if alpha == 0 {
		alpha = 1
	}
	_, d := X.Dims()
	m := &BernoulliNBModel{LogLinearMachine: l.machine(d), Priors: l.priors, Probabilities: zeros(len(l.classes), d)}
	zero, one, err := l.counted(ctx)
	if err != nil && err == ctx.Err() {
		for _, θ := range m.Probabilities {
			for j := range θ {
				θ[j] = 0.5
			}
		}
		return m, unfinished("BernoulliNB", err, l.n, m)
	}
	if err != nil {
		return nil, err
	}
	for k, θ := range m.Probabilities {
		for j := range θ {
			n0, n1 := zero[k][j]+alpha, one[k][j]+alpha
			θ[j] = 1 / (1 + n0/n1) // n0 + n1 may overflow
			w := math.Log(n1) - math.Log(n0)
			m.W[k][j] = w
			m.B[k] -= max(w, 0) + math.Log1p(math.Exp(-math.Abs(w))) // log(1 - θ)
		}
	}
	return m, nil
}

// counted returns how many samples of each class have 0 and 1 in each column, M×d. A
// sample of weight w counts as w samples.
func (l *labelled) counted(ctx context.Context) (zero, one [][]float64, err error) {
	_, d := l.X.Dims()
	zero, one = zeros(len(l.classes), d), zeros(len(l.classes), d)
	for i, k := range l.index {
		if i%work.Chunk == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		w := l.weight(i) * l.unit
		for j, v := range l.X.RawRowView(i) {
			switch v {
			case 0:
				zero[k][j] += w
			case 1:
				one[k][j] += w
			default:
				return nil, nil, fmt.Errorf("discriminant: BernoulliNB: X[%d][%d] = %v, want 0 or 1", rows.Number(i, l.present), j, v)
			}
		}
	}
	return zero, one, nil
}
