package discriminant

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// DiagonalLDA is LDA with a diagonal covariance matrix, or naive Bayes for Gaussian
// columns that have the same variance s²_j in all classes (Sandrine Dudoit, Jane Fridlyand
// and Terence Speed, "Comparison of discrimination methods for the classification of
// tumors using gene expression data", 2002; "The Elements of Statistical Learning",
// section 18.2). The quadratic terms of GaussianNB cancel,
//
//	P(Y = +1 | X = x) = σ(w·x + b)
//	w_j = (m₊j - m₋j)/s²_j,  b = ½ Σ_j (m²₋j - m²₊j)/s²_j + log P(Y=+1)/P(Y=-1)
//
// and the model is a hyperplane. It needs one sample more than there are classes, so it is
// for data with more columns than samples. Fit is for two classes labelled -1 and +1,
// FitClasses for any number of classes with any labels. A fit takes O(nd) time and memory.
//
// A column that is the same in all samples has the weight 0. If a column varies, but only
// between the classes, Fit returns a *SingularError; leave it out, or use VarSmoothing.
type DiagonalLDA struct {
	// Priors are the probabilities of the classes, as for LDA.
	Priors []float64

	// ClassWeights multiplies the weight of each sample of the class with that label by a
	// factor above 0; a class without an entry has the factor 1. See mlkit.BalancedWeights.
	ClassWeights map[int]float64

	// Divisor selects the divisor of the sum of squares about the class means, as for LDA.
	Divisor Divisor

	// VarSmoothing is ε ≥ 0 of s²_j ← s²_j + ε times the variance of column j in all
	// samples, as for GaussianNB.
	VarSmoothing float64
}

// DiagonalLDAModel is the result of DiagonalLDA for two classes. Its score is the log-odds
// w·x + b.
type DiagonalLDAModel struct {
	mlkit.Hyperplane
	Means     [2][]float64 `json:"means"`     // m₋ and m₊
	Priors    [2]float64   `json:"priors"`    // P(Y=-1) and P(Y=+1)
	Variances []float64    `json:"variances"` // s², d numbers, after smoothing; 0 in a column that is ignored
}

var _ mlkit.ClassifierModel = (*DiagonalLDAModel)(nil)

// DiagonalLDAClassesModel is the result of DiagonalLDA for M classes. Its discriminant
// functions are the log-posteriors up to a common term:
//
//	w_kj = (m_kj - m_j)/s²_j,  b_k = -½ Σ_j (m_kj - m_j)(m_kj + m_j)/s²_j + log P(Y=k)
//
// where m = Σ P(Y=k) m_k.
type DiagonalLDAClassesModel struct {
	mlkit.LinearMachine
	Means     [][]float64 `json:"means"`     // M×d
	Priors    []float64   `json:"priors"`    // M numbers
	Variances []float64   `json:"variances"` // s², d numbers, after smoothing; 0 in a column that is ignored
}

// Fit estimates the model from the rows of X (n×d) with labels y[i], each -1 or +1. n
// must be at least 3.
func (a DiagonalLDA) Fit(X *mat.Dense, y []int) (*DiagonalLDAModel, error) {
	return a.FitContext(context.Background(), X, y)
}

// FitContext is like Fit but stops soon after ctx is done, as LDA.FitContext does.
func (a DiagonalLDA) FitContext(ctx context.Context, X *mat.Dense, y []int) (*DiagonalLDAModel, error) {
	return a.FitWeightedContext(ctx, X, y, nil)
}

// FitWeighted is like Fit with a weight for each row of X. A row of weight 2 counts as
// two, and a row of weight 0 is ignored. nil weights mean 1. Both labels need rows of
// positive weight.
func (a DiagonalLDA) FitWeighted(X *mat.Dense, y []int, weights []float64) (*DiagonalLDAModel, error) {
	return a.FitWeightedContext(context.Background(), X, y, weights)
}

// FitWeightedContext is like FitWeighted but stops soon after ctx is done, as FitContext
// does.
func (a DiagonalLDA) FitWeightedContext(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*DiagonalLDAModel, error) {
	return ofTwo(ctx, a.FitClassesWeightedContext, X, y, weights, func(c *DiagonalLDAClassesModel) *DiagonalLDAModel {
		return &DiagonalLDAModel{
			Hyperplane: c.Between(1, 0),
			Means:      [2][]float64{c.Means[0], c.Means[1]},
			Priors:     [2]float64{c.Priors[0], c.Priors[1]},
			Variances:  c.Variances,
		}
	})
}

// FitClasses estimates the model from the rows of X (n×d) with labels y[i], any ints.
// There must be M ≥ 2 different labels and n > M samples.
func (a DiagonalLDA) FitClasses(X *mat.Dense, y []int) (*DiagonalLDAClassesModel, error) {
	return a.FitClassesContext(context.Background(), X, y)
}

// FitClassesContext is like FitClasses but stops soon after ctx is done, as FitContext
// does.
func (a DiagonalLDA) FitClassesContext(ctx context.Context, X *mat.Dense, y []int) (*DiagonalLDAClassesModel, error) {
	return a.FitClassesWeightedContext(ctx, X, y, nil)
}

// FitClassesWeighted is like FitClasses with a weight for each row of X, as for
// FitWeighted. A class whose rows all have weight 0 is left out.
func (a DiagonalLDA) FitClassesWeighted(X *mat.Dense, y []int, weights []float64) (*DiagonalLDAClassesModel, error) {
	return a.FitClassesWeightedContext(context.Background(), X, y, weights)
}

// FitClassesWeightedContext is like FitClassesWeighted but stops soon after ctx is done, as
// FitContext does.
func (a DiagonalLDA) FitClassesWeightedContext(ctx context.Context, X *mat.Dense, y []int, weights []float64) (*DiagonalLDAClassesModel, error) {
	g, err := newGaussians(ctx, "DiagonalLDA", X, y, given{a.Priors, a.ClassWeights, weights}, a.Divisor)
	if g == nil {
		return nil, err
	}
	if err := g.moreThanClasses("DiagonalLDA"); err != nil {
		return nil, err
	}
	d := len(g.size)
	m := &DiagonalLDAClassesModel{LinearMachine: g.machine(d), Means: g.means, Priors: g.priors, Variances: make([]float64, d)}
	var variances [][]float64
	if err == nil {
		variances, err = g.variances(ctx, "DiagonalLDA", a.Divisor, a.VarSmoothing, true)
	}
	if err != nil && err == ctx.Err() {
		for _, mean := range m.Means {
			clear(mean)
		}
		return m, unfinished("DiagonalLDA", err, g.n, m)
	}
	if err != nil {
		return nil, err
	}
	m.Variances = variances[0]
	centre := g.centre()
	for k, mean := range g.means {
		for j, v := range m.Variances {
			if v > 0 {
				m.W[k][j] = (mean[j] - centre[j]) / v
				m.B[k] -= m.W[k][j] * (mean[j] + centre[j]) / 2
			}
		}
		if !check.Finite(m.B[k]) || !check.AllFinite(m.W[k]) {
			return nil, errors.New("discriminant: DiagonalLDA: the weights overflow; scale the columns of X to ordinary numbers")
		}
	}
	return m, nil
}

// Prob returns P(Y = +1 | X = x) = σ(w·x + b). It panics if len(x) != len(W).
func (m *DiagonalLDAModel) Prob(x []float64) float64 { return rows.Sigmoid(m.Score(x)) }

// Probs sets dst[i] to Prob of row i of X (n×d) and returns dst, a new slice if dst is
// nil. It panics under the same conditions as Scores.
func (m *DiagonalLDAModel) Probs(dst []float64, X mat.Matrix) []float64 {
	return rows.Sigmoids(m.Scores(dst, X))
}

// Posterior sets dst[k] to P(Y = Classes[k] | X = x) and returns dst, a new slice if dst is
// nil. It panics if len(x) != d or len(dst) != M.
func (m *DiagonalLDAClassesModel) Posterior(dst, x []float64) []float64 {
	dst = m.Discriminants(dst, x)
	rows.Softmax(dst)
	return dst
}

// Posteriors sets row i of dst (n×M) to Posterior of row i of X (n×d) and returns dst, a new
// matrix if dst is nil. It panics if the shapes differ from these.
func (m *DiagonalLDAClassesModel) Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return rows.Posteriors("discriminant", dst, X, len(m.B), len(m.Variances), func(dst, x []float64) { m.Posterior(dst, x) })
}
