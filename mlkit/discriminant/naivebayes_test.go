package discriminant

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit"
	"marginalia/mlkit/eval"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/pipeline"
)

// bits returns 1 for each positive number of X and 0 for others. What is not finite, or
// not there, stays.
func bits(X *mat.Dense) *mat.Dense {
	if X == nil || X.IsEmpty() {
		return X
	}
	var B mat.Dense
	B.Apply(func(_, _ int, v float64) float64 {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return v
		case v > 0:
			return 1
		}
		return 0
	}, X)
	return &B
}

func TestNaiveBayesConformance(t *testing.T) {
	onBits := func(X *mat.Dense, y []int) (*BernoulliNBModel, error) { return BernoulliNB{}.Fit(bits(X), y) }
	for name, err := range map[string]error{
		"GaussianNB":            mlkittest.TestClassifier(GaussianNB{}.Fit),
		"GaussianNB, smoothed":  mlkittest.TestClassifier(GaussianNB{VarSmoothing: 1e-3, Divisor: MaximumLikelihood}.Fit),
		"GaussianNB, classes":   mlkittest.TestManyClasses(GaussianNB{}.Fit),
		"GaussianNB, order":     mlkittest.TestOrder(GaussianNB{}.Fit, 1e-9),
		"DiagonalLDA":           mlkittest.TestClassifier(DiagonalLDA{}.Fit),
		"DiagonalLDA, smoothed": mlkittest.TestClassifier(DiagonalLDA{VarSmoothing: 1e-3}.Fit),
		"DiagonalLDA, classes":  mlkittest.TestManyClasses(DiagonalLDA{}.Fit),
		"DiagonalLDA, order":    mlkittest.TestOrder(DiagonalLDA{}.Fit, 1e-9),
		"BernoulliNB":           mlkittest.TestClassifier(onBits),
		"BernoulliNB, classes":  mlkittest.TestManyClasses(onBits, "extreme"), // which scores numbers that are not 0 or 1, of 10³⁰⁷: they overflow
		"BernoulliNB, order":    mlkittest.TestOrder(onBits, 1e-9),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Numbers from scikit-learn 1.9.1, GaussianNB(var_smoothing=0), which divides by n_k, and
// with 0.1 after StandardScaler(): theta_, var_, predict_proba, and differences of
// predict_joint_log_proba.
func TestGaussianNBIris(t *testing.T) {
	X, y := samples.Iris(t)
	m := fitted(t, GaussianNB{Divisor: MaximumLikelihood}.Fit, X, y)
	samples.Near(t, "means", m.Means[2], []float64{6.588, 2.974, 5.552, 2.026}, 1e-14)
	samples.Near(t, "variances", slices.Concat(m.Variances...), []float64{
		0.121764, 0.140816, 0.029556, 0.010884, 0.261104, 0.0965, 0.2164, 0.038324, 0.396256, 0.101924, 0.298496, 0.073924}, 1e-14)
	if rows := samples.Wrong(m.Predictions(nil, X), y); !slices.Equal(rows, []int{52, 70, 77, 106, 119, 133}) {
		t.Errorf("rows %v are wrong, want 52, 70, 77, 106, 119, 133", rows)
	}
	P := m.Posteriors(nil, X)
	samples.Near(t, "P(70)", P.RawRowView(70), []float64{0, 0.1544940566886635, 0.8455059433113367}, 1e-13)
	samples.Near(t, "P(106)", P.RawRowView(106), []float64{0, 0.9735143433482935, 0.02648565665170681}, 1e-13)
	if p := P.At(133, 0); math.Abs(p/2.683707798636894e-131-1) > 1e-11 {
		t.Errorf("P(setosa) of row 133 = %v, want 2.683707798636894e-131", p)
	}
	scaling := testkit.Try(feature.Standardize{}.Fit(X)).Or(t)
	// The units of the columns do not matter, so X gives what scikit-learn gives for
	// standardised columns.
	for _, Z := range []*mat.Dense{X, scaling.Transform(nil, X)} {
		smooth := fitted(t, GaussianNB{Divisor: MaximumLikelihood, VarSmoothing: 0.1}.Fit, Z, y)
		P = smooth.Posteriors(nil, Z)
		samples.Near(t, "smooth P(70)", P.RawRowView(70), []float64{1.052098460103702e-15, 0.3905482328346007, 0.6094517671653983}, 1e-13)
		samples.Near(t, "smooth P(133)", P.RawRowView(133), []float64{4.019546864531209e-16, 0.6953222057965015, 0.3046777942034979}, 1e-13)
	}
	Z, z := samples.VersicolorVirginica(t)
	two := fitted(t, GaussianNB{Divisor: MaximumLikelihood}.Fit, Z, z)
	s := two.Scores(nil, Z)
	samples.Near(t, "score", []float64{s[0], s[20], s[83]}, []float64{-1.411723734695667, 1.699779570095748, -0.908265772409975}, 1e-12)
	if rows := samples.Wrong(two.Predictions(nil, Z), z); len(rows) != 6 {
		t.Errorf("%d errors, want 6", len(rows))
	}
}

// A class of one sample has no spread of its own: its variances are the smoothing alone, for
// either divisor, and for two equal samples too. The log-odds are those of scikit-learn 1.9.1,
// GaussianNB(var_smoothing=0.1) on standardised columns.
func TestClassOfOneSample(t *testing.T) {
	X, y := mat.NewDense(4, 2, []float64{0, 1, 1, 3, 3, 2, 10, 7}), []int{-1, -1, -1, +1}
	naive := GaussianNB{Divisor: MaximumLikelihood, VarSmoothing: 0.1}
	m := fitted(t, naive.Fit, X, y)
	samples.Near(t, "log-odds", m.Scores(nil, mat.NewDense(3, 2, []float64{8, 5, 7, 6, 5, 5})), []float64{5.509101765641441, 7.712068672300448, -6.4077040999293695}, 1e-12)
	naive.Divisor = Unbiased
	single := testkit.Try(naive.FitWith(mlkit.Options{Weights: []float64{1, 1, 1, 2}}, X, y)).Or(t)
	twice := fitted(t, naive.Fit, mat.NewDense(5, 2, []float64{0, 1, 1, 3, 3, 2, 10, 7, 10, 7}), []int{-1, -1, -1, +1, +1})
	for k := range 2 {
		samples.Near(t, "variances", single.Variances[k], twice.Variances[k], 1e-15)
	}
	var e *SingularError
	if _, err := (GaussianNB{}).Fit(X, y); err == nil || errors.As(err, &e) {
		t.Errorf("without smoothing: %v, want an error that names the class", err)
	}
}

// Numbers from scikit-learn 1.9.1, BernoulliNB() and
// BernoulliNB(alpha=0.25, class_prior=[.2, .3, .5]) on whether the irises exceed 5.8, 3, 4
// and 1.3 cm: exp(feature_log_prob_) and predict_proba.
func TestBernoulliNBIris(t *testing.T) {
	X, y := samples.Iris(t)
	X.Apply(func(_, j int, v float64) float64 { return v - []float64{5.8, 3, 4, 1.3}[j] }, X)
	B := bits(X)
	m := fitted(t, BernoulliNB{}.Fit, B, y)
	var logs []float64
	for _, θ := range m.Probabilities {
		for _, v := range θ {
			logs = append(logs, math.Log(v))
		}
	}
	samples.Near(t, "log θ", logs, []float64{
		-3.951243718581428, -0.190043602887865, -3.951243718581428, -3.951243718581428,
		-0.655406852577098, -1.754019141245208, -0.395895657092014, -0.815749502652278,
		-0.144581228811108, -1.060871960685263, -0.019418085857102, -0.019418085857102}, 1e-14)
	P := m.Posteriors(nil, B)
	samples.Near(t, "P(0)", P.RawRowView(0), []float64{0.9809028100217299, 0.01907552204248155, 2.166793578862064e-05}, 1e-14)
	samples.Near(t, "P(133)", P.RawRowView(133), []float64{1.831448162691207e-06, 0.1901867344546679, 0.8098114340971695}, 1e-14)
	if rows := samples.Wrong(m.Predictions(nil, B), y); len(rows) != 38 {
		t.Errorf("%d errors, want 38", len(rows))
	}
	m = fitted(t, BernoulliNB{Smoothing: 0.25, Priors: []float64{0.2, 0.3, 0.5}}.Fit, B, y)
	samples.Near(t, "P(70)", m.Posterior(nil, B.RawRowView(70)), []float64{1.303090510695273e-07, 0.04886444263161343, 0.9511354270593355}, 1e-14)
	if rows := samples.Wrong(m.Predictions(nil, B), y); len(rows) != 34 {
		t.Errorf("%d errors, want 34", len(rows))
	}
}

// Independence: the log-odds are the sum of those of the columns alone, which LDA and QDA
// give, with the log-odds of the priors once.
func TestNaiveBayesAddsColumns(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	X, y = mat.DenseCopyOf(X.Slice(0, 80, 0, 4)), y[:80] // 50 and 30
	n, d := X.Dims()
	naive := fitted(t, GaussianNB{}.Fit, X, y)
	pooled := fitted(t, DiagonalLDA{}.Fit, X, y)
	even := []float64{0.5, 0.5}
	quadratic, linear := make([]float64, n), make([]float64, n)
	for i := range n {
		quadratic[i], linear[i] = math.Log(30./50), math.Log(30./50)
	}
	for j := range d {
		column := mat.DenseCopyOf(X.Slice(0, n, j, j+1))
		q := fitted(t, QDA{Priors: even}.Fit, column, y)
		l := fitted(t, LDA{Priors: even}.Fit, column, y)
		for i := range n {
			quadratic[i] += q.Score(column.RawRowView(i))
			linear[i] += l.Score(column.RawRowView(i))
		}
	}
	samples.Near(t, "GaussianNB", naive.Scores(nil, X), quadratic, 1e-11)
	samples.Near(t, "DiagonalLDA", pooled.Scores(nil, X), linear, 1e-11)
	for i, p := range pooled.Probs(nil, X) {
		g := pooled.Discriminants(nil, X.RawRowView(i))
		rows.Softmax(g)
		samples.Near(t, "posterior", g, []float64{1 - p, p}, 1e-13)
	}
}

// A column that is the same everywhere is ignored, at any scale and offset, and one that
// is the same in a class is refused without smoothing.
func TestNaiveBayesConstantColumns(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	n, d := X.Dims()
	with := func(column func(i int) float64) *mat.Dense {
		wide := mat.NewDense(n, d+1, nil)
		wide.Slice(0, n, 0, d).(*mat.Dense).Copy(X)
		for i := range n {
			wide.Set(i, d, column(i))
		}
		return wide
	}
	for _, smoothing := range []float64{0, 0.01} {
		naive := fitted(t, GaussianNB{VarSmoothing: smoothing}.Fit, X, y)
		pooled := fitted(t, DiagonalLDA{VarSmoothing: smoothing}.Fit, X, y)
		for _, c := range []float64{0, 0.1, -1e300, 1e-300} {
			wide := with(func(int) float64 { return c })
			m := fitted(t, GaussianNB{VarSmoothing: smoothing}.Fit, wide, y)
			samples.Near(t, "GaussianNB", m.Scores(nil, wide), naive.Scores(nil, X), 0)
			l := fitted(t, DiagonalLDA{VarSmoothing: smoothing}.Fit, wide, y)
			samples.Near(t, "DiagonalLDA", l.Scores(nil, wide), pooled.Scores(nil, X), 0)
			if s := m.Score([]float64{5, 3, 4, 1, math.NaN()}); !math.IsNaN(s) {
				t.Errorf("score %v of a NaN in an ignored column, want NaN", s)
			}
		}
	}
	sometimes := with(func(i int) float64 { return float64(max(0, y[i]) * (i % 2)) }) // 0 in class -1
	between := with(func(i int) float64 { return 0.3 * float64(y[i]) })
	for _, c := range []struct {
		fit  func(smoothing float64, X *mat.Dense) error
		X    *mat.Dense
		want string
	}{
		{fitNaive, sometimes, "discriminant: GaussianNB: the covariance of class -1 is singular: column 4 of X does not vary; leave columns out or use VarSmoothing"},
		{fitNaive, between, "discriminant: GaussianNB: the covariance of class -1 is singular: column 4 of X does not vary; leave columns out or use VarSmoothing"},
		{fitPooled, sometimes, ""},
		{fitPooled, between, "discriminant: DiagonalLDA: the covariance within the classes is singular: column 4 of X does not vary; leave columns out or use VarSmoothing"},
	} {
		err := c.fit(0, c.X)
		var e *SingularError
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &e) || err.Error() != c.want || !slices.Equal(e.Columns, []int{4})) {
			t.Errorf("%v, want %q", err, c.want)
		}
		if err := c.fit(1e-9, c.X); err != nil {
			t.Errorf("smoothed: %v", err)
		}
	}
}

func fitNaive(smoothing float64, X *mat.Dense) error {
	n, _ := X.Dims()
	_, err := GaussianNB{VarSmoothing: smoothing}.Fit(X, halves(n))
	return err
}

func fitPooled(smoothing float64, X *mat.Dense) error {
	n, _ := X.Dims()
	_, err := DiagonalLDA{VarSmoothing: smoothing}.Fit(X, halves(n))
	return err
}

// halves returns n labels, the first half -1 and the others +1.
func halves(n int) []int {
	y := slices.Repeat([]int{-1}, n)
	for i := n / 2; i < n; i++ {
		y[i] = +1
	}
	return y
}

// By hand, with α = 1 and 1/2: class -1 has no 1 among 2 samples, class +1 has 2, so
// θ₋ = 1/4 and θ₊ = 3/4, w = log 9 and b = -log 3; with ½, θ₋ = 1/6 and θ₊ = 5/6. An α that
// is tiny or huge stays finite.
func TestBernoulliNBAlpha(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{0, 0, 1, 1}), []int{-1, -1, 1, 1}
	for alpha, want := range map[float64][3]float64{
		0:               {math.Log(9), -math.Log(3), 0.75},
		1:               {math.Log(9), -math.Log(3), 0.75},
		0.5:             {math.Log(25), -math.Log(5), 5. / 6},
		5e-324:          {2 * (math.Log(2) - math.Log(5e-324)), math.Log(5e-324) - math.Log(2), 1},
		math.MaxFloat64: {0, 0, 0.5},
	} {
		m := fitted(t, BernoulliNB{Smoothing: alpha}.Fit, X, y)
		h := plane(t, m)
		samples.Near(t, "w, b, θ₊", []float64{h.W[0], h.B, m.Probabilities[1][0]}, want[:], 1e-12)
	}
}

// More columns than samples: each column counts by itself, so no covariance is singular.
func TestNaiveBayesWide(t *testing.T) {
	X, y := samples.Gaussian(rand.New(rand.NewPCG(51, 52)), 10, 200), halves(10)
	for i, label := range y {
		for j := range 200 {
			X.Set(i, j, X.At(i, j)+float64(label))
		}
	}
	naive, err1 := GaussianNB{}.Fit(X, y)
	pooled, err2 := DiagonalLDA{}.Fit(X, y)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if a, b := samples.Errors(naive, X, y), samples.Errors(pooled, X, y); a+b > 0 {
		t.Errorf("%d and %d errors, want 0", a, b)
	}
}

// Packages pipeline and eval find the fits and the probabilities of naive Bayes. The mean
// log-likelihood is that of scikit-learn 1.9.1,
// cross_val_predict(GaussianNB(var_smoothing=0), X, y, cv=LeaveOneOut(), method="predict_proba").
func TestGaussianNBCrossValidated(t *testing.T) {
	X, y := samples.Iris(t)
	p := pipeline.ManyProbable[*GaussianNBModel]{Steps: []pipeline.Step{feature.Standardize{}}, Algorithm: GaussianNB{Divisor: MaximumLikelihood}}
	folds := testkit.Try(eval.LeaveOneOut(len(y))).Or(t)
	v := testkit.Try(eval.CrossValidate(mlkit.Options{}, eval.Plan{Folds: folds}, p, eval.NegLogLossMany, X, y)).Or(t)
	samples.Near(t, "log-likelihood", []float64{stat.Mean(v.Test, nil)}, []float64{-0.13301530425283117}, 1e-12)
}
