package discriminant

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// model is what all models of this package are.
type model interface {
	mlkit.ProbableClassifierModel
	Discriminants(dst, x []float64) []float64
	Posterior(dst, x []float64) []float64
	Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense
}

// every returns a fit of each algorithm, to samples that are 0 or 1 too.
func every() map[string]func(X *mat.Dense, y []int) (model, error) {
	return map[string]func(X *mat.Dense, y []int) (model, error){
		"LDA":         func(X *mat.Dense, y []int) (model, error) { return LDA{}.Fit(X, y) },
		"QDA":         func(X *mat.Dense, y []int) (model, error) { return QDA{}.Fit(X, y) },
		"GaussianNB":  func(X *mat.Dense, y []int) (model, error) { return GaussianNB{VarSmoothing: 0.1}.Fit(X, y) },
		"DiagonalLDA": func(X *mat.Dense, y []int) (model, error) { return DiagonalLDA{}.Fit(X, y) },
		"BernoulliNB": func(X *mat.Dense, y []int) (model, error) { return BernoulliNB{}.Fit(bits(X), y) },
	}
}

// Whatever two labels there are, the model is that of -1 and +1 with other Classes, and the
// larger label is on the positive side. Its score, its probability and its posteriors say the
// same.
func TestLabelsOfTwoClasses(t *testing.T) {
	X, signs := samples.VersicolorVirginica(t)
	means := []float64{6.262, 2.872, 4.906, 1.676}
	X.Apply(func(_, j int, v float64) float64 { return v - means[j] }, X) // so that BernoulliNB sees 0 and 1
	for name, fit := range every() {
		Z := X
		if name == "BernoulliNB" {
			Z = bits(X)
		}
		want := fitted(t, fit, X, signs)
		if classes := classesOf(want); !reflect.DeepEqual(classes.Interface(), []int{-1, 1}) {
			t.Errorf("%s: Classes = %v, want [-1 1]", name, classes)
		}
		for _, labels := range [][]int{{0, 1}, {3, 7}, {-9, -2}} {
			y := make([]int, len(signs))
			for i, sign := range signs {
				y[i] = labels[(sign+1)/2]
			}
			m := fitted(t, fit, X, y)
			if !reflect.DeepEqual(m.Scores(nil, Z), want.Scores(nil, Z)) || !reflect.DeepEqual(m.Probs(nil, Z), want.Probs(nil, Z)) {
				t.Errorf("%s: other scores or probabilities of the labels %v than of -1 and 1", name, labels)
			}
			P, predictions := m.Posteriors(nil, Z), m.Predictions(nil, Z)
			for i, label := range want.Predictions(nil, Z) {
				x := Z.RawRowView(i)
				if got := predictions[i]; got != labels[(label+1)/2] || got != m.Predict(x) || (m.Score(x) >= 0) != (got == labels[1]) {
					t.Errorf("%s: row %d is labelled %d, want that of %v for %d, and its score is %v", name, i, got, labels, label, m.Score(x))
				}
				if p := m.Posterior(nil, x); p[1] != m.Prob(x) || p[0] != P.At(i, 0) || p[1] != P.At(i, 1) {
					t.Errorf("%s: row %d has the posterior %v, %v by Posteriors and %v by Prob", name, i, p, P.RawRowView(i), m.Prob(x))
				}
			}
			classes := classesOf(m)
			if !reflect.DeepEqual(classes.Interface(), labels) {
				t.Errorf("%s: Classes = %v, want %v", name, classes, labels)
			}
			if classes.Set(classesOf(want)); !reflect.DeepEqual(m, want) {
				t.Errorf("%s, labels %v: %+v, want %+v", name, labels, m, want)
			}
		}
	}
}

// classesOf returns the field Classes of a model.
func classesOf(m model) reflect.Value { return reflect.ValueOf(m).Elem().FieldByName("Classes") }

// What is for two classes panics with more, without samples too, and says what there is for
// many; Hyperplane returns false.
func TestOfTwoClassesOnly(t *testing.T) {
	X, y := samples.Iris(t)
	for name, fit := range every() {
		m := fitted(t, fit, X, y)
		x, none := X.RawRowView(0), new(mat.Dense)
		for method, call := range map[string]func(){
			"Score": func() { m.Score(x) }, "Scores": func() { m.Scores(nil, X) },
			"Prob": func() { m.Prob(x) }, "Probs": func() { m.Probs(nil, X) },
			"Scores, no rows": func() { m.Scores(nil, none) }, "Probs, no rows": func() { m.Probs(nil, none) },
		} {
			method, _, _ := strings.Cut(method, ",")
			testkit.Panics(t, name+", "+method, call, fmt.Sprintf("%s is for two classes, and the model has 3", method), "Discriminants", "Posterior")
		}
		if p := m.Posterior(nil, x); len(p) != 3 || len(m.Discriminants(nil, x)) != 3 {
			t.Errorf("%s: the posterior is %v, want three numbers, as many as discriminants", name, p)
		}
		linear, ok := m.(interface {
			Hyperplane() (mlkit.Hyperplane, bool)
		})
		if quadratic := name == "QDA" || name == "GaussianNB"; ok == quadratic {
			t.Errorf("%s has a method Hyperplane: %v", name, ok)
		}
		if !ok {
			continue
		}
		if h, ok := linear.Hyperplane(); ok {
			t.Errorf("%s: the hyperplane between three classes is %+v, want none", name, h)
		}
	}
}
