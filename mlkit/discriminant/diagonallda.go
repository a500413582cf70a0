package discriminant

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// DiagonalLDA is LDA with a diagonal covariance matrix, or naive Bayes for Gaussian
// columns that have the same variance s²_j in all classes (Sandrine Dudoit, Jane Fridlyand
// and Terence Speed, "Comparison of discrimination methods for the classification of
// tumors using gene expression data", 2002; "The Elements of Statistical Learning",
// section 18.2). The quadratic terms of GaussianNB cancel. For the labels -1 and +1,
//
//	P(Y = +1 | X = x) = σ(w·x + b)
//	w_j = (m₊j - m₋j)/s²_j,  b = ½ Σ_j (m²₋j - m²₊j)/s²_j + log P(Y=+1)/P(Y=-1)
//
// and the model is a hyperplane. The classes may be more than two, with any labels;
// DiagonalLDAModel has their discriminant functions. It needs one sample more than there are
// classes, so it is for data with more columns than samples. A fit takes O(nd) time and
// memory.
//
// A column that is the same in all samples has the weight 0. If a column varies, but only
// between the classes, Fit returns a *SingularError; leave it out, or use VarSmoothing.
type DiagonalLDA struct {
	// Priors are the probabilities of the classes, as for LDA.
	Priors []float64

	// ClassWeights multiplies the weight of each sample of the class with that label by a
	// factor above 0; a class without an entry has the factor 1. See mlkit.BalancedWeights.
	ClassWeights map[int]float64

	// Balanced gives all classes the same total weight, computed at each fit: see package
	// mlkit. ClassWeights must then be empty.
	Balanced bool

	// Divisor selects the divisor of the sum of squares about the class means, as for LDA.
	Divisor Divisor

	// VarSmoothing is ε ≥ 0 of s²_j ← s²_j + ε times the variance of column j in all
	// samples, as for GaussianNB.
	VarSmoothing float64
}

// DiagonalLDAModel is the result of DiagonalLDA for M classes. Its discriminant functions are
// the log-posteriors up to a common term:
//
//	w_kj = (m_kj - m_j)/s²_j,  b_k = -½ Σ_j (m_kj - m_j)(m_kj + m_j)/s²_j + log P(Y=k)
//
// where m = Σ P(Y=k) m_k. For two classes the score is the log-odds of Classes[1], w·x + b of
// their Hyperplane.
type DiagonalLDAModel struct {
	mlkit.LogLinearMachine
	Means     [][]float64 `json:"means"`     // M×d
	Priors    []float64   `json:"priors"`    // M numbers
	Variances []float64   `json:"variances"` // s², d numbers, after smoothing; 0 in a column that is ignored
}

var _ mlkit.ProbableClassifierModel = (*DiagonalLDAModel)(nil)

// Fit estimates the model from the rows of X (n×d) with labels y[i], any ints. There must be
// M ≥ 2 different labels and n > M samples.
func (a DiagonalLDA) Fit(X *mat.Dense, y []int) (*DiagonalLDAModel, error) {
	return a.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with weights of the samples, as LDA.FitWith is.
func (a DiagonalLDA) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*DiagonalLDAModel, error) {
	ctx := o.ContextOrBackground()
	g, err := newGaussians(ctx, "DiagonalLDA", X, y, given{a.Priors, a.ClassWeights, a.Balanced, o.Weights}, a.Divisor)
	if g == nil {
		return nil, err
	}
	if err := g.moreThanClasses("DiagonalLDA"); err != nil {
		return nil, err
	}
	d := len(g.size)
	m := &DiagonalLDAModel{LogLinearMachine: g.machine(d), Means: g.means, Priors: g.priors, Variances: make([]float64, d)}
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
