package discriminant

import (
	"errors"
	"math"
	"slices"
	"testing"

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
		if m, err = (LDA{Shrinkage: 1e-3}).Fit(wide, y); err != nil || len(plane(t, m).W) != 5 {
			t.Errorf("%s, shrunk: %v", c.name, err)
		}
	}
	_, err := LDA{}.Fit(mat.NewDense(4, 1, []float64{1, 1, 2, 2}), []int{-1, -1, 1, 1})
	const want = "discriminant: LDA: the covariance within the classes is singular: column 0 of X does not vary; leave columns out or use Shrinkage"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestRefused(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{-2, 0, 1, 3}), []int{-1, -1, 1, 1}
	huge := mat.NewDense(4, 1, []float64{-1e200, 0, 0, 1e200})
	for _, c := range []struct {
		err  error
		want string
	}{
		{refused(t, LDA{Divisor: 2}.Fit, X, y), "discriminant: LDA.Divisor = 2, want Unbiased or MaximumLikelihood"},
		{refused(t, LDA{Shrinkage: 1.5}.Fit, X, y), "discriminant: LDA.Shrinkage = 1.5, want a number from 0 to 1"},
		{refused(t, LDA{Shrinkage: math.NaN()}.Fit, X, y), "discriminant: LDA.Shrinkage = NaN, want a number from 0 to 1"},
		{refused(t, LDA{Shrinkage: 1, LedoitWolf: true}.Fit, X, y), "discriminant: LDA.Shrinkage = 1, want 0 with LedoitWolf, which estimates it"},
		{refused(t, LDA{Priors: []float64{1}}.Fit, X, y), "discriminant: LDA.Priors has 1 numbers, want 2, one for each class [-1 1]"},
		{refused(t, LDA{Priors: []float64{0.5, 0.6}}.Fit, X, y), "discriminant: LDA.Priors have sum 1.1, want 1"},
		{refused(t, LDA{Priors: []float64{1, 0}}.Fit, X, y), "discriminant: LDA.Priors[0] = 1, want a number between 0 and 1"},
		{refused(t, LDA{}.Fit, mat.NewDense(2, 1, []float64{1, 2}), []int{-1, 1}), "discriminant: LDA: X has 2 rows for 2 classes, want more rows than classes to see a covariance"},
		{refused(t, LDA{}.Fit, huge, y), "discriminant: LDA: the covariance of columns 0 and 0 of X overflows; scale them to smaller numbers"},
		{refused(t, LDA{}.Fit, mat.NewDense(4, 1, []float64{-2e-150, 0, 1e300, 1e300}), y), "discriminant: LDA: the covariance within the classes is singular: column 0 of X does not vary; leave columns out or use Shrinkage"},
		{refused(t, LDA{}.Fit, nil, y), "discriminant: X is nil, want an n×d matrix, one sample a row"},
		{refused(t, LDA{}.Fit, X, y[:3]), "discriminant: len(y) = 3, want 4, one label for each row of X"},
		{refused(t, LDA{}.Fit, X, []int{7, 7, 7, 7}), "discriminant: y has only the label 7 in its 4 rows, want at least two"},
		{refused(t, QDA{Shrinkage: -1}.Fit, X, y), "discriminant: QDA.Shrinkage = -1, want a number from 0 to 1"},
		{refused(t, QDA{Priors: []float64{1}}.Fit, X, y), "discriminant: QDA.Priors has 1 numbers, want 2, one for each class [-1 1]"},
		{refused(t, QDA{}.Fit, X, []int{-1, 1, 1, 1}), "discriminant: QDA: y has the label -1 once, want at least two samples of each class to see a covariance"},
		{refused(t, QDA{}.Fit, huge, y), "discriminant: QDA: class -1: the covariance of columns 0 and 0 of X overflows; scale them to smaller numbers"},
		{refused(t, QDA{}.Fit, mat.NewDense(4, 2, []float64{0, 1, 1, 0, 2, 2, 3, 2}), y), "discriminant: QDA: the covariance of class -1 is singular: a combination of columns 0, 1 of X does not vary, since 2 columns are too many for 1 degrees of freedom; leave columns out or use Shrinkage"},
		{refused(t, QDA{}.Fit, nil, y), "discriminant: X is nil, want an n×d matrix, one sample a row"},
		{refused(t, GaussianNB{Divisor: 2}.Fit, X, y), "discriminant: GaussianNB.Divisor = 2, want Unbiased or MaximumLikelihood"},
		{refused(t, GaussianNB{VarSmoothing: -1}.Fit, X, y), "discriminant: GaussianNB.VarSmoothing = -1, want a finite number of at least 0"},
		{refused(t, GaussianNB{VarSmoothing: math.Inf(1)}.Fit, X, y), "discriminant: GaussianNB.VarSmoothing = +Inf, want a finite number of at least 0"},
		{refused(t, GaussianNB{Priors: []float64{1}}.Fit, X, y), "discriminant: GaussianNB.Priors has 1 numbers, want 2, one for each class [-1 1]"},
		{refused(t, GaussianNB{}.Fit, X, []int{-1, 1, 1, 1}), "discriminant: GaussianNB: y has the label -1 once, want at least two samples of each class to see a covariance, or VarSmoothing"},
		{refused(t, GaussianNB{}.Fit, huge, y), "discriminant: GaussianNB of class -1: the variance of column 0 of X overflows; scale it to smaller numbers"},
		{refused(t, GaussianNB{}.Fit, mat.NewDense(4, 1, []float64{-1e-170, 0, 1, 3}), y), "discriminant: GaussianNB: the covariance of class -1 is singular: column 0 of X does not vary; leave columns out or use VarSmoothing"},
		{refused(t, GaussianNB{}.Fit, mat.NewDense(4, 1, []float64{-2e-170, 0, 1e-170, 3e-170}), y), "discriminant: GaussianNB of class -1: the variance of column 0 of X is 0, too small for a float64 to hold its digits, want at least 2.23e-308; scale the column"},
		// The variance of all four is 1.5e-300.
		{refused(t, GaussianNB{VarSmoothing: 1e-9}.Fit, mat.NewDense(4, 1, []float64{0, 0, 1e-150, 3e-150}), y), "discriminant: GaussianNB of class -1: the variance of column 0 of X is 1.5e-309, too small for a float64 to hold its digits, want at least 2.23e-308; scale the column"},
		{refused(t, DiagonalLDA{VarSmoothing: math.NaN()}.Fit, X, y), "discriminant: DiagonalLDA.VarSmoothing = NaN, want a finite number of at least 0"},
		{refused(t, DiagonalLDA{}.Fit, huge, y), "discriminant: DiagonalLDA: the variance of column 0 of X overflows; scale it to smaller numbers"},
		{refused(t, DiagonalLDA{}.Fit, mat.NewDense(2, 1, []float64{1, 2}), []int{-1, 1}), "discriminant: DiagonalLDA: X has 2 rows for 2 classes, want more rows than classes to see a covariance"},
		{refused(t, DiagonalLDA{}.Fit, nil, y), "discriminant: X is nil, want an n×d matrix, one sample a row"},
		{refused(t, BernoulliNB{}.Fit, X, y), "discriminant: BernoulliNB: X[0][0] = -2, want 0 or 1"},
		{refused(t, BernoulliNB{}.Fit, mat.NewDense(2, 2, []float64{0, 1, 1, 0.5}), []int{-1, 1}), "discriminant: BernoulliNB: X[1][1] = 0.5, want 0 or 1"},
		{refused(t, BernoulliNB{Smoothing: -1}.Fit, X, y), "discriminant: BernoulliNB.Smoothing = -1, want a positive number, or 0 for 1"},
		{refused(t, BernoulliNB{Priors: []float64{1, 0}}.Fit, X, y), "discriminant: BernoulliNB.Priors[0] = 1, want a number between 0 and 1"},
		{refused(t, BernoulliNB{}.Fit, X, []int{1, 1, 1, 1}), "discriminant: y has only the label 1 in its 4 rows, want at least two"},
		{refused(t, QDA{}.Fit, X, y[:2]), "discriminant: len(y) = 2, want 4, one label for each row of X"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
}

// refused returns the error of a fit that must return no model.
func refused[M any](t *testing.T, fit func(*mat.Dense, []int) (*M, error), X *mat.Dense, y []int) error {
	t.Helper()
	m, err := fit(X, y)
	if m != nil {
		t.Errorf("the model %+v beside the error %v", m, err)
	}
	return err
}

// Classes with equal means have no discriminant direction, and their posteriors are the
// priors.
func TestLDANoDirection(t *testing.T) {
	X, y := mat.NewDense(6, 1, []float64{-1, 1, -2, 2, -3, 3}), []int{0, 0, 1, 1, 1, 1}
	m := fitted(t, LDA{}.Fit, X, y)
	if len(m.Directions) != 0 || len(m.Explained) != 0 || !m.Transform(nil, X).IsEmpty() {
		t.Errorf("%+v, want no direction", m)
	}
	samples.Near(t, "P", m.Posterior(nil, []float64{5}), []float64{1. / 3, 2. / 3}, 1e-15)
}

func TestNamesOfChoices(t *testing.T) {
	got := []string{Unbiased.String(), MaximumLikelihood.String(), Divisor(7).String(), logistic.Newton.String(), logistic.LBFGS.String(), logistic.Solver(8).String()}
	want := []string{"Unbiased", "MaximumLikelihood", "Divisor(7)", "Newton", "LBFGS", "Solver(8)"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
