package svm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/abandon"
)

// How a run of smo ended.
type ending int

const (
	converged     ending = iota // the violation is at most tol
	stalled                     // the best step is lost in rounding
	outOfSteps                  // limit iterations are over
	stopped                     // the trace returned false
	cancelled                   // the context is done
	notSeparating               // no hyperplane separates the classes
	overflowed                  // the scores are out of range
)

// fit runs to the end and returns the model, with the error that belongs to the
// way it ended.
func (s *smo) fit(ctx abandon.Ender) (*Model, error) {
	ended, reason, err := s.run(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if err != nil {
		ended = cancelled
	}
	if ended == overflowed {
		return nil, s.overflow()
	}
	if s.diag == nil || !finite(floats.Sum(s.g)) {
		// Cancelled before the first step, or between two sums.
		clear(s.alpha)
		copy(s.g, s.y)
	}
	m := s.model()
	if !finite(m.Dual) || !finite(m.Norm) {
		return nil, s.overflow()
	}
	if m.Converged && ended != notSeparating && ended != cancelled || ended == stopped {
		return m, nil
	}
	e := &mlkit.NotConvergedError{
		Algorithm:  "svm: Classifier",
		Iterations: s.iterations,
		Residual:   m.Violation,
		Model:      m,
	}
	left := fmt.Sprintf("the violation is %.3g after %d iterations, want at most %.3g", m.Violation, s.iterations, s.tol)
	switch ended {
	case notSeparating:
		m.Converged = false
		e.Reason = left
		return m, &mlkit.NotSeparableError{Reason: reason, Fit: e}
	case cancelled:
		m.Converged = false
		e.Err = ctx.Err()
		e.Reason = fmt.Sprintf("%v; %s", e.Err, left)
	case stalled:
		e.Reason = left + "; further steps are lost in rounding: raise Tol, or " + s.advice()
	default:
		e.Reason = left + "; raise MaxIter, or " + s.advice()
	}
	return m, e
}

func (s *smo) overflow() error {
	return fmt.Errorf("svm: Classifier: the sums overflow after %d iterations; scale X or C to smaller numbers", s.iterations)
}

// advice says what makes a fit easier.
func (s *smo) advice() string {
	if ratio := spreadRatio(s.X.dense()); ratio > 100 {
		return fmt.Sprintf("scale the columns of X, of which one is spread %.0f times as wide as another", ratio)
	}
	return "lower C"
}

// spreadRatio returns the ratio of the largest to the smallest range of a column
// of X, without those that are constant.
func spreadRatio(X *mat.Dense) float64 {
	_, d := X.Dims()
	narrow, wide := math.Inf(1), 0.0
	for j := range d {
		column := X.ColView(j)
		if width := mat.Max(column) - mat.Min(column); width > 0 {
			narrow, wide = min(narrow, width), max(wide, width)
		}
	}
	return wide / narrow
}
