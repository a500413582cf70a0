package svm

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/early"
)

// ending is how a run of smo ended.
type ending int

const (
	converged     ending = iota // the violation is at most tol
	stalled                     // the best step is below rounding error
	outOfSteps                  // limit iterations are done
	stopped                     // the trace returned false
	cancelled                   // the context is done
	notSeparating               // no hyperplane separates the classes
	overflowed                  // the scores overflow
	unresolved                  // float64 is too coarse for the kernel of these samples
)

// errOverflow is returned by separable if the scores overflow.
var errOverflow = errors.New("svm: overflow")

// fit runs the solver and returns the model, with the error for its ending.
func (s *smo) fit(ctx early.Ender) (*Model, error) {
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
		// Cancelled before the first step, or while g was out of date.
		clear(s.alpha)
		copy(s.g, s.y)
	}
	m := s.model()
	if !finite(m.Dual) || !finite(m.Norm) {
		return nil, s.overflow()
	}
	if m.Converged && ended != notSeparating && ended != unresolved && ended != cancelled || ended == stopped {
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
		return m, &mlkit.NotSeparableError{Alpha: s.proof, Reason: reason, Fit: e}
	case unresolved:
		m.Converged = false
		e.Reason = reason
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
	if largestSize(s.diag) < 1 {
		return fmt.Errorf("svm: Classifier: the multipliers overflow after %d iterations, with k of X of at most %.2g; scale X to larger numbers", s.iterations, largestSize(s.diag))
	}
	return fmt.Errorf("svm: Classifier: the sums overflow after %d iterations; scale X or C to smaller numbers", s.iterations)
}

// uncertain returns the reason if rounding makes the scores useless, otherwise "". A
// kernel value is at most √(k(xᵢ, xᵢ)k(xⱼ, xⱼ)) and is rounded by up to 2⁻⁵³ of that. A
// score is therefore uncertain by the sum of these errors, weighted by α. If that exceeds
// the tolerance, the remaining violation is mere rounding.
func (s *smo) uncertain() string {
	sum := 0.0
	for i, a := range s.alpha {
		sum += a * math.Sqrt(math.Abs(s.diag[i]))
	}
	largest := largestSize(s.diag)
	rounding := 0x1p-53 * sum * math.Sqrt(largest)
	if rounding <= max(s.tol, smoTol) {
		return ""
	}
	return fmt.Sprintf("the scores are uncertain by %.2g, where the margin is 1, since float64 rounds k of X, of up to %.2g; %s, or lower C", rounding, largest, s.rescale())
}

// rescale advises how to make the kernel values of different samples differ more.
func (s *smo) rescale() string {
	if largestSize(s.diag) < 1 {
		return "scale X to larger numbers"
	}
	return "subtract the means of the columns of X, scale them, or choose other parameters of the kernel"
}

// advice suggests what makes the fit easier.
func (s *smo) advice() string {
	if ratio := spreadRatio(s.X.dense()); ratio > 100 {
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
