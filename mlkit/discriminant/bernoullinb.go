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
// estimates w and b without the assumption. Fit is for two classes labelled -1 and +1,
// FitClasses for any number of classes with any labels. A fit takes O(nd) time and O(Md)
// memory.
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

	// Smoothing is α, a positive number; 0 means 1 (Laplace's rule of succession).
	Smoothing float64
}

// BernoulliNBModel is the result of BernoulliNB for two classes. Its score is the log-odds
// w·x + b.
type BernoulliNBModel struct {
	mlkit.Hyperplane
	Priors        [2]float64   `json:"priors"`        // P(Y=-1) and P(Y=+1)
	Probabilities [2][]float64 `json:"probabilities"` // θ₋ and θ₊
}

var _ mlkit.ClassifierModel = (*BernoulliNBModel)(nil)

// BernoulliNBClassesModel is the result of BernoulliNB for M classes.
type BernoulliNBClassesModel struct {
	mlkit.LinearMachine
	Priors        []float64   `json:"priors"`        // M numbers
	Probabilities [][]float64 `json:"probabilities"` // θ, M×d
}

// Fit estimates the model from the rows of X (n×d), whose elements are 0 or 1, with labels
// y[i], each -1 or +1.
func (a BernoulliNB) Fit(X *mat.Dense, y []int) (*BernoulliNBModel, error) {
	return a.FitContext(context.Background(), X, y)
}

// FitContext is like Fit but stops soon after ctx is done, as LDA.FitContext does. Its
// model then has θ = ½.
func (a BernoulliNB) FitContext(ctx context.Context, X *mat.Dense, y []int) (*BernoulliNBModel, error) {
	return a.FitWeightedContext(ctx, X, y, nil)
}

// FitWeighted is like Fit with a weight for each row of X. A row of weight 2 counts as
// two, and a row of weight 0 is ignored. nil weights mean 1. Both labels need rows of
// positive weight.
func (a BernoulliNB) FitWeighted(X *mat.Dense, y []int, weights []float64) (*BernoulliNBModel, error) {
	return a.FitWeightedContext(context.Background(), X, y, weights)
}

// FitWeightedContext is like FitWeighted but stops soon after ctx is done, as FitContext
// does.
func (a BernoulliNB) FitWeightedContext(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*BernoulliNBModel, error) {
	return ofTwo(ctx, a.FitClassesWeightedContext, X, y, weights, func(c *BernoulliNBClassesModel) *BernoulliNBModel {
		return &BernoulliNBModel{
			Hyperplane:    c.Between(1, 0),
			Priors:        [2]float64{c.Priors[0], c.Priors[1]},
			Probabilities: [2][]float64{c.Probabilities[0], c.Probabilities[1]},
		}
	})
}

// FitClasses estimates the model from the rows of X (n×d), whose elements are 0 or 1, with labels y[i], any ints. There must be at least two different labels.
func (a BernoulliNB) FitClasses(X *mat.Dense, y []int) (*BernoulliNBClassesModel, error) {
	return a.FitClassesContext(context.Background(), X, y)
}

// FitClassesContext is like FitClasses but stops soon after ctx is done, as FitContext
// does.
func (a BernoulliNB) FitClassesContext(ctx context.Context, X *mat.Dense, y []int) (*BernoulliNBClassesModel, error) {
	return a.FitClassesWeightedContext(ctx, X, y, nil)
}

// FitClassesWeighted is like FitClasses with a weight for each row of X, as for
// FitWeighted. A class whose rows all have weight 0 is left out.
func (a BernoulliNB) FitClassesWeighted(X *mat.Dense, y []int, weights []float64) (*BernoulliNBClassesModel, error) {
	return a.FitClassesWeightedContext(context.Background(), X, y, weights)
}

// FitClassesWeightedContext is like FitClassesWeighted but stops soon after ctx is done, as
// FitContext does.
func (a BernoulliNB) FitClassesWeightedContext(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*BernoulliNBClassesModel, error) {
	l, err := newLabeled("BernoulliNB", X, y, given{a.Priors, a.ClassWeights, weights})
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
	m := &BernoulliNBClassesModel{LinearMachine: l.machine(d), Priors: l.priors, Probabilities: zeros(len(l.classes), d)}
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

// Prob returns P(Y = +1 | X = x) = σ(w·x + b). It panics if len(x) != len(W).
func (m *BernoulliNBModel) Prob(x []float64) float64 { return rows.Sigmoid(m.Score(x)) }

// Probs sets dst[i] to Prob of row i of X (n×d) and returns dst, a new slice if dst is
// nil. It panics under the same conditions as Scores.
func (m *BernoulliNBModel) Probs(dst []float64, X mat.Matrix) []float64 {
	return rows.Sigmoids(m.Scores(dst, X))
}

// Posterior sets dst[k] to P(Y = Classes[k] | X = x) and returns dst, a new slice if dst is
// nil. It panics if len(x) != d or len(dst) != M.
func (m *BernoulliNBClassesModel) Posterior(dst, x []float64) []float64 {
	dst = m.Discriminants(dst, x)
	rows.Softmax(dst)
	return dst
}

// Posteriors sets row i of dst (n×M) to Posterior of row i of X (n×d) and returns dst, a new
// matrix if dst is nil. It panics if the shapes differ from these.
func (m *BernoulliNBClassesModel) Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return rows.Posteriors("discriminant", dst, X, len(m.B), len(m.W[0]), func(dst, x []float64) { m.Posterior(dst, x) })
}
