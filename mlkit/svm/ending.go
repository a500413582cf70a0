package svm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/svm/internal/smo"
)

// failure returns the error for the ending of a fit with the model m, nil if it has
// converged or the trace has stopped it. It sets m.Converged to false unless m solves the
// problem. cancelled is the error of the context.
func (f *fit) failure(m *Model, ended smo.Ending, cancelled error) error {
	if ended == smo.Stopped {
		return nil
	}
	e := &mlkit.NotConvergedError{
		Algorithm:  "svm: Classifier",
		Iterations: f.Iterations,
		Residual:   m.Violation,
		Model:      m,
	}
	left := fmt.Sprintf("the violation is %.3g after %d iterations, want at most %.3g", m.Violation, f.Iterations, f.Tol)
	switch ended {
	case smo.Overlapping:
		m.Converged = false
		if f.Overlap.Beta == nil {
			e.Reason = f.reason()
			return e
		}
		e.Reason = left
		return &mlkit.NotSeparableError{Alpha: rows.Restore(f.Overlap.Beta, f.present, f.n), Reason: f.reason(), Fit: e}
	case smo.TooCoarse:
		m.Converged = false
		e.Reason = fmt.Sprintf("the scores are uncertain by %.2g, where the margin is 1, since float64 rounds k of X, of up to %.2g; %s, or lower C", f.Uncertainty(), f.Largest(), f.rescale())
		return e
	case smo.Cancelled:
		m.Converged = false
		e.Err = cancelled
		if m.Violation <= f.Tol {
			left = fmt.Sprintf("the violation is %.3g after %d iterations, by updates that were not checked at the end", m.Violation, f.Iterations)
		}
		e.Reason = fmt.Sprintf("%v; %s", cancelled, left)
		return e
	}
	switch {
	case m.Converged:
		return nil
	case ended == smo.Stalled:
		e.Reason = left + "; further steps are lost in rounding: raise Tol, or " + f.advice()
	default:
		e.Reason = left + "; raise MaxIter, or " + f.advice()
	}
	return e
}

// reason tells why there is no hard margin.
func (f *fit) reason() string {
	switch o := f.Overlap; {
	case o.Beta == nil:
		return fmt.Sprintf("float64 does not tell the classes apart in the space of the kernel: the squares of distances there are up to %.2g, and rounding makes them uncertain by %.2g; %s, or give C a finite value", o.Spread2, o.Uncertainty, f.rescale())
	case o.I >= 0:
		return fmt.Sprintf("X[%d] and X[%d] are the same point with both labels; give C a finite value", f.Samples.Number(o.I), f.Samples.Number(o.J))
	default:
		return fmt.Sprintf("the convex hulls of the classes meet in the space of the kernel: two of their points are %.2g apart, where the samples are spread over %.2g; give C a finite value", o.Apart, math.Sqrt(o.Spread2))
	}
}

func (f *fit) overflow() error {
	if f.Largest() < 1 {
		return fmt.Errorf("svm: Classifier: the multipliers overflow after %d iterations, with k of X of at most %.2g; scale X to larger numbers", f.Iterations, f.Largest())
	}
	return fmt.Errorf("svm: Classifier: the sums overflow after %d iterations; scale X or C to smaller numbers", f.Iterations)
}

// rescale advises how to make the kernel values of different samples differ more.
func (f *fit) rescale() string {
	if f.Largest() < 1 {
		return "scale X to larger numbers"
	}
	return "subtract the means of the columns of X, scale them, or choose other parameters of the kernel"
}

// advice suggests what makes the fit easier.
func (f *fit) advice() string {
	if ratio := spreadRatio(f.Samples.Dense()); ratio > 100 {
		return fmt.Sprintf("scale the columns of X, of which one is spread %.0f times as wide as another", ratio)
	}
	return "lower C"
}

// spreadRatio returns the ratio of the largest to the smallest range of a column of X,
// ignoring constant columns.
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
