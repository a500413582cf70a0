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

// Plan says on which rows models are fitted and tested.
type Plan struct {
	Folds []Fold

	// Workers is the number of fits at the same time; 0 means one a processor.
	// The results do not depend on it.
	Workers int
}

// A Measure says how good a model is on samples; larger is better, if GridSearch is
// to choose by it. Accuracy and R2 are measures.
type Measure[M any, Y int | float64] = func(m M, X *mat.Dense, y []Y) (float64, error)

// Validation is what a measure says of the models that were fitted, one a fold.
type Validation struct {
	Train []float64 // on the samples that the model of the fold has learnt from
	Test  []float64 // on the others

	// Unfinished has the error of each fit that did not converge, and nil for
	// the others. Its model was measured all the same.
	Unfinished []*mlkit.NotConvergedError
}

// MeanTrain returns the mean of Train.
func (v Validation) MeanTrain() float64 { return stat.Mean(v.Train, nil) }

// MeanTest returns the mean of Test.
func (v Validation) MeanTest() float64 { return stat.Mean(v.Test, nil) }

// StdTest returns the standard deviation of Test, with n-1; NaN for one fold.
func (v Validation) StdTest() float64 { return stat.StdDev(v.Test, nil) }

// Converged reports whether all fits have.
func (v Validation) Converged() bool {
	for _, e := range v.Unfinished {
		if e != nil {
			return false
		}
	}
	return true
}

// CrossValidate fits a model to the training rows of each fold of the plan and
// measures it on these and on the test rows. The rows of X (n×d) and y are copied
// for each fit. Fit and measure are called by several goroutines at once.
//
// An error of fit or measure ends it, with the number of the fold, unless the fit
// has merely not converged; then the model beside the error is measured. When ctx
// ends no further fit is begun; a fit that is to end with it has to know it:
//
//	func(X *mat.Dense, y []int) (*Model, error) { return a.FitContext(ctx, X, y) }
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

// Grid is the result of a GridSearch.
type Grid[P any] struct {
	Points []GridPoint[P] // in the order of the parameters
	Best   int            // the point with the largest MeanTest, the first of equals; NaN is less than any number
}

// GridPoint is one choice of parameters.
type GridPoint[P any] struct {
	Param P
	Validation
}

// GridSearch cross-validates a fit with each of the parameters, which may be
// anything: numbers, structs of them, algorithms. Put the simplest model first,
// since the first of equals is the best. Plotted over the parameters, MeanTrain and
// MeanTest are the validation curves. It does otherwise as CrossValidate does, for
// all parameters and folds at once.
//
// The score of the best point is too good an estimate of how well it will do, as it
// was chosen for it: test the chosen model on samples that were held out.
//
// If MeanTest is NaN at every point there is no best one. This is an error, with Best =
// -1 in the Grid beside it.
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

// functions refuses a fit or a measure that is nil.
func functions(noFit, noMeasure bool) error {
	if noFit {
		return errNoFit
	}
	if noMeasure {
		return fmt.Errorf("eval: measure is nil, want a function such as Accuracy")
	}
	return nil
}

// search cross-validates a fit with each of the parameters.
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
	err := forEach(ctx, len(params)*k, p.Workers, func(job int) error {
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

// runFold fits to the training rows of f and puts the measures into place j of v.
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

// unfinished takes the error of a fit that has not converged, and so has a model,
// apart from all others. One that its context has ended is one of the others.
func unfinished(err error) (*mlkit.NotConvergedError, error) {
	var e *mlkit.NotConvergedError
	if errors.As(err, &e) && e.Err == nil {
		return e, nil
	}
	return nil, err
}

// check checks that the folds suit n rows of X.
func (p Plan) check(X *mat.Dense, y int) error {
	if err := samples(X, y, "element"); err != nil {
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
