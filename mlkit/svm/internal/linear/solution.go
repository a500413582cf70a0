package linear

import (
	"math"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Solution is a hyperplane with multipliers, and how far from the optimum they are at most. It
// has the fields of svm.LinearModel.
type Solution struct {
	mlkit.Hyperplane
	Alpha      []float64 // one for each sample, feasible for the dual problem
	Primal     float64
	Dual       float64
	Gap        float64 // Primal - Dual ≥ 0
	Iterations int
	Converged  bool // whether Gap is within tolerance
}

// Close sets Gap and Converged, for the tolerance tol of Gap/Primal.
func (s *Solution) Close(tol float64) {
	s.Gap = max(0, s.Primal-s.Dual)
	s.Converged = s.Gap <= tol*s.Primal
}

// Residual returns Gap/Primal, or NaN if s is nil.
func (s *Solution) Residual() float64 {
	if s == nil {
		return math.NaN()
	}
	return s.Gap / s.Primal
}

// Finite reports whether neither value overflows.
func (s *Solution) Finite() bool { return check.Finite(s.Primal) && check.Finite(s.Dual) }

// Ending is how a fit ended.
type Ending int

const (
	Done       Ending = iota // the gap is within tolerance, or the trace returned false
	Unfinished               // MaxIter is reached, the context is done, or no step is possible
	Overflowed               // the sums overflow
)
