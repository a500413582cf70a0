package pipeline

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Regression is a pipeline for targets that are numbers.
type Regression[M mlkit.Scorer] struct {
	Steps     []Step                      // in the order of use; none is allowed
	Algorithm mlkit.Algorithm[M, float64] // required
}

// RegressionModel is a fitted Regression. Its methods panic if a sample or a destination has
// the wrong length.
type RegressionModel[M mlkit.Scorer] struct{ Fitted[M] }

// Fit fits the steps and the algorithm to the rows of X (n×d) with targets y[i]. Its errors
// are those of the steps and the algorithm, as the package comment says.
func (p Regression[M]) Fit(X *mat.Dense, y []float64) (*RegressionModel[M], error) {
	return p.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with weights of the samples, which it passes on to the
// steps and the algorithm. All of them must take weights if there are some. The algorithm alone
// reports.
func (p Regression[M]) FitWith(o mlkit.Options, X *mat.Dense, y []float64) (*RegressionModel[M], error) {
	m := new(RegressionModel[M])
	return fit(o, p.Steps, p.Algorithm, targets, X, y, m, &m.Fitted)
}

// targets checks X, and that y has a finite target for each row.
func targets(pkg string, X *mat.Dense, y []float64) error {
	if err := check.Samples(pkg, X); err != nil {
		return err
	}
	if n, _ := X.Dims(); len(y) != n {
		return fmt.Errorf("%s: len(y) = %d, want %d, one target for each row of X", pkg, len(y), n)
	}
	for i, v := range y {
		if !check.Finite(v) {
			return fmt.Errorf("%s: y[%d] = %v, want a finite number", pkg, i, v)
		}
	}
	return nil
}

// Score returns the prediction for x.
func (m *RegressionModel[M]) Score(x []float64) float64 { return m.Model.Score(m.mapped("Score", x)) }

// Scores sets dst[i] to the prediction for row i of X (n×d) and returns dst, a new slice if dst
// is nil.
func (m *RegressionModel[M]) Scores(dst []float64, X mat.Matrix) []float64 {
	return eachRow(&m.Fitted, "Scores", dst, X, m.Model.Scores)
}
