package discriminant

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
)

// GaussianNB is the naive Bayes classifier for Gaussian columns, which takes the columns
// of a class to be independent (Cornell, figure 2; Kevin Murphy, "Machine Learning: A
// Probabilistic Perspective", 2012, section 3.5). With means m_kj and variances s²_kj for
// each class k and column j, its discriminant functions are
//
//	δ_k(x) = -½ Σ_j (x_j - m_kj)²/s²_kj - ½ Σ_j log s²_kj + log P(Y=k)
//
// This is QDA with diagonal covariance matrices. With one variance for all classes it is
// DiagonalLDA, whose boundaries are hyperplanes. It needs two samples of each class, or
// VarSmoothing, whatever d is: columns that depend on each other make its probabilities too
// close to 0 and 1, and often leave its decisions right (Pedro Domingos and Michael Pazzani,
// "On the optimality of the simple Bayesian classifier under zero-one loss", 1997). The
// classes may be two or more, with any labels. A fit takes O(nd) time and memory.
//
// A column that is the same in all samples says nothing about the classes, and the model
// ignores it. If a column varies, but not in some class, Fit returns a *SingularError:
// such a class would be certain, or impossible, by that column alone. Leave the column
// out, or use VarSmoothing.
type GaussianNB struct {
	// Priors are the probabilities of the classes, as for LDA.
	Priors []float64

	// ClassWeights multiplies the weight of each sample of the class with that label by a
	// factor above 0; a class without an entry has the factor 1. See mlkit.BalancedWeights.
	ClassWeights map[int]float64

	// Balanced gives all classes the same total weight, computed at each fit: see package
	// mlkit. ClassWeights must then be empty.
	Balanced bool

	// Divisor selects the divisor of the sum of squares about the mean of class k. The
	// zero value, Unbiased, means n_k - 1; scikit-learn divides by n_k,
	// MaximumLikelihood.
	Divisor Divisor

	// VarSmoothing is ε ≥ 0 of s²_kj ← s²_kj + εs²_j, where s²_j is the variance of column
	// j in all samples, with the divisor n. Shifting and scaling the columns does not
	// change the predictions, whatever ε is. scikit-learn adds ε times the largest s²_j
	// to all columns, with ε = 1e-9 by default. That is the same for standardised columns
	// and depends on their units for others. A class of one sample has the variances εs²_j.
	VarSmoothing float64
}

// GaussianNBModel is the result of GaussianNB for M classes. For two classes the score is the
// log-odds δ₁(x) - δ₀(x) of Classes[1].
type GaussianNBModel struct {
	Classes   []int       `json:"classes"`   // the labels, sorted
	Priors    []float64   `json:"priors"`    // M numbers
	Means     [][]float64 `json:"means"`     // M×d
	Variances [][]float64 `json:"variances"` // M×d, after smoothing; 0 in a column that is ignored
	Offsets   []float64   `json:"offsets"`   // log P(Y=k) - ½ Σ_j log s²_kj
}

var _ mlkit.ProbableClassifierModel = (*GaussianNBModel)(nil)

// Fit estimates the model from the rows of X (n×d) with labels y[i], any ints. There must be
// at least two different labels, and at least two samples of each, or one with VarSmoothing.
func (a GaussianNB) Fit(X *mat.Dense, y []int) (*GaussianNBModel, error) {
	return a.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with weights of the samples, as LDA.FitWith is.
func (a GaussianNB) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*GaussianNBModel, error) {
	ctx := o.ContextOrBackground()
	g, err := newGaussians(ctx, "GaussianNB", X, y, given{a.Priors, a.ClassWeights, a.Balanced, o.Weights}, a.Divisor)
	if g == nil {
		return nil, err
	}
	if a.VarSmoothing == 0 {
		if err := g.twoOfEach("GaussianNB"); err != nil {
			return nil, fmt.Errorf("%w, or VarSmoothing", err)
		}
	}
	m := &GaussianNBModel{Classes: g.classes, Priors: g.priors, Means: g.means}
	if err == nil {
		m.Variances, err = g.variances(ctx, "GaussianNB", a.Divisor, a.VarSmoothing, false)
	}
	if err != nil && err == ctx.Err() {
		m := priorsGaussianNB(g)
		return m, unfinished("GaussianNB", err, g.n, m)
	}
	if err != nil {
		return nil, err
	}
	for k, p := range g.priors {
		b := math.Log(p)
		for _, v := range m.Variances[k] {
			if v > 0 {
				b -= math.Log(v) / 2
			}
		}
		m.Offsets = append(m.Offsets, b)
	}
	return m, nil
}

// priorsGaussianNB returns a model that knows only the priors.
func priorsGaussianNB(g *gaussians) *GaussianNBModel {
	m := &GaussianNBModel{Classes: g.classes, Priors: g.priors}
	for _, p := range g.priors {
		m.Means, m.Variances = append(m.Means, make([]float64, len(g.size))), append(m.Variances, make([]float64, len(g.size)))
		m.Offsets = append(m.Offsets, math.Log(p))
	}
	return m
}

// Discriminants sets dst[k] to δ_k(x) of Classes[k] and returns dst, a new slice if dst
// is nil. If a δ_k(x) of a finite x overflows, all are those of a common smaller scale: the
// largest still belongs to the nearest class. It panics if len(x) != d or len(dst) != M.
func (m *GaussianNBModel) Discriminants(dst, x []float64) []float64 {
	if want := len(m.Means[0]); len(x) != want {
		panic(fmt.Sprintf("discriminant: GaussianNB: a sample has %d elements, want %d", len(x), want))
	}
	dst = rows.Destination("discriminant", "Discriminants", dst, len(m.Classes))
	return discriminants(dst, m.Offsets, x, func(k int, scale float64) float64 {
		mean, variances, sum := m.Means[k], m.Variances[k], 0.0
		for j, v := range x {
			if s := variances[j]; s > 0 {
				delta := scale*v - scale*mean[j]
				sum += delta / s * delta // delta² may overflow or underflow
			} else {
				sum += 0 * v // a NaN in x comes out as NaN
			}
		}
		return sum
	})
}

// Posterior sets dst[k] to P(Y = Classes[k] | X = x) and returns dst, a new slice if dst is
// nil. It panics under the same conditions as Discriminants.
func (m *GaussianNBModel) Posterior(dst, x []float64) []float64 {
	dst = m.Discriminants(dst, x)
	rows.Posterior(dst)
	return dst
}

// Posteriors sets row i of dst (n×M) to Posterior of row i of X (n×d) and returns dst, a new
// matrix if dst is nil. It panics if the shapes differ from these.
func (m *GaussianNBModel) Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return rows.Posteriors("discriminant", dst, X, len(m.Classes), len(m.Means[0]), func(dst, x []float64) { m.Posterior(dst, x) })
}

// Predict returns the label of the class with the largest δ_k(x), the first in a tie. For two
// classes it returns Classes[1] if Score(x) is at least 0, and Classes[0] otherwise. It panics
// under the same conditions as Discriminants.
func (m *GaussianNBModel) Predict(x []float64) int {
	δ := m.Discriminants(nil, x)
	if len(δ) == 2 {
		return m.Classes[rows.Second(δ[1]-δ[0])]
	}
	return m.Classes[rows.Largest(δ)]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics if X does not have d columns or len(dst) != n.
func (m *GaussianNBModel) Predictions(dst []int, X mat.Matrix) []int {
	return eachRow("Predictions", dst, X, m.Predict)
}

// Score returns the log-odds δ₁(x) - δ₀(x) of two classes. It panics if there are more, or if
// len(x) != d.
func (m *GaussianNBModel) Score(x []float64) float64 {
	mustHaveTwo("GaussianNBModel.Score", m.Classes)
	return m.logOdds(x)
}

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst, a new slice if dst is
// nil. It panics if there are more than two classes, X does not have d columns or
// len(dst) != n.
func (m *GaussianNBModel) Scores(dst []float64, X mat.Matrix) []float64 {
	mustHaveTwo("GaussianNBModel.Scores", m.Classes)
	return eachRow("Scores", dst, X, m.logOdds)
}

// logOdds is Score without its check.
func (m *GaussianNBModel) logOdds(x []float64) float64 {
	δ := m.Discriminants(nil, x)
	return δ[1] - δ[0]
}

// Prob returns P(Y = Classes[1] | X = x) = σ(score) of two classes. It panics under the same
// conditions as Score.
func (m *GaussianNBModel) Prob(x []float64) float64 {
	mustHaveTwo("GaussianNBModel.Prob", m.Classes)
	return rows.Sigmoid(m.logOdds(x))
}

// Probs sets dst[i] to Prob of row i of X (n×d) and returns dst, a new slice if dst is nil. It
// panics under the same conditions as Scores.
func (m *GaussianNBModel) Probs(dst []float64, X mat.Matrix) []float64 {
	mustHaveTwo("GaussianNBModel.Probs", m.Classes)
	return rows.Sigmoids(eachRow("Probs", dst, X, m.logOdds))
}
