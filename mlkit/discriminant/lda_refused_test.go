package discriminant

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/logistic"

	"gonum.org/v1/gonum/mat"
)

func TestLDASingular(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	for _, c := range []struct {
		name    string
		column  func(x []float64, y int) float64
		columns []int
	}{
		{"sum", func(x []float64, y int) float64 { return 1000 * (x[0] + x[2]) }, []int{0, 2, 4}},
		{"constant", func(x []float64, y int) float64 { return 0.1 }, []int{4}},
		{"constant in a class", func(x []float64, y int) float64 { return 0.3 * float64(y) }, []int{4}},
	} {
		wide := mat.NewDense(100, 5, nil)
		for i := range 100 {
			copy(wide.RawRowView(i), X.RawRowView(i))
			wide.Set(i, 4, c.column(X.RawRowView(i), y[i]))
		}
		m, err := LDA{}.Fit(wide, y)
		var e *SingularError
		if m != nil || !errors.As(err, &e) || !slices.Equal(e.Columns, c.columns) {
			t.Errorf("%s: err = %v, want a SingularError of columns %v", c.name, err, c.columns)
		}
		if m, err = (LDA{Shrinkage: 1e-3}).Fit(wide, y); err != nil || len(m.W) != 5 {
			t.Errorf("%s, shrunk: %v", c.name, err)
		}
	}
	_, err := LDA{}.Fit(mat.NewDense(4, 1, []float64{1, 1, 2, 2}), []int{-1, -1, 1, 1})
	const want = "discriminant: LDA: the covariance within the classes is singular: column 0 of X does not vary; leave columns out or use Shrinkage"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestLDARefused(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{-2, 0, 1, 3}), []int{-1, -1, 1, 1}
	for _, c := range []struct {
		a    LDA
		X    *mat.Dense
		y    []int
		want string
	}{
		{LDA{Divisor: 2}, X, y, "discriminant: LDA.Divisor = 2, want Unbiased or MaximumLikelihood"},
		{LDA{Shrinkage: 1.5}, X, y, "discriminant: LDA.Shrinkage = 1.5, want a number from 0 to 1"},
		{LDA{Shrinkage: math.NaN()}, X, y, "discriminant: LDA.Shrinkage = NaN, want a number from 0 to 1"},
		{LDA{Shrinkage: 1, LedoitWolf: true}, X, y, "discriminant: LDA.Shrinkage = 1, want 0 with LedoitWolf, which estimates it"},
		{LDA{Priors: []float64{1}}, X, y, "discriminant: LDA.Priors has 1 numbers, want 2, one for each class [-1 1]"},
		{LDA{Priors: []float64{0.5, 0.6}}, X, y, "discriminant: LDA.Priors have sum 1.1, want 1"},
		{LDA{Priors: []float64{1, 0}}, X, y, "discriminant: LDA.Priors[0] = 1, want a number between 0 and 1"},
		{LDA{}, mat.NewDense(2, 1, []float64{1, 2}), []int{-1, 1}, "discriminant: LDA: X has 2 rows for 2 classes, want more rows than classes to see a covariance"},
		{LDA{}, mat.NewDense(4, 1, []float64{-1e200, 0, 0, 1e200}), y, "discriminant: LDA: the covariance of columns 0 and 0 of X overflows; scale them to smaller numbers"},
		{LDA{}, mat.NewDense(4, 1, []float64{-2e-150, 0, 1e300, 1e300}), y, "discriminant: LDA: the covariance within the classes is singular: column 0 of X does not vary; leave columns out or use Shrinkage"},
	} {
		m, err := c.a.Fit(c.X, c.y)
		if m != nil || err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	for _, c := range []struct {
		X    *mat.Dense
		y    []int
		want string
	}{
		{nil, y, "discriminant: X is nil, want an n×d matrix, one sample a row"},
		{X, y[:3], "discriminant: len(y) = 3, want 4, one label for each row of X"},
		{X, []int{7, 7, 7, 7}, "discriminant: y has only the label 7 in its 4 rows, want at least two"},
	} {
		if _, err := (LDA{}).FitClasses(c.X, c.y); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Classes with equal means have no discriminant direction, and their posteriors are the
// priors.
func TestLDANoDirection(t *testing.T) {
	X, y := mat.NewDense(6, 1, []float64{-1, 1, -2, 2, -3, 3}), []int{0, 0, 1, 1, 1, 1}
	m := fitted(t, LDA{}.FitClasses, X, y)
	if len(m.Directions) != 0 || len(m.Explained) != 0 || !m.Transform(nil, X).IsEmpty() {
		t.Errorf("%+v, want no direction", m)
	}
	samples.Near(t, "P", m.Posterior(nil, []float64{5}), []float64{1. / 3, 2. / 3}, 1e-15)
}

// For columns of any size and kind, a fit returns a finite model or an error.
func TestDiscriminantsHostile(t *testing.T) {
	rnd := rand.New(rand.NewPCG(15, 16))
	for range 300 {
		n, d := 2+rnd.IntN(15), 1+rnd.IntN(5)
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for j := range d {
			scale := math.Pow(10, 80*rnd.NormFloat64())
			kind := rnd.IntN(4)
			for i := range n {
				v := rnd.NormFloat64() * scale
				switch {
				case kind == 0:
					v = math.Round(rnd.NormFloat64())
				case kind == 1 && j > 0:
					v = 3 * X.At(i, j-1)
				}
				X.Set(i, j, math.Max(-math.MaxFloat64, math.Min(math.MaxFloat64, v)))
			}
		}
		for i := range y {
			y[i] = rnd.IntN(3)
		}
		y[0], y[n-1] = 0, 1
		for _, a := range []LDA{{}, {Shrinkage: 0.5}, {LedoitWolf: true}} {
			m, err := a.FitClasses(X, y)
			if err == nil {
				for _, h := range append(m.W, m.B, m.Mean, m.Variances) {
					if !check.AllFinite(h) {
						t.Errorf("%+v: %+v", a, m)
					}
				}
			}
		}
		for _, a := range []QDA{{}, {Shrinkage: 0.5}} {
			m, err := a.FitClasses(X, y)
			if err == nil && !check.AllFinite(m.Posterior(nil, X.RawRowView(0))) {
				t.Errorf("%+v: %+v", a, m)
			}
		}
	}
}

func TestNamesOfChoices(t *testing.T) {
	got := []string{Unbiased.String(), MaximumLikelihood.String(), Divisor(7).String(), logistic.Newton.String(), logistic.LBFGS.String(), logistic.Solver(8).String()}
	want := []string{"Unbiased", "MaximumLikelihood", "Divisor(7)", "Newton", "LBFGS", "Solver(8)"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
