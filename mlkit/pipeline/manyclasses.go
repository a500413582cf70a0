package pipeline

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// ManyClasses is a pipeline for any number of classes with any ints as labels.
type ManyClasses[M mlkit.Predictor] struct {
	Steps     []Step                  // in the order of use; none is allowed
	Algorithm mlkit.Algorithm[M, int] // required
}

// ManyClassesModel is a fitted ManyClasses. Its methods panic if a sample or a destination has
// the wrong length.
type ManyClassesModel[M mlkit.Predictor] struct{ Fitted[M] }

// Fit fits the steps and the algorithm to the rows of X (n×d) with labels y[i]. Its errors are
// those of the steps and the algorithm, as the package comment says.
func (p ManyClasses[M]) Fit(X *mat.Dense, y []int) (*ManyClassesModel[M], error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with weights of the samples, which it passes on to the
// steps and the algorithm. All of them must take weights if there are some. The algorithm alone
// reports.
func (p ManyClasses[M]) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*ManyClassesModel[M], error) {
	m := new(ManyClassesModel[M])
	return fit(o, p.Steps, p.Algorithm, manyClasses, X, y, m, &m.Fitted)
}

// manyClasses checks X, and that y has a label for each row, two different ones at least.
func manyClasses(pkg string, X *mat.Dense, y []int) error {
	if err := check.Samples(pkg, X); err != nil {
		return err
	}
	n, _ := X.Dims()
	_, _, err := check.Classes(pkg, n, y)
	return err
}

// Predict returns the label of x.
func (m *ManyClassesModel[M]) Predict(x []float64) int {
	return m.Model.Predict(m.mapped("Predict", x))
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice if dst
// is nil.
func (m *ManyClassesModel[M]) Predictions(dst []int, X mat.Matrix) []int {
	return eachRow(&m.Fitted, "Predictions", dst, X, m.Model.Predictions)
}

// A PosteriorClassifierModel is a model of many classes that gives their probabilities, such as
// *logistic.Model.
type PosteriorClassifierModel interface {
	mlkit.Predictor
	// Posterior sets dst to the probabilities of the classes for the sample x and returns
	// dst, a new slice if dst is nil.
	Posterior(dst, x []float64) []float64
}

// ManyProbable is a ManyClasses whose models have probabilities.
type ManyProbable[M PosteriorClassifierModel] ManyClasses[M]

// ManyProbableModel is a fitted ManyProbable. Its methods panic if a sample or a destination
// has the wrong length.
type ManyProbableModel[M PosteriorClassifierModel] struct{ ManyClassesModel[M] }

// Fit is ManyClasses.Fit.
func (p ManyProbable[M]) Fit(X *mat.Dense, y []int) (*ManyProbableModel[M], error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is ManyClasses.FitWith.
func (p ManyProbable[M]) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*ManyProbableModel[M], error) {
	m := new(ManyProbableModel[M])
	return fit(o, p.Steps, p.Algorithm, manyClasses, X, y, m, &m.Fitted)
}

// Posterior sets dst to the probabilities of the classes for x, in the order of Model.Classes,
// and returns dst, a new slice if dst is nil.
func (m *ManyProbableModel[M]) Posterior(dst, x []float64) []float64 {
	p := m.Model.Posterior(nil, m.mapped("Posterior", x))
	dst = rows.Destination("pipeline", "Posterior", dst, len(p))
	copy(dst, p)
	return dst
}

// Posteriors sets row i of dst to Posterior of row i of X (n×d) and returns dst, a new matrix
// if dst is nil. It panics if n is 0.
func (m *ManyProbableModel[M]) Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	n, _ := X.Dims()
	if n == 0 {
		panic("pipeline: Posteriors: X has no rows, want at least one")
	}
	if dst != nil {
		if r, _ := dst.Dims(); r != n {
			panic(fmt.Sprintf("pipeline: Posteriors: dst has %d rows, want %d", r, n))
		}
	}
	m.mappedRows("Posteriors", X, func(from, to int, Z mat.Matrix) {
		_, _, row := rows.Of(Z)
		for i := from; i < to; i++ {
			p := m.Model.Posterior(nil, row(i-from))
			if dst == nil {
				dst = mat.NewDense(n, len(p), nil)
			}
			if _, c := dst.Dims(); c != len(p) {
				panic(fmt.Sprintf("pipeline: Posteriors: dst has %d columns, want %d, one for each class", c, len(p)))
			}
			dst.SetRow(i, p)
		}
	})
	return dst
}
