package eval

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit"
)

// Plan lists the rows to train and test on.
type Plan struct {
	Folds []Fold

	// Workers is the number of concurrent fits; 0 means one per processor. It does not
	// change the results.
	Workers int

	// Progress, if not nil, is called after each fit and its measures, never concurrently:
	// done of fits are complete.
	Progress func(done, fits int)
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

// CrossValidate fits a model to the training rows of each fold of the plan and measures
// it on the training and the test rows. Each fit gets copies of its rows of X (n×d) and
// y. Several goroutines call fit and measure concurrently.
//
// An error of fit or measure ends the cross-validation, and the error names the fold. A
// fit that does not converge is no failure: CrossValidate measures its model. Once ctx is
// done no further fit begins. To stop running fits too, pass ctx on:
//
//	func(X *mat.Dense, y []int) (*Model, error) { return a.FitContext(ctx, X, y) }
//
// Whatever else is learnt from samples, such as a scaling, belongs into the fit: see package
// pipeline.
func CrossValidate[M any, Y int | float64](ctx context.Context, p Plan, fit func(X *mat.Dense, y []Y) (M, error), measure Measure[M, Y], X *mat.Dense, y []Y) (Validation, error) {
	if err := functions(fit == nil, measure == nil); err != nil {
		return Validation{}, err
	}
	points, err := search(ctx, p, []struct{}{{}}, func(_ struct{}, X *mat.Dense, y []Y) (M, error) { return fit(X, y) }, measure, X, y)
	if err != nil {
		return Validation{}, err
	}
	return points[0].Validation, nil
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

// GridSearch cross-validates a fit with each of params, hyperparameters of any type:
// numbers, structs, algorithms. Put the simplest model first, since the first wins a tie.
// Plotted over params, MeanTrain and MeanTest are the validation curves.
// GridSearch runs all params and folds concurrently, and otherwise behaves like
// CrossValidate.
//
// The score of the best point is optimistic, because the point was selected by it: test
// the selected model on held-out samples.
//
// If MeanTest is NaN at every point, GridSearch returns an error and a Grid with
// Best = -1.
func GridSearch[P, M any, Y int | float64](ctx context.Context, p Plan, params []P, fit func(param P, X *mat.Dense, y []Y) (M, error), measure Measure[M, Y], X *mat.Dense, y []Y) (Grid[P], error) {
	if err := functions(fit == nil, measure == nil); err != nil {
		return Grid[P]{}, err
	}
	points, err := search(ctx, p, params, fit, measure, X, y)
	if err != nil {
		return Grid[P]{}, err
	}
	g := Grid[P]{Points: points, Best: -1}
	for i, point := range points {
		if mean := point.MeanTest(); !math.IsNaN(mean) && (g.Best < 0 || mean > points[g.Best].MeanTest()) {
			g.Best = i
		}
	}
	if g.Best < 0 {
		return g, fmt.Errorf("eval: the measure is NaN in some test fold of each of the %d params, so none is the best; want a number for one at least", len(params))
	}
	return g, nil
}

var errNoFit = errors.New("eval: fit is nil, want a function")

// functions returns an error if fit or measure is nil.
func functions(noFit, noMeasure bool) error {
	if noFit {
		return errNoFit
	}
	if noMeasure {
		return fmt.Errorf("eval: measure is nil, want a function such as Accuracy")
	}
	return nil
}

// search cross-validates a fit with each of params.
func search[P, M any, Y int | float64](ctx context.Context, p Plan, params []P, fit func(param P, X *mat.Dense, y []Y) (M, error), measure Measure[M, Y], X *mat.Dense, y []Y) ([]GridPoint[P], error) {
	if err := p.check(X, len(y)); err != nil {
		return nil, err
	}
	if len(params) == 0 {
		return nil, fmt.Errorf("eval: params is empty, want at least one")
	}
	k := len(p.Folds)
	points := make([]GridPoint[P], len(params))
	for i, param := range params {
		points[i] = GridPoint[P]{param, newValidation(k)}
	}
	err := p.forEach(ctx, len(params)*k, func(job int) error {
		i, j := job/k, job%k
		with := func(X *mat.Dense, y []Y) (M, error) { return fit(params[i], X, y) }
		err := runFold(points[i].Validation, j, p.Folds[j], with, measure, X, y)
		if err != nil && len(params) > 1 {
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
func runFold[M any, Y int | float64](v Validation, j int, f Fold, fit func(X *mat.Dense, y []Y) (M, error), measure Measure[M, Y], X *mat.Dense, y []Y) error {
	A, a := Pick(X, y, f.Train)
	m, err := fit(A, a)
	if v.Unfinished[j], err = unfinished(err); err != nil {
		return err
	}
	if v.Train[j], err = measure(m, A, a); err != nil {
		return fmt.Errorf("on the training rows: %w", err)
	}
	A, a = Pick(X, y, f.Test)
	if v.Test[j], err = measure(m, A, a); err != nil {
		return fmt.Errorf("on the test rows: %w", err)
	}
	return nil
}

// unfinished separates errors of fits that did not converge, and so returned a model,
// from all others. A fit ended by its context is one of the others.
func unfinished(err error) (*mlkit.NotConvergedError, error) {
	var e *mlkit.NotConvergedError
	if errors.As(err, &e) && e.Err == nil {
		return e, nil
	}
	return nil, err
}

// check checks X, that y is its number of rows, and that the folds are within them.
func (p Plan) check(X *mat.Dense, y int) error {
	if err := checkSamples(X, y, "element"); err != nil {
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
