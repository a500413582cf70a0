package discriminant

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// QDA is quadratic discriminant analysis: LDA without the assumption that all classes
// have the same covariance matrix. In EE-559's derivation "the homoscedasticity makes
// the second-order terms vanish"; here they remain,
//
//	δ_k(x) = -½(x - m_k)·Σ_k⁻¹(x - m_k) - ½ log|Σ_k| + log P(Y=k)
//
// and a boundary δ_k = δ_l is a quadric. QDA is not a linear classifier, but belongs
// beside LDA. The classes may be two or more, with any labels. A fit takes O(nd² + Md³) time
// and O(nd) memory. If a class has fewer than d + 1 samples, Σ_k is singular, and Fit returns
// a *SingularError unless Σ_k is shrunk.
//
// A column that is the same in all samples is ignored, as by LDA: δ_k does not depend on it. If
// it varies, but not in some class, Σ_k of that class is singular.
type QDA struct {
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

	// Shrinkage is λ in [0, 1] of Σ_k ← (1-λ)Σ_k + λ(tr Σ_k/d)I for d columns that vary.
	// With 0, which leaves Σ_k unchanged, shifting and scaling the columns does not change
	// the predictions, as for LDA.
	Shrinkage float64
}

// QDAModel is the result of QDA for M classes. For two classes the score is the log-odds
// δ₁(x) - δ₀(x) of Classes[1].
type QDAModel struct {
	Classes     []int         `json:"classes"`     // the labels, sorted
	Priors      []float64     `json:"priors"`      // M numbers
	Means       [][]float64   `json:"means"`       // M×d
	Covariances [][][]float64 `json:"covariances"` // M×d×d, after shrinkage; 0 in a column that is ignored
	Whitenings  [][][]float64 `json:"whitenings"`  // M×d×d lower triangular A_k with A_kᵀA_k = Σ_k⁻¹; 0 in a column that is ignored
	Offsets     []float64     `json:"offsets"`     // log P(Y=k) - ½ log|Σ_k|
}

var _ mlkit.ProbableClassifierModel = (*QDAModel)(nil)

// Fit estimates the model from the rows of X (n×d) with labels y[i], any ints. There must be
// at least two different labels, and at least two samples of each.
func (a QDA) Fit(X *mat.Dense, y []int) (*QDAModel, error) {
	return a.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with weights of the samples, as LDA.FitWith is.
func (a QDA) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*QDAModel, error) {
	ctx := o.ContextOrBackground()
	g, err := newGaussians(ctx, "QDA", X, y, given{a.Priors, a.ClassWeights, a.Balanced, o.Weights}, a.Divisor)
	if g == nil {
		return nil, err
	}
	if !(a.Shrinkage >= 0 && a.Shrinkage <= 1) {
		return nil, fmt.Errorf("discriminant: QDA.Shrinkage = %v, want a number from 0 to 1", a.Shrinkage)
	}
	if err := g.twoOfEach("QDA"); err != nil {
		return nil, err
	}
	v, err := g.varying(ctx, "QDA", a.Divisor, false)
	if err != nil && err != ctx.Err() {
		return nil, err
	}
	m := &QDAModel{Classes: g.classes, Priors: g.priors, Means: g.means}
	for k := range g.classes {
		if err := work.Run(ctx, func() { err = a.addClass(m, v, k) }); err != nil {
			m := priorsQDA(g)
			return m, unfinished("QDA", err, g.n, m)
		}
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

// priorsQDA returns a model that knows only the priors.
func priorsQDA(g *gaussians) *QDAModel {
	m := &QDAModel{Classes: g.classes, Priors: g.priors}
	for _, p := range g.priors {
		m.Means = append(m.Means, make([]float64, len(g.size)))
		m.Covariances, m.Whitenings = append(m.Covariances, [][]float64{}), append(m.Whitenings, [][]float64{})
		m.Offsets = append(m.Offsets, math.Log(p))
	}
	return m
}

// addClass estimates the covariance of class k and adds it to m.
func (a QDA) addClass(m *QDAModel, g *gaussians, k int) error {
	_, d := g.centred.Dims()
	Z := mat.NewDense(g.counts[k], d, nil)
	r := 0
	for i, of := range g.index {
		if of == k {
			floats.ScaleTo(Z.RawRowView(r), math.Sqrt(g.weight(i)), g.centred.RawRowView(i))
			r++
		}
	}
	div, err := g.divisor(fmt.Sprintf("QDA of class %d", g.classes[k]), a.Divisor, g.masses[k], 1)
	if err != nil {
		return err
	}
	cov, err := g.covariance(Z, div, a.Shrinkage)
	if err != nil {
		return fmt.Errorf("discriminant: QDA: class %d: %w", g.classes[k], err)
	}
	chol, singular := g.invertible(cov)
	if singular != nil {
		singular.Algorithm, singular.Rows = "discriminant: QDA", g.counts[k]-1
		singular.Population = fmt.Sprintf("of class %d", g.classes[k])
		return singular
	}
	var L, A mat.TriDense
	chol.LTo(&L)
	_ = A.InverseTri(&L) // invertible has checked the condition, for columns of equal scale
	m.Covariances = append(m.Covariances, g.restoreSquare(cov))
	m.Whitenings = append(m.Whitenings, g.restoreSquare(&A))
	m.Offsets = append(m.Offsets, math.Log(g.priors[k])-chol.LogDet()/2)
	for _, row := range m.Whitenings[k] {
		if !check.AllFinite(row) {
			return fmt.Errorf("discriminant: QDA: the inverse covariance of class %d overflows; scale the columns of X to ordinary numbers", g.classes[k])
		}
	}
	return nil
}

// Discriminants sets dst[k] to δ_k(x) of Classes[k] and returns dst, a new slice if dst
// is nil. If a δ_k(x) of a finite x overflows, all are those of a common smaller scale: the
// largest still belongs to the nearest class. It panics if len(x) != d or len(dst) != M.
func (m *QDAModel) Discriminants(dst, x []float64) []float64 {
	if want := len(m.Means[0]); len(x) != want {
		panic(fmt.Sprintf("discriminant: QDA: a sample has %d elements, want %d", len(x), want))
	}
	dst = rows.Destination("discriminant", "Discriminants", dst, len(m.Classes))
	delta := make([]float64, len(x))
	return discriminants(dst, m.Offsets, x, func(k int, scale float64) float64 {
		for j, mean := range m.Means[k] {
			delta[j] = scale*x[j] - scale*mean
		}
		square := 0.0
		for j, row := range m.Whitenings[k] {
			c := floats.Dot(row[:j+1], delta[:j+1])
			square += c * c
		}
		return square
	})
}

// Posterior sets dst[k] to P(Y = Classes[k] | X = x) and returns dst, a new slice if dst is
// nil. It panics under the same conditions as Discriminants.
func (m *QDAModel) Posterior(dst, x []float64) []float64 {
	dst = m.Discriminants(dst, x)
	rows.Posterior(dst)
	return dst
}

// Posteriors sets row i of dst (n×M) to Posterior of row i of X (n×d) and returns dst, a new
// matrix if dst is nil. It panics if the shapes differ from these.
func (m *QDAModel) Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return rows.Posteriors("discriminant", dst, X, len(m.Classes), len(m.Means[0]), func(dst, x []float64) { m.Posterior(dst, x) })
}

// Predict returns the label of the class with the largest δ_k(x), the first in a tie. For two
// classes it returns Classes[1] if Score(x) is at least 0, and Classes[0] otherwise. It panics
// under the same conditions as Discriminants.
func (m *QDAModel) Predict(x []float64) int {
	δ := m.Discriminants(nil, x)
	if len(δ) == 2 {
		return m.Classes[rows.Second(δ[1]-δ[0])]
	}
	return m.Classes[rows.Largest(δ)]
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics if X does not have d columns or len(dst) != n.
func (m *QDAModel) Predictions(dst []int, X mat.Matrix) []int {
	return eachRow("Predictions", dst, X, m.Predict)
}

// Score returns the log-odds δ₁(x) - δ₀(x) of two classes. It panics if there are more, or if
// len(x) != d.
func (m *QDAModel) Score(x []float64) float64 {
	mustHaveTwo("QDAModel.Score", m.Classes)
	return m.logOdds(x)
}

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst, a new slice if dst is
// nil. It panics if there are more than two classes, X does not have d columns or
// len(dst) != n.
func (m *QDAModel) Scores(dst []float64, X mat.Matrix) []float64 {
	mustHaveTwo("QDAModel.Scores", m.Classes)
	return eachRow("Scores", dst, X, m.logOdds)
}

// logOdds is Score without its check.
func (m *QDAModel) logOdds(x []float64) float64 {
	δ := m.Discriminants(nil, x)
	return δ[1] - δ[0]
}

// Prob returns P(Y = Classes[1] | X = x) = σ(score) of two classes. It panics under the same
// conditions as Score.
func (m *QDAModel) Prob(x []float64) float64 {
	mustHaveTwo("QDAModel.Prob", m.Classes)
	return rows.Sigmoid(m.logOdds(x))
}

// Probs sets dst[i] to Prob of row i of X (n×d) and returns dst, a new slice if dst is nil. It
// panics under the same conditions as Scores.
func (m *QDAModel) Probs(dst []float64, X mat.Matrix) []float64 {
	mustHaveTwo("QDAModel.Probs", m.Classes)
	return rows.Sigmoids(eachRow("Probs", dst, X, m.logOdds))
}
