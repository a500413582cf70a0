package discriminant

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

func TestWeightsConformance(t *testing.T) {
	const tol = 1e-11
	for name, a := range map[string]LDA{"LDA": {}, "LDA, shrunk": {Shrinkage: 0.1, Divisor: MaximumLikelihood}, "LDA, Ledoit-Wolf": {LedoitWolf: true}} {
		if err := mlkittest.TestWeights(a.FitWith, tol); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	onBits := func(fit func(mlkit.Options, *mat.Dense, []int) (*BernoulliNBModel, error)) func(mlkit.Options, *mat.Dense, []int) (*BernoulliNBModel, error) {
		return func(o mlkit.Options, X *mat.Dense, y []int) (*BernoulliNBModel, error) {
			return fit(o, bits(X), y)
		}
	}
	for name, err := range map[string]error{
		"QDA":                              mlkittest.TestWeights(QDA{}.FitWith, tol),
		"QDA, shrunk":                      mlkittest.TestWeights(QDA{Shrinkage: 0.1, Divisor: MaximumLikelihood}.FitWith, tol),
		"GaussianNB":                       mlkittest.TestWeights(GaussianNB{}.FitWith, tol),
		"GaussianNB, smoothed":             mlkittest.TestWeights(GaussianNB{VarSmoothing: 0.1}.FitWith, tol),
		"GaussianNB, maximum likelihood":   mlkittest.TestWeights(GaussianNB{Divisor: MaximumLikelihood}.FitWith, tol),
		"DiagonalLDA":                      mlkittest.TestWeights(DiagonalLDA{}.FitWith, tol),
		"DiagonalLDA, smoothed":            mlkittest.TestWeights(DiagonalLDA{VarSmoothing: 0.1}.FitWith, tol),
		"BernoulliNB":                      mlkittest.TestWeights(onBits(BernoulliNB{Smoothing: 0.5}.FitWith), tol),
		"LDA, absence":                     mlkittest.TestAbsence(LDA{}.FitWith),
		"LDA, Ledoit-Wolf, absence":        mlkittest.TestAbsence(LDA{LedoitWolf: true}.FitWith),
		"LDA, shrunk, absence":             mlkittest.TestAbsence(LDA{Shrinkage: 0.1}.FitWith),
		"QDA, absence":                     mlkittest.TestAbsence(QDA{}.FitWith),
		"QDA, maximum likelihood, absence": mlkittest.TestAbsence(QDA{Divisor: MaximumLikelihood}.FitWith),
		"GaussianNB, absence":              mlkittest.TestAbsence(GaussianNB{}.FitWith),
		"GaussianNB, smoothed, absence":    mlkittest.TestAbsence(GaussianNB{VarSmoothing: 0.1}.FitWith),
		"DiagonalLDA, absence":             mlkittest.TestAbsence(DiagonalLDA{}.FitWith),
		"DiagonalLDA, smoothed, absence":   mlkittest.TestAbsence(DiagonalLDA{VarSmoothing: 0.1}.FitWith),
		"BernoulliNB, absence":             mlkittest.TestAbsence(onBits(BernoulliNB{}.FitWith)),
		"LDA of small weights, absence": mlkittest.TestAbsence(func(o mlkit.Options, X *mat.Dense, y []int) (*LDAModel, error) {
			return LDA{ClassWeights: map[int]float64{1: 1e-9, -1: 1e-9}}.FitWith(o, X, y)
		}),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// posteriors fits each kind of model of many classes and returns its posteriors.
func posteriors(t *testing.T, classWeights map[int]float64, X *mat.Dense, y []int, weights []float64) map[string]*mat.Dense {
	t.Helper()
	all := map[string]*mat.Dense{}
	add := func(name string, X *mat.Dense, m interface {
		Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense
	}, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = m.Posteriors(nil, X)
	}
	for _, divisor := range []Divisor{Unbiased, MaximumLikelihood} {
		lda, err := LDA{Divisor: divisor, ClassWeights: classWeights}.FitWith(mlkit.Options{Weights: weights}, X, y)
		add("LDA "+divisor.String(), X, lda, err)
		qda, err := QDA{Divisor: divisor, ClassWeights: classWeights}.FitWith(mlkit.Options{Weights: weights}, X, y)
		add("QDA "+divisor.String(), X, qda, err)
		naive, err := GaussianNB{Divisor: divisor, ClassWeights: classWeights, VarSmoothing: 0.1}.FitWith(mlkit.Options{Weights: weights}, X, y)
		add("GaussianNB "+divisor.String(), X, naive, err)
		pooled, err := DiagonalLDA{Divisor: divisor, ClassWeights: classWeights, VarSmoothing: 0.1}.FitWith(mlkit.Options{Weights: weights}, X, y)
		add("DiagonalLDA "+divisor.String(), X, pooled, err)
	}
	B := bits(X)
	bernoulli, err := BernoulliNB{ClassWeights: classWeights}.FitWith(mlkit.Options{Weights: weights}, B, y)
	add("BernoulliNB", B, bernoulli, err)
	return all
}

// The weight of a row is multiplied by that of its class. A class of weight 0 is left out.
func TestWeightsMultiply(t *testing.T) {
	X, y := samples.Clouds(60, 3, 4, 71)
	random := rand.New(rand.NewPCG(72, 73))
	weights, products := make([]float64, 60), make([]float64, 60)
	for i, label := range y {
		weights[i] = float64(random.IntN(4)) * []float64{1, 1, 1, 0}[label]
		products[i] = weights[i] * []float64{2, 1, 3, 1}[label]
	}
	got := posteriors(t, map[int]float64{0: 2, 2: 3}, X, y, weights)
	for name, P := range posteriors(t, nil, X, y, products) {
		if _, M := P.Dims(); M != 3 {
			t.Errorf("%s: %d classes, want 3, without the one of weight 0", name, M)
		}
		samples.Near(t, name, got[name].RawMatrix().Data, P.RawMatrix().Data, 1e-11)
	}
}

// Weights that are all c times as large do not change estimates of maximum likelihood.
// Otherwise they count as c times as many samples.
func TestWeightsScale(t *testing.T) {
	X, y := samples.Overlapping(rand.New(rand.NewPCG(74, 75)), 40)
	weights := make([]float64, 40)
	for i := range weights {
		weights[i] = 1 + float64(i%3)
	}
	ml := LDA{Divisor: MaximumLikelihood}
	want := testkit.Try(ml.FitWith(mlkit.Options{Weights: weights}, X, y)).Or(t)
	naive := testkit.Try(GaussianNB{Divisor: MaximumLikelihood}.FitWith(mlkit.Options{Weights: weights}, X, y)).Or(t)
	for _, c := range []float64{1e-300, 0.1, 1e300} {
		scaled := make([]float64, 40)
		for i, w := range weights {
			scaled[i] = c * w
		}
		m := testkit.Try(ml.FitWith(mlkit.Options{Weights: scaled}, X, y)).Or(t)
		samples.Near(t, "LDA", m.Scores(nil, X), want.Scores(nil, X), 1e-12)
		n := testkit.Try(GaussianNB{Divisor: MaximumLikelihood}.FitWith(mlkit.Options{Weights: scaled}, X, y)).Or(t)
		samples.Near(t, "GaussianNB", n.Scores(nil, X), naive.Scores(nil, X), 1e-12)
	}
	// λ = β²/δ², and β² falls with the number of samples.
	X, y = samples.VersicolorVirginica(t)
	once, err1 := LDA{LedoitWolf: true}.Fit(X, y)
	twice, err2 := LDA{LedoitWolf: true}.FitWith(mlkit.Options{Weights: slices.Repeat([]float64{2}, 100)}, X, y)
	if err1 != nil || err2 != nil || math.Abs(twice.Shrinkage-once.Shrinkage/2) > 1e-14 {
		t.Errorf("λ = %v, %v, and %v, %v with twice the samples, want half", once.Shrinkage, err1, twice.Shrinkage, err2)
	}
}

// By hand: with weights 1, 1, 3, 1, the class {1, 3} has the mean 1.5 and the squares 0.25·3 +
// 2.25 = 3, and {-2, 0} as before mean -1 and squares 2. So Σ = 5/(6-2), w = 2.5/1.25 = 2, and
// the priors 1/3 and 2/3 add log 2 to the bias -2·0.25.
func TestLDAWeightsByHand(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{-2, 0, 1, 3}), []int{-1, -1, 1, 1}
	m := testkit.Try(LDA{}.FitWith(mlkit.Options{Weights: []float64{1, 1, 3, 1}}, X, y)).Or(t)
	h := plane(t, m)
	samples.Near(t, "Σ, w, b", []float64{m.Covariance[0][0], h.W[0], h.B}, []float64{1.25, 2, -0.5 + math.Ln2}, 1e-14)
	balanced := fitted(t, LDA{ClassWeights: mlkit.BalancedWeights([]int{-1, -1, -1, 1})}.Fit, X, []int{-1, -1, -1, 1})
	samples.Near(t, "priors", balanced.Priors, []float64{0.5, 0.5}, 1e-15)
}

func TestWeightsRefused(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{-2, 0, 1, 3}), []int{-1, -1, 1, 1}
	B := mat.NewDense(4, 1, []float64{0, 1, 0.5, 2})
	for _, c := range []struct {
		fit     func(*mat.Dense, []int, []float64) (mlkit.ClassifierModel, error)
		X       *mat.Dense
		weights []float64
		want    string // "" for no error
	}{
		{weighted(LDA{}.FitWith), X, []float64{1, 2}, "discriminant: len(weights) = 2, want 4, one for each row of X"},
		{weighted(LDA{}.FitWith), X, []float64{1, 1, 1, -1}, "discriminant: weights[3] = -1, want a finite number of at least 0"},
		{weighted(LDA{ClassWeights: map[int]float64{1: 0}}.FitWith), X, nil, "discriminant: ClassWeights[1] = 0, want a positive number"},
		{weighted(LDA{}.FitWith), X, []float64{1, 1, 0, 0}, "discriminant: weights are above 0 only in rows with y = -1, want rows of at least two labels"},
		{weighted(LDA{}.FitWith), X, make([]float64, 4), "discriminant: weights are all 0, want at least one above"},
		{weighted(LDA{}.FitWith), X, []float64{1, 0, 0, 1}, "discriminant: LDA: X has 2 rows with a weight above 0 for 2 classes, want more rows than classes to see a covariance"},
		{weighted(LDA{}.FitWith), X, []float64{0.5, 0.5, 0.5, 0.25}, "discriminant: LDA: the weights add up to 1.75, want more than 2, the number of means, or Divisor: MaximumLikelihood"},
		{weighted(DiagonalLDA{}.FitWith), X, []float64{0.5, 0.5, 0.5, 0.25}, "discriminant: DiagonalLDA: the weights add up to 1.75, want more than 2, the number of means, or Divisor: MaximumLikelihood"},
		{weighted(QDA{}.FitWith), X, []float64{9, 9, 0.5, 0.25}, "discriminant: QDA of class 1: the weights add up to 0.75, want more than 1, the number of means, or Divisor: MaximumLikelihood"},
		{weighted(GaussianNB{}.FitWith), X, []float64{9, 9, 0.5, 0.25}, "discriminant: GaussianNB of class 1: the weights add up to 0.75, want more than 1, the number of means, or Divisor: MaximumLikelihood"},
		{weighted(GaussianNB{}.FitWith), X, []float64{9, 9, 0, 1}, "discriminant: GaussianNB: y has the label 1 once, want at least two samples of each class to see a covariance, or VarSmoothing"},
		{weighted(LDA{}.FitWith), X, []float64{1, 1, 1e-101, 1}, "discriminant: weights[2]: the weight of the row times that of its class is 1e-101, want at least 1e-100 of the largest, which is 1 in row 0"},
		{weighted(LDA{ClassWeights: map[int]float64{1: 1e-300}}.FitWith), X, []float64{1, 1, 1e-100, 1}, "discriminant: weights[2]: the weight of the row times that of its class is 0, want a positive finite number"},
		{weighted(BernoulliNB{}.FitWith), X, slices.Repeat([]float64{1e308}, 4), "discriminant: the sum of the weights overflows, want smaller ones"},
		{weighted(BernoulliNB{}.FitWith), B, []float64{1, 1, 0, 1}, "discriminant: BernoulliNB: X[3][0] = 2, want 0 or 1"},
		{weighted(LDA{}.FitWith), X, []float64{1, 1, 1, 1e-3}, ""},
		{weighted(LDA{Divisor: MaximumLikelihood}.FitWith), X, []float64{0.5, 0.5, 0.5, 0.25}, ""},
	} {
		_, err := c.fit(c.X, y, c.weights)
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func weighted[M mlkit.ClassifierModel](fit func(mlkit.Options, *mat.Dense, []int) (M, error)) func(*mat.Dense, []int, []float64) (mlkit.ClassifierModel, error) {
	return func(X *mat.Dense, y []int, weights []float64) (mlkit.ClassifierModel, error) {
		return fit(mlkit.Options{Weights: weights}, X, y)
	}
}
