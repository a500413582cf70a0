package linear

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/rows"
)

// LDA is linear discriminant analysis (Ronald Fisher, 1936), "a nice bridge between
// these linear classifiers and probabilistic modeling" (EE-559): the classes are
// Gaussian populations with means m_y and one covariance matrix Σ,
//
//	P(Y = +1 | X = x) = σ(w·x + b)
//	w = Σ⁻¹(m₊ - m₋),  b = ½(m₋·Σ⁻¹m₋ - m₊·Σ⁻¹m₊) + log P(Y=+1)/P(Y=-1)
//
// Means, covariance and priors are estimated from the samples. Fit learns two
// classes labelled -1 and +1, FitClasses any number with any labels. Nothing is
// iterated: a fit takes O(nd² + d³) time and O(nd) memory.
//
// The lecture takes Σ as known; the zero value estimates it without bias, dividing by n
// less the number of classes. scikit-learn divides by n since 1.9, so its probabilities
// differ; with Divisor: MaximumLikelihood they are the same. (Cornell,
// section 2, says that the classes have "the same means but different covariances":
// it is the other way round.)
//
// A singular Σ has no inverse, and the fit returns *SingularError with a direction
// in which the samples don't vary about their means. A pseudoinverse would not look
// in this direction, though it may be the one that separates the classes; leave out
// columns, or shrink.
type LDA struct {
	// Priors are P(Y = y) of the classes in the order of their labels, positive,
	// with sum 1. Nil means the shares of the classes in y.
	Priors []float64

	// Divisor is what the squares about the class means are divided by. The zero
	// value, Unbiased, is n minus the number of classes.
	Divisor Divisor

	// Shrinkage is λ in [0, 1] of Σ ← (1-λ)Σ + λ(tr Σ/d)I; 0 leaves Σ as it is, and
	// then neither origins nor units of the columns of X matter. With it, all columns
	// have to be in one unit.
	Shrinkage float64

	// LedoitWolf estimates λ from the samples, by Olivier Ledoit and Michael
	// Wolf, "A well-conditioned estimator for large-dimensional covariance
	// matrices", 2004. Shrinkage must then be 0.
	LedoitWolf bool
}

// LDAModel is what an LDA of two classes has learnt. Its score is the log-odds
// w·x + b.
type LDAModel struct {
	Hyperplane
	Means      [2][]float64 `json:"means"`      // m₋ and m₊
	Priors     [2]float64   `json:"priors"`     // P(Y=-1) and P(Y=+1)
	Covariance [][]float64  `json:"covariance"` // Σ, d×d, after shrinkage
	Shrinkage  float64      `json:"shrinkage"`  // λ
}

var _ mlkit.Classifier = (*LDAModel)(nil)

// Fit learns from the rows of X (n×d) with labels y[i], each -1 or +1. n must be
// at least 3, and d + 2 unless Σ is shrunk.
func (a LDA) Fit(X *mat.Dense, y []int) (*LDAModel, error) {
	return a.FitContext(context.Background(), X, y)
}

// FitContext is Fit that ends soon after ctx is done, with a
// *mlkit.NotConvergedError that wraps the context's error. Its model knows the
// priors alone, so w = 0 and b is their log-odds; its Residual is n.
func (a LDA) FitContext(ctx context.Context, X *mat.Dense, y []int) (*LDAModel, error) {
	if err := checkSigns(X, y); err != nil {
		return nil, err
	}
	c, err := a.FitClassesContext(ctx, X, y)
	if c == nil {
		return nil, err
	}
	m := &LDAModel{
		Hyperplane: c.Between(1, 0),
		Means:      [2][]float64{c.Means[0], c.Means[1]},
		Priors:     [2]float64{c.Priors[0], c.Priors[1]},
		Covariance: c.Covariance,
		Shrinkage:  c.Shrinkage,
	}
	if err != nil {
		return m, unfinished("LDA", errors.Unwrap(err), len(y), m)
	}
	return m, nil
}

// Prob returns P(Y = +1 | X = x) = σ(w·x + b). It panics unless x is as long as W.
func (m *LDAModel) Prob(x []float64) float64 { return sigmoid(m.Score(x)) }

// Probs sets dst[i] to Prob of row i of X (n×d) and returns dst, a new slice if dst
// is nil. It panics where Scores does.
func (m *LDAModel) Probs(dst []float64, X mat.Matrix) []float64 {
	return sigmoids(m.Scores(dst, X))
}

func sigmoids(s []float64) []float64 {
	for i, v := range s {
		s[i] = sigmoid(v)
	}
	return s
}

// checkSigns checks samples of two classes labelled -1 and +1.
func checkSigns(X *mat.Dense, y []int) error {
	if err := check.Samples("linear", X); err != nil {
		return err
	}
	n, _ := X.Dims()
	if err := check.Signs("linear", n, y); err != nil {
		return err
	}
	return check.BothSigns("linear", y)
}

// LDAClassesModel is what an LDA of M classes has learnt. Its discriminant
// functions are, but for what all have in common, the logarithms of the posteriors:
//
//	w_k = Σ⁻¹(m_k - m),  b_k = -½(m_k - m)·Σ⁻¹(m_k + m) + log P(Y=k)
//
// where m = Σ P(Y=k) m_k.
type LDAClassesModel struct {
	LinearMachine
	Means      [][]float64 `json:"means"`      // M×d
	Mean       []float64   `json:"mean"`       // m
	Priors     []float64   `json:"priors"`     // M numbers
	Covariance [][]float64 `json:"covariance"` // Σ, d×d, after shrinkage
	Shrinkage  float64     `json:"shrinkage"`  // λ

	// Directions are the discriminant directions v, R×d: the variance between the
	// classes, v·Σ_b v with Σ_b = Σ P(Y=k)(m_k - m)(m_k - m)ᵀ, is largest in the
	// first, of those with v·Σv = 1, largest in the second of those with
	// v·Σv₁ = 0 too, and so on. There are at most min(M-1, d). The component
	// that is largest in absolute value is positive.
	Directions [][]float64 `json:"directions"`
	Variances  []float64   `json:"variances"` // v·Σ_b v of each
	Explained  []float64   `json:"explained"` // the same over their sum
}

// FitClasses learns from the rows of X (n×d) with labels y[i], any ints, at least
// two different ones. n must exceed their number M, by d at least unless Σ is shrunk.
func (a LDA) FitClasses(X *mat.Dense, y []int) (*LDAClassesModel, error) {
	return a.FitClassesContext(context.Background(), X, y)
}

// FitClassesContext is to FitClasses what FitContext is to Fit.
func (a LDA) FitClassesContext(ctx context.Context, X *mat.Dense, y []int) (*LDAClassesModel, error) {
	g, err := newGaussians(ctx, "LDA", X, y, a.Priors, a.Divisor)
	if g == nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	var m *LDAClassesModel
	if err := early.Run(ctx, func() { m, err = a.estimate(g) }); err != nil {
		m := newLDAClassesModel(g)
		return m, unfinished("LDA", err, len(y), m)
	}
	return m, err
}

// newLDAClassesModel returns a model that knows the priors alone.
func newLDAClassesModel(g *gaussians) *LDAClassesModel {
	d := len(g.size)
	m := &LDAClassesModel{
		LinearMachine: LinearMachine{Classes: g.classes},
		Mean:          make([]float64, d),
		Priors:        g.priors,
	}
	for _, p := range g.priors {
		m.W, m.Means = append(m.W, make([]float64, d)), append(m.Means, make([]float64, d))
		m.B = append(m.B, math.Log(p))
	}
	return m
}

// estimate makes the model of means, priors and centred samples.
func (a LDA) estimate(g *gaussians) (*LDAClassesModel, error) {
	n, d := g.centred.Dims()
	M := len(g.classes)
	div := float64(n)
	if a.Divisor == Unbiased {
		div = float64(n - M)
	}
	if n <= M {
		return nil, fmt.Errorf("linear: LDA: X has %d rows for %d classes, want more rows than classes to see a covariance", n, M)
	}
	lambda := a.Shrinkage
	if a.LedoitWolf {
		lambda = ledoitWolf(g.centred)
	}
	cov, err := g.covariance(g.centred, div, lambda)
	if err != nil {
		return nil, fmt.Errorf("linear: LDA: %w", err)
	}
	chol, singular := invertible(cov)
	if singular != nil {
		singular.Algorithm, singular.Population, singular.Rows = "linear: LDA", "within the classes", n-M
		return nil, singular
	}
	m := newLDAClassesModel(g)
	m.Means, m.Covariance, m.Shrinkage = g.means, toRows(cov), lambda
	for k, mean := range g.means {
		floats.AddScaled(m.Mean, g.priors[k], mean)
	}
	for k, mean := range g.means {
		delta := floats.SubTo(make([]float64, d), mean, m.Mean)
		middle := floats.AddTo(make([]float64, d), mean, m.Mean)
		w := mat.NewVecDense(d, nil)
		// The condition was judged already, in columns of one scale.
		_ = chol.SolveVecTo(w, mat.NewVecDense(d, delta))
		m.W[k] = w.RawVector().Data
		m.B[k] = -floats.Dot(m.W[k], middle)/2 + math.Log(g.priors[k])
		if !finite(m.B[k]) || !finiteHyperplane(Hyperplane{W: m.W[k]}) {
			return nil, fmt.Errorf("linear: LDA: the weights overflow; scale the columns of X to ordinary numbers")
		}
	}
	m.direct(chol)
	return m, nil
}

func (a LDA) check() error {
	if !(a.Shrinkage >= 0 && a.Shrinkage <= 1) {
		return fmt.Errorf("linear: LDA.Shrinkage = %v, want a number from 0 to 1", a.Shrinkage)
	}
	if a.LedoitWolf && a.Shrinkage != 0 {
		return fmt.Errorf("linear: LDA.Shrinkage = %v, want 0 with LedoitWolf, which estimates it", a.Shrinkage)
	}
	return nil
}

// direct computes the discriminant directions. With Σ = LLᵀ and u = Lᵀv the ratio of
// the variances is that of the squares of u·L⁻¹√P(k)(m_k - m) to u·u, so the u are
// left singular vectors (Trevor Hastie, Robert Tibshirani and Jerome Friedman,
// "The Elements of Statistical Learning", second edition, 2009, section 4.3.3).
func (m *LDAClassesModel) direct(chol *mat.Cholesky) {
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
	_ = white.Solve(&L, A) // as for the weights
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
		if extreme(v) < 0 {
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

// extreme returns the element of largest absolute value, the first of equals.
func extreme(v []float64) float64 {
	e := v[0]
	for _, c := range v {
		if math.Abs(c) > math.Abs(e) {
			e = c
		}
	}
	return e
}

// Probs sets dst[k] to P(Y = Classes[k] | X = x) and returns dst, a new slice if
// dst is nil. It panics unless x has length d and dst length M.
func (m *LDAClassesModel) Probs(dst, x []float64) []float64 {
	dst = m.Discriminants(dst, x)
	softmax(dst)
	return dst
}

// ProbsOf sets row i of dst (n×M) to Probs of row i of X (n×d) and returns dst, a
// new matrix if dst is nil. It panics if the shapes are not these.
func (m *LDAClassesModel) ProbsOf(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return probs(dst, X, len(m.B), len(m.Mean), func(dst, x []float64) { m.Probs(dst, x) })
}

// Transform sets dst[i][r] to v_r·(x_i - m), the coordinates of row i of X (n×d)
// along the discriminant directions, and returns dst (n×R), a new matrix if dst is
// nil. In them Σ is the identity: a class is round, with deviation 1. It panics if
// the shapes are not these, and returns an empty matrix if there are no directions
// because all classes have the same mean.
func (m *LDAClassesModel) Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	n, d, row := rows.Of(X)
	m.mustFit("Transform", d)
	R := len(m.Directions)
	if dst == nil {
		if R == 0 {
			return new(mat.Dense)
		}
		dst = mat.NewDense(n, R, nil)
	}
	if r, c := dst.Dims(); r != n || c != R {
		panic(fmt.Sprintf("linear: Transform: dst is %d×%d, want %d×%d", r, c, n, R))
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
