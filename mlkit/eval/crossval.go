package eval

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
)

// Plan lists the rows to train and test on.
type Plan struct {
	Folds []Fold

	// Workers is the number of concurrent fits; 0 means one per processor. It does not
	// change the results.
	Workers int
}

// Measure returns how good a model is on samples; Accuracy and R2 are measures.
// GridSearch prefers larger values.
type Measure[M any, Y int | float64] = func(m M, X *mat.Dense, y []Y) (float64, error)

// Validation holds the measure of the models fitted by cross-validation, one per fold.
type Validation struct {
	Train []float64 // on the training rows of the fold
	Test  []float64 // on the test rows of the fold

	// Unfinished has the error of each fit that did not converge, otherwise nil. The
	// unconverged models are measured like the others.
	Unfinished []*mlkit.NotConvergedError
}

// MeanTrain returns the mean of Train.
func (v Validation) MeanTrain() float64 { return stat.Mean(v.Train, nil) }

// MeanTest returns the mean of Test.
func (v Validation) MeanTest() float64 { return stat.Mean(v.Test, nil) }

// StdTest returns the standard deviation of Test, with divisor n-1; NaN for a single
// fold.
func (v Validation) StdTest() float64 { return stat.StdDev(v.Test, nil) }

// Converged reports whether all fits converged.
func (v Validation) Converged() bool {
	for _, e := range v.Unfinished {
		if e != nil {
			return false
		}
	}
	return true
}

// CrossValidate fits an algorithm to the training rows of each fold of the plan and measures
// its models on the training and the test rows:
//
//	v, err := eval.CrossValidate(mlkit.Options{}, plan, svm.Classifier{C: 10}, eval.Accuracy, X, y)
//
// Each fit gets copies of its rows of X (n×d) and y, and the weights of its rows from
// o.Weights; measures count all rows alike. Several goroutines call FitWith and measure
// concurrently. mlkit.FitFunc makes an algorithm of a function.
//
// An error of a fit or of measure ends the cross-validation, and the error names the fold. A
// fit that does not converge is no failure: CrossValidate measures its model. Once o.Context
// is done, the running fits end and no further one begins. o.Report counts the fits that are done
// and measured.
//
// Whatever else is learnt from samples, such as a scaling, belongs in the fit: see package
// pipeline.
func CrossValidate[M any, Y int | float64](o mlkit.Options, p Plan, a mlkit.Algorithm[M, Y], measure Measure[M, Y], X *mat.Dense, y []Y) (Validation, error) {
	if err := given(check.Nil(a), measure == nil); err != nil {
		return Validation{}, err
	}
	points, err := search(o, work.Counted(o, "eval: CrossValidate", len(p.Folds)), p, []mlkit.Algorithm[M, Y]{a}, measure, X, y)
	if err != nil {
		return Validation{}, err
	}
	return points[0], nil
}

// Grid is the result of GridSearch.
type Grid[P any] struct {
	Points []GridPoint[P] // in the order of params
	Best   int            // index of the largest MeanTest, the first in a tie; NaN ranks below every number
}

// GridPoint is one choice of hyperparameters.
type GridPoint[P any] struct {
	Param P // the hyperparameters
	Validation
}

// GridSearch cross-validates a fit with each of params, hyperparameters of any type, such as
// numbers or structs. It is for what Search can't vary, such as a kernel that depends on the
// training rows. Put the simplest model first, since the first wins a tie. Plotted over
// params, MeanTrain and MeanTest are the validation curves. GridSearch runs all params and
// folds concurrently, and otherwise behaves like CrossValidate; fit gets neither context nor
// weights, so o must have no weights.
//
// The score of the best point is optimistic, because the point was selected by it: test
// the selected model on held-out samples.
//
// If MeanTest is NaN at every point, GridSearch returns an error and a Grid with
// Best = -1.
func GridSearch[P, M any, Y int | float64](o mlkit.Options, p Plan, params []P, fit func(param P, X *mat.Dense, y []Y) (M, error), measure Measure[M, Y], X *mat.Dense, y []Y) (Grid[P], error) {
	if fit == nil {
		return Grid[P]{}, errNoFit
	}
	if err := given(false, measure == nil); err != nil {
		return Grid[P]{}, err
	}
	if _, err := o.Unweighted("eval: GridSearch"); err != nil {
		return Grid[P]{}, err
	}
	algorithms := make([]mlkit.Algorithm[M, Y], len(params))
	for i, param := range params {
		algorithms[i] = mlkit.FitFunc(func(X *mat.Dense, y []Y) (M, error) { return fit(param, X, y) })
	}
	done := work.Counted(o, "eval: GridSearch", len(params)*len(p.Folds))
	return gridSearch(o, done, p, params, algorithms, measure, X, y)
}

// gridSearch cross-validates algorithms[i], which stands for params[i].
func gridSearch[P, M any, Y int | float64](o mlkit.Options, done func(), p Plan, params []P, algorithms []mlkit.Algorithm[M, Y], measure Measure[M, Y], X *mat.Dense, y []Y) (Grid[P], error) {
	validations, err := search(o, done, p, algorithms, measure, X, y)
	if err != nil {
		return Grid[P]{}, err
	}
	g := Grid[P]{Points: make([]GridPoint[P], len(params)), Best: -1}
	for i, v := range validations {
		g.Points[i] = GridPoint[P]{params[i], v}
		if mean := v.MeanTest(); !math.IsNaN(mean) && (g.Best < 0 || mean > validations[g.Best].MeanTest()) {
			g.Best = i
		}
	}
	if g.Best < 0 {
		return g, fmt.Errorf("eval: the measure is NaN in some test fold of each of the %d params, so none is the best; want a number for one at least", len(params))
	}
	return g, nil
}

var (
	errNoFit       = errors.New("eval: fit is nil, want a function")
	errNoModel     = errors.New("eval: the model is nil, want one that was fitted")
	errNoAlgorithm = errors.New("eval: the algorithm is nil, want one such as svm.Classifier{}")
)

// given returns an error if there is no algorithm, or no measure.
func given(noAlgorithm, noMeasure bool) error {
	if noAlgorithm {
		return errNoAlgorithm
	}
	if noMeasure {
		return fmt.Errorf("eval: measure is nil, want a function such as Accuracy")
	}
	return nil
}

// search cross-validates each of the algorithms, and calls done after each fit and its measures.
func search[M any, Y int | float64](o mlkit.Options, done func(), p Plan, algorithms []mlkit.Algorithm[M, Y], measure Measure[M, Y], X *mat.Dense, y []Y) ([]Validation, error) {
	if err := p.check(o, X, len(y)); err != nil {
		return nil, err
	}
	if len(algorithms) == 0 {
		return nil, fmt.Errorf("eval: params is empty, want at least one")
	}
	k := len(p.Folds)
	points := make([]Validation, len(algorithms))
	for i := range points {
		points[i] = newValidation(k)
	}
	err := p.forEach(o, len(points)*k, done, func(job int) error {
		i, j := job/k, job%k
		err := runFold(o, points[i], j, p.Folds[j], algorithms[i], measure, X, y)
		if err != nil && len(points) > 1 {
			return fmt.Errorf("eval: params[%d], fold %d: %w", i, j, err)
		}
		if err != nil {
			return fmt.Errorf("eval: fold %d: %w", j, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return points, nil
}

func newValidation(k int) Validation {
	return Validation{make([]float64, k), make([]float64, k), make([]*mlkit.NotConvergedError, k)}
}

// runFold fits to the training rows of f and stores the measures in v at index j.
func runFold[M any, Y int | float64](o mlkit.Options, v Validation, j int, f Fold, a mlkit.Algorithm[M, Y], measure Measure[M, Y], X *mat.Dense, y []Y) error {
	A, labels := Pick(X, y, f.Train)
	m, err := a.FitWith(of(o, f.Train), A, labels)
	if v.Unfinished[j], err = unfinished(m, err); err != nil {
		return err
	}
	if v.Train[j], err = measure(m, A, labels); err != nil {
		return fmt.Errorf("on the training rows: %w", err)
	}
	A, labels = Pick(X, y, f.Test)
	if v.Test[j], err = measure(m, A, labels); err != nil {
		return fmt.Errorf("on the test rows: %w", err)
	}
	return nil
}

// of returns the options of a fit to some of the rows. It reports nothing: o.Report counts the fits.
func of(o mlkit.Options, rows []int) mlkit.Options {
	o.Report = nil
	if o.Weights == nil {
		return o
	}
	weights := make([]float64, len(rows))
	for k, i := range rows {
		weights[k] = o.Weights[i]
	}
	o.Weights = weights
	return o
}

// unfinished separates errors of fits that did not converge, and so returned a model m, from all
// others. A fit ended by its context is one of the others, and so is one without a model.
func unfinished(m any, err error) (*mlkit.NotConvergedError, error) {
	var e *mlkit.NotConvergedError
	switch none := check.Nil(m); {
	case none && err == nil:
		return nil, errNoModel
	case !none && errors.As(err, &e) && e.Err == nil:
		return e, nil
	}
	return nil, err
}

// check checks X, that y is its number of rows, the weights, and that the folds are within the
// rows.
func (p Plan) check(o mlkit.Options, X *mat.Dense, y int) error {
	if err := checkSamples(X, y, "element"); err != nil {
		return err
	}
	if err := check.Weights("eval", y, o.Weights); err != nil {
		return err
	}
	if len(p.Folds) == 0 {
		return fmt.Errorf("eval: Plan.Folds is empty, want at least one fold")
	}
	for j, f := range p.Folds {
		for _, part := range []struct {
			name string
			rows []int
		}{{"Train", f.Train}, {"Test", f.Test}} {
			if len(part.rows) == 0 {
				return fmt.Errorf("eval: Plan.Folds[%d].%s is empty, want at least one row", j, part.name)
			}
			for k, row := range part.rows {
				if row < 0 || row >= y {
					return fmt.Errorf("eval: Plan.Folds[%d].%s[%d] = %d, want a row of X, from 0 to %d", j, part.name, k, row, y-1)
				}
			}
		}
	}
	return nil
}
