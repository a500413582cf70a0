//go:build unix

package peer_test

import (
	"errors"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/internal/testkit/must"
	"marginalia/mlkit"
	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/feature"
)

var gaussianModels = []model{
	{"lda", compareLDA, []rule{
		{"weights", 1e-16, "rounding, times the square of the condition of X, since Σ is formed; scikit-learn's is that of an SVD of X"},
		{"probabilities", 1e-16, "as the weights, times the size of the scores"},
		{"decisions", 0, "equal, but where the scores are equal within their rounding"},
	}},
	{"lda_shrunk", compareShrunkLDA, []rule{
		{"weights", 1e-12, "both solve with the same Σ, whose condition the shrinkage bounds"},
		{"probabilities", 1e-12, "as the weights, times the size of the scores"},
	}},
	{"lda_classes", compareLDAClasses, []rule{
		{"probabilities", 1e-16, "as for two classes"},
		{"decisions", 0, "equal, but where the scores are equal within their rounding"},
		{"explained", 1e-16, "as the probabilities"},
	}},
	{"qda", compareQDA, []rule{
		{"probabilities", 1e-16, "as for one Σ"},
		{"decisions", 0, "equal, but where the scores are equal within their rounding"},
	}},
	{"gaussian_nb", compareGaussianNB, []rule{
		{"probabilities", 1e-16, "in units of the largest number over its column's deviation in a class, squared, which the variances lose, times the size of the scores"},
		{"decisions", 0, "equal, but where the scores are equal within their rounding"},
	}},
	{"bernoulli_nb", compareBernoulliNB, []rule{
		{"probabilities", 1e-15, "counts, and the rounding of the scores"},
		{"decisions", 0, "equal, but where the scores are equal within their rounding"},
	}},
}

// posterior is scikit-learn's answer for Gaussian classes.
type posterior struct {
	W             []float64
	B             float64
	Probabilities [][]float64
	Decisions     []int
	Explained     []float64
}

// singular reports whether a fit failed because a covariance is singular. scikit-learn
// uses a pseudoinverse then, which is a different model.
func (t *trial) singular(err error) bool {
	t.Helper()
	if errors.As(err, new(*discriminant.SingularError)) {
		t.explain("a covariance is singular: refused, where scikit-learn takes a pseudoinverse")
		return true
	}
	if err != nil {
		t.Fatal(err)
	}
	return false
}

// divisor returns scikit-learn's divisor of the covariances in its SVD solvers: n from
// version 1.9 on, for Python 3.11 and newer, and n minus the number of means up to
// version 1.7, for Python 3.10.
func (t *trial) divisor() discriminant.Divisor {
	if strings.HasPrefix(t.peer.version, "1.7.") {
		return discriminant.Unbiased
	}
	return discriminant.MaximumLikelihood
}

// undecided returns a function that reports whether the two largest probabilities of
// sample i differ by less than within.
func undecided(P [][]float64, within float64) func(i int) bool {
	return func(i int) bool {
		first, second := 0.0, 0.0
		for _, p := range P[i] {
			first, second = max(first, p), max(second, min(first, p))
		}
		return first-second < within
	}
}

func compareLDA(t *trial) {
	n, d := t.size()
	X := t.samples(n+d, d)
	y := t.signs(X)
	Z := t.others(X, 10)
	m, err := discriminant.LDA{Divisor: t.divisor()}.Fit(X, y)
	if t.singular(err) {
		return
	}
	var sk posterior
	t.ask(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "solver": "svd"}, &sk)
	c := within(X, y)
	loss := c * c
	t.near("weights", m.Between(1, 0).W, sk.W, loss*size(sk.W))
	t.near("probabilities", m.Probs(nil, Z), column(sk.Probabilities, 1), loss*(1+size(m.Scores(nil, Z))))
	t.same("decisions", m.Predictions(nil, Z), sk.Decisions, undecided(sk.Probabilities, 1e-16*loss))
}

// compareShrunkLDA uses the divisor n, as scikit-learn does with shrinkage. scikit-learn gets
// the samples without constant columns, which mlkit ignores and its shrinkage counts.
func compareShrunkLDA(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	y := t.signs(X)
	Z := t.others(X, 10)
	shrinkage := 0.01 + 0.99*t.Float64()
	m, err := discriminant.LDA{Shrinkage: shrinkage, Divisor: discriminant.MaximumLikelihood}.Fit(X, y)
	if t.singular(err) {
		return
	}
	var sk posterior
	h := m.Between(1, 0)
	kept := func(v []float64) (kept []float64) {
		for j, x := range v {
			if m.Covariance[j][j] > 0 {
				kept = append(kept, x)
			}
		}
		return kept
	}
	keptOf := func(X *mat.Dense) (all [][]float64) {
		for _, x := range rows(X) {
			all = append(all, kept(x))
		}
		return all
	}
	t.ask(map[string]any{"model": "lda", "X": keptOf(X), "y": y, "Z": keptOf(Z), "solver": "lsqr", "shrinkage": shrinkage}, &sk)
	loss := float64(d) / shrinkage
	t.near("weights", append(kept(h.W), h.B), append(sk.W, sk.B), loss*size(append(sk.W, sk.B)))
	t.near("probabilities", m.Probs(nil, Z), column(sk.Probabilities, 1), loss*(1+size(m.Scores(nil, Z))))
}

func compareLDAClasses(t *trial) {
	n, d := t.size()
	X := t.samples(n+d+8, d)
	y := t.classes(X, 3+t.IntN(3))
	Z := t.others(X, 10)
	m, err := discriminant.LDA{Divisor: t.divisor()}.Fit(X, y)
	if t.singular(err) {
		return
	}
	var sk posterior
	t.ask(map[string]any{"model": "lda", "X": rows(X), "y": y, "Z": rows(Z), "solver": "svd"}, &sk)
	c := within(X, y)
	loss := c * c * (1 + largestDiscriminant(m, Z))
	t.near("probabilities", flat(m.Posteriors(nil, Z)), concat(sk.Probabilities), loss)
	t.same("decisions", m.Predictions(nil, Z), sk.Decisions, undecided(sk.Probabilities, 1e-16*loss))
	t.near("explained", m.Explained, sk.Explained, c*c)
}

func compareQDA(t *trial) {
	n, d := t.size()
	X := t.samples(n+30, 1+d/2)
	y := t.classes(X, 2+t.IntN(2))
	Z := t.others(X, 10)
	m, err := discriminant.QDA{Divisor: t.divisor()}.Fit(X, y)
	if t.singular(err) {
		return
	}
	var sk posterior
	t.ask(map[string]any{"X": rows(X), "y": y, "Z": rows(Z)}, &sk)
	loss := 1.0
	for _, c := range m.Classes {
		var of []int
		for i, label := range y {
			if label == c {
				of = append(of, i)
			}
		}
		K := mat.NewDense(len(of), 1+d/2, nil)
		for k, i := range of {
			K.SetRow(k, X.RawRowView(i))
		}
		w := within(K, make([]int, len(of)))
		loss = max(loss, w*w)
	}
	loss *= 1 + largestDiscriminant(m, Z)
	t.near("probabilities", flat(m.Posteriors(nil, Z)), concat(sk.Probabilities), loss)
	t.same("decisions", m.Predictions(nil, Z), sk.Decisions, undecided(sk.Probabilities, 1e-16*loss))
}

// compareGaussianNB standardises the columns, for which the two rules of smoothing agree.
func compareGaussianNB(t *trial) {
	n, d := t.size()
	X := t.samples(n+8, d)
	y := t.classes(X, 2+t.IntN(3))
	scaling := must.Get(feature.Standardize{}.Fit(X)).Or(t)
	Z := scaling.Transform(nil, t.others(X, 10))
	X = scaling.Transform(nil, X)
	smoothing, weights := []float64{0, 1e-9, 0.1}[t.IntN(3)], []float64(nil)
	if t.IntN(2) == 0 {
		// scikit-learn smooths by the variances without weights.
		smoothing, weights = 0, t.positive(len(y))
	}
	priors := t.priors(y)
	m, err := discriminant.GaussianNB{Divisor: discriminant.MaximumLikelihood, VarSmoothing: smoothing, Priors: priors}.FitWith(mlkit.Options{Weights: weights}, X, y)
	if errors.As(err, new(*discriminant.SingularError)) {
		t.explain("a column does not vary in a class: refused, where scikit-learn divides by 0")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var sk posterior
	t.ask(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "smoothing": smoothing, "priors": priors, "weights": weights}, &sk)
	loss := 1.0
	for _, variances := range m.Variances {
		for j, v := range variances {
			c := size(mat.Col(nil, j, X))
			loss = max(loss, c*c/v)
		}
	}
	loss *= 1 + largestDiscriminant(m, Z)
	t.near("probabilities", flat(m.Posteriors(nil, Z)), concat(sk.Probabilities), loss)
	t.same("decisions", m.Predictions(nil, Z), sk.Decisions, undecided(sk.Probabilities, 1e-16*loss))
}

func compareBernoulliNB(t *trial) {
	n, d := t.size()
	X := mat.NewDense(n+4, d, nil)
	Z := mat.NewDense(10, d, nil)
	y, M := make([]int, n+4), 2+t.IntN(3)
	for i := range y {
		y[i] = i % M
	}
	for j := range d {
		for i, label := range y {
			if t.Float64() < 0.2+0.15*float64((label+j)%5) {
				X.Set(i, j, 1)
			}
		}
		for i := range 10 {
			Z.Set(i, j, float64(t.IntN(2)))
		}
	}
	alpha := []float64{1, 0.01, 3 * t.Float64()}[t.IntN(3)]
	priors := t.priors(y)
	var weights []float64
	if t.IntN(2) == 0 {
		weights = t.positive(len(y))
	}
	m := must.Get(discriminant.BernoulliNB{Smoothing: alpha, Priors: priors}.FitWith(mlkit.Options{Weights: weights}, X, y)).Or(t)
	var sk posterior
	t.ask(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "alpha": alpha, "priors": priors, "weights": weights}, &sk)
	loss := 1 + largestDiscriminant(m, Z)
	t.near("probabilities", flat(m.Posteriors(nil, Z)), concat(sk.Probabilities), loss)
	t.same("decisions", m.Predictions(nil, Z), sk.Decisions, undecided(sk.Probabilities, 1e-15*loss))
}

// positive returns n weights of samples above 0.
func (t *trial) positive(n int) []float64 {
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 0.1 + 3*t.Float64()
	}
	return weights
}

// priors returns probabilities of the classes in y, or nil.
func (t *trial) priors(y []int) []float64 {
	if t.IntN(2) == 0 {
		return nil
	}
	count := map[int]bool{}
	for _, label := range y {
		count[label] = true
	}
	p := make([]float64, len(count))
	for k := range p {
		p[k] = 0.1 + t.Float64()
	}
	floats.Scale(1/floats.Sum(p), p)
	return p
}

// largestDiscriminant returns the largest magnitude of the discriminants. The
// probabilities depend on their differences, so its rounding error enters.
func largestDiscriminant(m interface {
	Discriminants(dst, x []float64) []float64
}, Z *mat.Dense) float64 {
	largest := 0.0
	n, _ := Z.Dims()
	for i := range n {
		largest = max(largest, size(m.Discriminants(nil, Z.RawRowView(i))))
	}
	return largest
}

// within returns the condition number of X after subtracting the class means, including
// the loss by cancellation.
func within(X *mat.Dense, y []int) float64 {
	n, d := X.Dims()
	mean, count := map[int][]float64{}, map[int]float64{}
	for i, label := range y {
		if mean[label] == nil {
			mean[label] = make([]float64, d)
		}
		count[label]++
		for j := range d {
			mean[label][j] += X.At(i, j)
		}
	}
	C := mat.DenseCopyOf(X)
	for i, label := range y {
		for j := range d {
			C.Set(i, j, X.At(i, j)-mean[label][j]/count[label])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(C, mat.SVDNone) {
		return math.Inf(1)
	}
	// Subtracting the means loses digits relative to ‖X‖, so the norm here is that of
	// X.
	s := svd.Values(nil)
	return mat.Norm(X, 2) * math.Sqrt(float64(n)) / s[len(s)-1]
}

// size returns the largest |x|.
func size(x []float64) float64 {
	return floats.Norm(x, math.Inf(1))
}

func column(rows [][]float64, j int) []float64 {
	c := make([]float64, len(rows))
	for i := range c {
		c[i] = rows[i][j]
	}
	return c
}
