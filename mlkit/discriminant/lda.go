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

// LDA is linear discriminant analysis (Ronald Fisher, 1936), "a nice bridge between
// these linear classifiers and probabilistic modeling" (EE-559). The classes are
// Gaussian with means m_y and a common covariance matrix Σ. For two, labelled -1 and +1,
//
//	P(Y = +1 | X = x) = σ(w·x + b)
//	w = Σ⁻¹(m₊ - m₋),  b = ½(m₋·Σ⁻¹m₋ - m₊·Σ⁻¹m₊) + log P(Y=+1)/P(Y=-1)
//
// Means, covariance and priors are estimated from the samples. The classes may be more than
// two, with any labels; LDAModel has their discriminant functions. A fit is not iterative: it
// takes O(nd² + d³) time and O(nd) memory.
//
// The lecture takes Σ as known. The zero value estimates it without bias, dividing by n
// minus the number of classes. scikit-learn divides by n since 1.9, so its
// probabilities differ; with Divisor: MaximumLikelihood they agree. (Cornell, section
// 2, says that the classes have "the same means but different covariances"; it is the
// other way round.)
//
// A column that is the same in all samples is ignored: it has the weight 0, covariances of 0,
// and no component in a direction. Shrinkage and LedoitWolf count only the other columns, so
// all else is as without it.
//
// If Σ of the other columns is singular, Fit returns a *SingularError with a direction in which
// the samples do not vary about their class means. A pseudoinverse would ignore this direction,
// though it may be the one that separates the classes. Leave out columns, or use
// Shrinkage.
type LDA struct {
	// Priors are the probabilities P(Y = y) in the order of the labels, positive, with
	// sum 1. Nil means the class frequencies in y, or the shares of their weights.
	Priors []float64

	// ClassWeights multiplies the weight of each sample of the class with that label by a
	// factor above 0; a class without an entry has the factor 1. See mlkit.BalancedWeights.
	ClassWeights map[int]float64

	// Balanced gives all classes the same total weight, computed at each fit: see package
	// mlkit. ClassWeights must then be empty.
	Balanced bool

	// Divisor selects the divisor of the sum of squares about the class means. The zero
	// value, Unbiased, means n minus the number of classes.
	Divisor Divisor

	// Shrinkage is λ in [0, 1] of Σ ← (1-λ)Σ + λ(tr Σ/d)I for d columns that vary, where
	// scikit-learn counts all. With 0, which leaves Σ unchanged, shifting and scaling the
	// columns of X does not change the predictions. Otherwise all columns must be in the same
	// unit.
	Shrinkage float64

	// LedoitWolf estimates λ from the samples (Olivier Ledoit and Michael Wolf, "A
	// well-conditioned estimator for large-dimensional covariance matrices", 2004).
	// Shrinkage must then be 0.
	LedoitWolf bool
}

// LDAModel is the result of LDA for M classes. Its discriminant functions are
// the log-posteriors up to a common term:
//
//	w_k = Σ⁻¹(m_k - m),  b_k = -½(m_k - m)·Σ⁻¹(m_k + m) + log P(Y=k)
//
// where m = Σ P(Y=k) m_k. For two classes the score is the log-odds of Classes[1], w·x + b of
// their Hyperplane.
type LDAModel struct {
	mlkit.LogLinearMachine
	Means      [][]float64 `json:"means"`      // M×d
	Mean       []float64   `json:"mean"`       // m
	Priors     []float64   `json:"priors"`     // M numbers
	Covariance [][]float64 `json:"covariance"` // Σ, d×d, after shrinkage; 0 in a column that is ignored
	Shrinkage  float64     `json:"shrinkage"`  // λ

	// Directions are the discriminant directions v, R×d with R ≤ min(M-1, d). The first
	// maximises the between-class variance v·Σ_b v, where
	// Σ_b = Σ P(Y=k)(m_k - m)(m_k - m)ᵀ, subject to v·Σv = 1. The second does so
	// subject to v·Σv₁ = 0 too, and so on. In each v the component with the largest
	// absolute value is positive.
	Directions [][]float64 `json:"directions"`
	Variances  []float64   `json:"variances"` // v·Σ_b v of each direction
	Explained  []float64   `json:"explained"` // each variance over their sum
}

var _ mlkit.ProbableClassifierModel = (*LDAModel)(nil)

// Fit estimates the model from the rows of X (n×d) with labels y[i], any ints. There must
// be M ≥ 2 different labels and n > M samples, and without shrinkage n ≥ M + d for d columns
// that vary. At least one must vary.
func (a LDA) Fit(X *mat.Dense, y []int) (*LDAModel, error) {
	return a.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with weights of the samples. Where the context ends the
// fit, the model knows only the priors: w_k = 0, and b_k is the logarithm of the prior. The
// error's Residual is n.
func (a LDA) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*LDAModel, error) {
	ctx := o.ContextOrBackground()
	g, err := newGaussians(ctx, "LDA", X, y, given{a.Priors, a.ClassWeights, a.Balanced, o.Weights}, a.Divisor)
	if g == nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	if err := g.moreThanClasses("LDA"); err != nil {
		return nil, err
	}
	v, err := g.varying(ctx, "LDA", a.Divisor, true)
	if err != nil && err != ctx.Err() {
		return nil, err
	}
	var m *LDAModel
	if err := work.Run(ctx, func() { m, err = a.estimate(v, g) }); err != nil {
		m := newLDAModel(g)
		return m, unfinished("LDA", err, g.n, m)
	}
	return m, err
}

// newLDAModel returns a model that knows only the priors.
func newLDAModel(g *gaussians) *LDAModel {
	return &LDAModel{
		LogLinearMachine: g.machine(len(g.size)),
		Means:            zeros(len(g.classes), len(g.size)),
		Mean:             make([]float64, len(g.size)),
		Priors:           g.priors,
	}
}

// estimate returns the model for the means, priors and centred samples in g, which are those of
// all without the constant columns.
func (a LDA) estimate(g, all *gaussians) (*LDAModel, error) {
	_, d := g.centred.Dims()
	div, err := g.divisor("LDA", a.Divisor, floats.Sum(g.masses), len(g.classes))
	if err != nil {
		return nil, err
	}
	lambda := a.Shrinkage
	if a.LedoitWolf {
		lambda = g.ledoitWolf()
	}
	g.root(g.centred)
	cov, err := g.covariance(g.centred, div, lambda)
	if err != nil {
		return nil, fmt.Errorf("discriminant: LDA: %w", err)
	}
	chol, singular := g.invertible(cov)
	if singular != nil {
		singular.Algorithm, singular.Population, singular.Rows = "discriminant: LDA", "within the classes", g.n-len(g.classes)
		return nil, singular
	}
	m := newLDAModel(g)
	m.Means, m.Mean, m.Shrinkage = g.means, g.centre(), lambda
	for k, mean := range g.means {
		delta := floats.SubTo(make([]float64, d), mean, m.Mean)
		middle := floats.AddTo(make([]float64, d), mean, m.Mean)
		w := mat.NewVecDense(d, nil)
		// invertible has checked the condition, for columns of equal scale.
		_ = chol.SolveVecTo(w, mat.NewVecDense(d, delta))
		m.W[k] = w.RawVector().Data
		m.B[k] = -floats.Dot(m.W[k], middle)/2 + math.Log(g.priors[k])
		if !check.Finite(m.B[k]) || !check.AllFinite(m.W[k]) {
			return nil, fmt.Errorf("discriminant: LDA: the weights overflow; scale the columns of X to ordinary numbers")
		}
	}
	m.direct(chol)
	m.W, m.Directions, m.Covariance = g.restore(m.W), g.restore(m.Directions), g.restoreSquare(cov)
	m.Means, m.Mean = all.means, all.centre()
	return m, nil
}

func (a LDA) check() error {
	if !(a.Shrinkage >= 0 && a.Shrinkage <= 1) {
		return fmt.Errorf("discriminant: LDA.Shrinkage = %v, want a number from 0 to 1", a.Shrinkage)
	}
	if a.LedoitWolf && a.Shrinkage != 0 {
		return fmt.Errorf("discriminant: LDA.Shrinkage = %v, want 0 with LedoitWolf, which estimates it", a.Shrinkage)
	}
	return nil
}

// direct computes the discriminant directions. With Σ = LLᵀ and u = Lᵀv, the ratio of
// the variances is ‖Aᵀu‖²/‖u‖², where A has the columns L⁻¹√P(k)(m_k - m). So the u are
// the left singular vectors of A (Trevor Hastie, Robert Tibshirani and Jerome Friedman,
// "The Elements of Statistical Learning", second edition, 2009, section 4.3.3).
func (m *LDAModel) direct(chol *mat.Cholesky) {
	M, d := len(m.Means), len(m.Mean)
	var L mat.TriDense
	chol.LTo(&L)
	A := mat.NewDense(d, M, nil)
	for k, mean := range m.Means {
		for j, v := range mean {
			A.Set(j, k, math.Sqrt(m.Priors[k])*(v-m.Mean[j]))
		}
	}
	var white mat.Dense
	_ = white.Solve(&L, A) // as for the weights, the condition has been checked
	m.Directions, m.Variances, m.Explained = [][]float64{}, []float64{}, []float64{}
	var svd mat.SVD
	if !svd.Factorize(&white, mat.SVDThin) {
		return // does not happen with finite numbers
	}
	var U, V mat.Dense
	svd.UTo(&U)
	_ = V.Solve(L.T(), &U)
	sum := 0.0
	for r, s := range svd.Values(nil)[:min(M-1, d)] {
		if s <= 1e-10*svd.Values(nil)[0] {
			break
		}
		v := mat.Col(nil, r, &V)
		if rows.Extreme(v) < 0 {
			floats.Scale(-1, v)
		}
		m.Directions = append(m.Directions, v)
		m.Variances = append(m.Variances, s*s)
		sum += s * s
	}
	for _, b := range m.Variances {
		m.Explained = append(m.Explained, b/sum)
	}
}

// Transform sets dst[i][r] to v_r·(x_i - m), the coordinates of row i of X (n×d) along
// the discriminant directions, and returns dst (n×R), a new matrix if dst is nil. In
// these coordinates Σ is the identity: each class is round with standard deviation 1.
// Transform panics if the shapes differ from these. If there are no directions, because
// all class means are equal, it returns an empty matrix.
func (m *LDAModel) Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	n, d, row := rows.Of(X)
	if want := len(m.Mean); d != want {
		panic(fmt.Sprintf("discriminant: Transform: a sample has %d elements, want %d, the length of the means", d, want))
	}
	R := len(m.Directions)
	if dst == nil {
		if R == 0 {
			return new(mat.Dense)
		}
		dst = mat.NewDense(n, R, nil)
	}
	if r, c := dst.Dims(); r != n || c != R {
		panic(fmt.Sprintf("discriminant: Transform: dst is %d×%d, want %d×%d", r, c, n, R))
	}
	x := make([]float64, d)
	for i := range n {
		floats.SubTo(x, row(i), m.Mean)
		for r, v := range m.Directions {
			dst.Set(i, r, floats.Dot(v, x))
		}
	}
	return dst
}
