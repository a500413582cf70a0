package discriminant

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

func TestConformance(t *testing.T) { onBothPaths(t, conformance) }

func conformance(t *testing.T, except ...string) {
	ml, wolf := LDA{Shrinkage: 0.1, Divisor: MaximumLikelihood}, LDA{LedoitWolf: true}
	q := QDA{Shrinkage: 0.1, Divisor: MaximumLikelihood}
	for name, err := range map[string]error{
		"LDA":                       mlkittest.TestClassifier(LDA{}.Fit, except...),
		"LDA, shrunk":               mlkittest.TestClassifier(ml.Fit, except...),
		"LDA, Ledoit-Wolf":          mlkittest.TestClassifier(wolf.Fit, except...),
		"LDA, classes":              mlkittest.TestManyClasses(LDA{}.Fit, except...),
		"LDA, classes, shrunk":      mlkittest.TestManyClasses(LDA{Shrinkage: 0.1}.Fit, except...),
		"LDA, classes, Ledoit-Wolf": mlkittest.TestManyClasses(wolf.Fit, except...),
		"LDA, order":                mlkittest.TestOrder(LDA{}.Fit, 1e-9),
		"LDA, order, shrunk":        mlkittest.TestOrder(LDA{Shrinkage: 0.1}.Fit, 1e-9),
		"LDA, order, Ledoit-Wolf":   mlkittest.TestOrder(wolf.Fit, 1e-9),
		"QDA":                       mlkittest.TestClassifier(QDA{}.Fit, except...),
		"QDA, shrunk":               mlkittest.TestClassifier(q.Fit, except...),
		"QDA, classes":              mlkittest.TestManyClasses(QDA{}.Fit, except...),
		"QDA, order":                mlkittest.TestOrder(QDA{}.Fit, 1e-9),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Numbers from scikit-learn 1.2.1, LinearDiscriminantAnalysis(solver="svd"). R's lda
// (MASS) gives the same scalings on these data, up to sign.
func TestLDAIris(t *testing.T) {
	X, y := samples.Iris(t)
	m := fitted(t, LDA{}.Fit, X, y)
	for k, want := range [][]float64{
		{6.314758459, 12.139317181, -16.946424651, -20.770054592},
		{-1.531199188, -4.376043478, 4.695665306, 3.06258539},
		{-4.78355927, -7.763273703, 12.250759345, 17.707469203},
	} {
		samples.Near(t, "w", m.W[k], want, 1e-8)
	}
	samples.Near(t, "b", m.B, []float64{-15.477836727, -2.021974154, -33.53768674}, 1e-7)
	samples.Near(t, "m0", m.Means[0], []float64{5.006, 3.428, 1.462, 0.246}, 1e-12)
	samples.Near(t, "m1", m.Means[1], []float64{5.936, 2.77, 4.26, 1.326}, 1e-12)
	samples.Near(t, "m2", m.Means[2], []float64{6.588, 2.974, 5.552, 2.026}, 1e-12)
	samples.Near(t, "explained", m.Explained, []float64{0.991212605, 0.008787395}, 1e-9)
	samples.Near(t, "v0", m.Directions[0], []float64{-0.829377642, -1.534473068, 2.201211656, 2.810460309}, 1e-8)
	samples.Near(t, "v1", m.Directions[1], []float64{0.024102149, 2.164521235, -0.93192121, 2.839187853}, 1e-8)
	if rows := samples.Wrong(m.Predictions(nil, X), y); !slices.Equal(rows, []int{70, 83, 133}) {
		t.Errorf("rows %v are wrong, want 70, 83, 133", rows)
	}
	ml := fitted(t, LDA{Divisor: MaximumLikelihood}.Fit, X, y)
	samples.Near(t, "covariance", slices.Concat(ml.Covariance...), []float64{
		0.259708, 0.090866667, 0.164164, 0.037633333, 0.090866667, 0.11308, 0.054138667, 0.032056,
		0.164164, 0.054138667, 0.181484, 0.041812, 0.037633333, 0.032056, 0.041812, 0.041044}, 1e-9)
	// With divisor n - M instead of n, the weights are 147/150 times as large.
	for k := range m.W {
		for j := range m.W[k] {
			if r := m.W[k][j] / ml.W[k][j]; math.Abs(r-0.98) > 1e-9 {
				t.Errorf("w[%d][%d] with n-M is %v times that with n, want 0.98", k, j, r)
			}
		}
	}
}

// Numbers from scikit-learn 1.2.1, as above.
func TestLDAVersicolorVirginica(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	m := fitted(t, LDA{}.Fit, X, y)
	h := plane(t, m)
	samples.Near(t, "w", h.W, []float64{-3.556302691, -5.578620642, 6.970127682, 12.386041155}, 1e-8)
	samples.Near(t, "b", []float64{h.B}, []float64{-16.663085449}, 1e-7)
}

// Numbers from scikit-learn 1.2.1 on the data of "The Elements of Statistical
// Learning"; error 0.27 is 54 samples.
func TestLDAMixture(t *testing.T) {
	X, y := samples.Mixture(t)
	m := fitted(t, LDA{}.Fit, X, y)
	h := plane(t, m)
	samples.Near(t, "w", h.W, []float64{-0.126104735, 1.390507752}, 1e-8)
	samples.Near(t, "b", []float64{h.B}, []float64{-0.952295773}, 1e-8)
	if rows := samples.Wrong(m.Predictions(nil, X), y); len(rows) != 54 {
		t.Errorf("%d errors, want 54", len(rows))
	}
}

// By hand: classes {-2, 0} and {1, 3} have means -1 and 2 and sum of squares 4, so
// Σ = 4/(4-2) = 2 and w = 3/2. The midpoint is 1/2, so b = -3/4 with equal priors;
// priors of 1/4 and 3/4 add log 3.
func TestLDAByHand(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{-2, 0, 1, 3})
	y := []int{-1, -1, 1, 1}
	for _, c := range []struct {
		a    LDA
		w, b float64
	}{
		{LDA{}, 1.5, -0.75},
		{LDA{Divisor: MaximumLikelihood}, 3, -1.5},
		{LDA{Priors: []float64{0.25, 0.75}}, 1.5, -0.75 + math.Log(3)},
		{LDA{Shrinkage: 1}, 1.5, -0.75}, // tr Σ/d = Σ in one dimension
	} {
		m := fitted(t, c.a.Fit, X, y)
		h := plane(t, m)
		samples.Near(t, "w", h.W, []float64{c.w}, 1e-14)
		samples.Near(t, "b", []float64{h.B}, []float64{c.b}, 1e-14)
	}
}

// In discriminant coordinates Σ is the identity and the between-class variances are
// Variances. Classifying by the distances to the means there agrees with the
// discriminants.
func TestLDATransform(t *testing.T) {
	X, y := samples.Iris(t)
	m := fitted(t, LDA{Priors: []float64{0.2, 0.3, 0.5}}.Fit, X, y)
	Z := m.Transform(nil, X)
	if again := m.Transform(mat.NewDense(150, 2, nil), X); !mat.Equal(Z, again) {
		t.Error("Transform writes something else to a destination")
	}
	within := fitted(t, LDA{}.Fit, Z, y)
	samples.Near(t, "covariance", slices.Concat(within.Covariance...), []float64{1, 0, 0, 1}, 1e-10)
	for r, v := range m.Variances {
		between := 0.0
		for k, mean := range within.Means {
			between += m.Priors[k] * mean[r] * mean[r]
		}
		if math.Abs(between-v) > 1e-9*v {
			t.Errorf("variance %d between the classes = %v, want %v", r, between, v)
		}
	}
	P := m.Posteriors(nil, X)
	for i := range y {
		var g [3]float64
		for k, mean := range within.Means {
			g[k] = math.Log(m.Priors[k]) - (math.Pow(Z.At(i, 0)-mean[0], 2)+math.Pow(Z.At(i, 1)-mean[1], 2))/2
		}
		rows.Softmax(g[:])
		samples.Near(t, "posterior", P.RawRowView(i), g[:], 1e-10)
	}
}

// λ from ledoit_wolf(Z, assume_centered=True), scikit-learn 1.9.1, where Z is Iris
// minus the class means.
func TestLedoitWolf(t *testing.T) {
	X, y := samples.Iris(t)
	m := fitted(t, LDA{LedoitWolf: true}.Fit, X, y)
	if want := 0.039858958147811326; math.Abs(m.Shrinkage-want) > 1e-12 {
		t.Errorf("λ = %.17g, want %v", m.Shrinkage, want)
	}
	given := fitted(t, LDA{Shrinkage: m.Shrinkage}.Fit, X, y)
	samples.Near(t, "covariance", given.Covariance[2], m.Covariance[2], 0)
	// Σ is mI already; there is nothing to shrink.
	X = mat.NewDense(4, 2, []float64{0, 1, 0, -1, 1, 0, -1, 0})
	if lambda := unlabelled(X).ledoitWolf(); lambda != 0 {
		t.Errorf("λ of a multiple of I = %v, want 0", lambda)
	}
	if lambda := unlabelled(mat.NewDense(2, 2, nil)).ledoitWolf(); lambda != 0 {
		t.Errorf("λ of 0 = %v, want 0", lambda)
	}
	// More columns than rows: singular without shrinkage.
	rnd := rand.New(rand.NewPCG(3, 4))
	X = mat.NewDense(8, 20, nil)
	for i := range 8 {
		for j := range 20 {
			X.Set(i, j, rnd.NormFloat64()+float64(i%2))
		}
	}
	labels := []int{-1, 1, -1, 1, -1, 1, -1, 1}
	if _, err := (LDA{LedoitWolf: true}).Fit(X, labels); err != nil {
		t.Error(err)
	}
	_, err := LDA{}.Fit(X, labels)
	if err == nil || !strings.Contains(err.Error(), "20 columns are too many for 6 degrees of freedom") {
		t.Errorf("err = %v, want one that counts", err)
	}
}

// unlabelled returns centred samples of weight 1.
func unlabelled(Z *mat.Dense) *gaussians {
	n, _ := Z.Dims()
	return &gaussians{labelled: labelled{unit: 1, masses: []float64{float64(n)}}, centred: Z}
}

// Numbers from scikit-learn 1.9.1, LinearDiscriminantAnalysis(solver="lsqr",
// shrinkage=0.1), which divides by n.
func TestLDAShrinkage(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	m := fitted(t, LDA{Shrinkage: 0.1, Divisor: MaximumLikelihood}.Fit, X, y)
	h := plane(t, m)
	samples.Near(t, "w", h.W, []float64{-2.9598073251199146, -3.374828240431434, 6.724610002565663, 8.798472693445023}, 1e-10)
	samples.Near(t, "b", []float64{h.B}, []float64{-19.510356730381048}, 1e-9)
}

// fitted returns what fit learns from X and y, and ends the test if that is an error.
func fitted[M, Y any](t testing.TB, fit func(*mat.Dense, Y) (M, error), X *mat.Dense, y Y) M {
	t.Helper()
	m := testkit.Try(fit(X, y)).Or(t)
	return m
}

// plane returns the hyperplane of a model of two classes.
func plane(t testing.TB, m interface {
	Hyperplane() (mlkit.Hyperplane, bool)
}) mlkit.Hyperplane {
	t.Helper()
	h, ok := m.Hyperplane()
	if !ok {
		t.Fatalf("%T: no hyperplane, want two classes", m)
	}
	return h
}
