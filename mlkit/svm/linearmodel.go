package svm

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/svm/internal/linear"
)

// LinearModel is the result of the algorithms for the linear kernel: the hyperplane
// w·x + b = 0 with the margins w·x + b = ±1, and a bound on its distance from the
// optimum.
type LinearModel struct {
	mlkit.Hyperplane
	Alpha      []float64 `json:"alpha"`      // multipliers α that attain Dual, one for each row of X; 0 for a row of weight 0
	Primal     float64   `json:"primal"`     // ½‖w‖² + Σ Cᵢξᵢ, or Σ Cᵢξᵢ² for SquaredHinge, as in the package comment
	Dual       float64   `json:"dual"`       // lower bound on the minimum of Primal
	Gap        float64   `json:"gap"`        // Primal - Dual ≥ 0
	Iterations int       `json:"iterations"` // number of steps or passes; see the algorithm
	Converged  bool      `json:"converged"`  // whether Gap ≤ Tol·Primal
}

var _ mlkit.ClassifierModel = (*LinearModel)(nil)

// Margin returns 1/‖w‖, the distance from the decision boundary to the margin on either
// side.
func (m *LinearModel) Margin() float64 { return 1 / m.Norm() }

// LinearStep is the state of a fit with the linear kernel.
type LinearStep struct {
	Iteration         int // step or pass, from 1; see the algorithm
	Hyperplane        mlkit.Hyperplane
	Primal, Dual, Gap float64 // as for LinearModel
}

// linearStep returns the state that s is.
func linearStep(s *linear.Solution) LinearStep {
	return LinearStep{s.Iterations, mlkit.Hyperplane{W: slices.Clone(s.W), B: s.B}, s.Primal, s.Dual, s.Gap}
}

// linearTrace returns trace as the internal packages call it, nil for nil.
func linearTrace(trace func(LinearStep) bool) func(*linear.Solution) bool {
	if trace == nil {
		return nil
	}
	return func(s *linear.Solution) bool { return trace(linearStep(s)) }
}

// solved returns the model of the solution s of p that an algorithm has come to, with the error
// for its ending.
func solved(ctx context.Context, algorithm string, p *linear.Problem, s *linear.Solution, ended linear.Ending, iterations int, tol float64) (*LinearModel, error) {
	if ended == linear.Overflowed {
		return nil, fmt.Errorf("svm: %s: the sums overflow after %d iterations; scale X or C to smaller numbers", algorithm, iterations)
	}
	s.Alpha = p.Restore(s.Alpha)
	m := (*LinearModel)(s)
	if ended == linear.Done {
		return m, nil
	}
	relative := s.Residual()
	reason := fmt.Sprintf("the gap is %.3g of the primal value after %d iterations, want at most %.3g; raise MaxIter or Tol, or centre the columns of X and scale them alike", relative, iterations, tol)
	cause := ctx.Err()
	if cause != nil {
		reason = fmt.Sprintf("%v; %s", cause, reason)
	}
	return m, &mlkit.NotConvergedError{
		Algorithm: "svm: " + algorithm, Iterations: iterations, Residual: relative, Reason: reason, Model: m, Err: cause,
	}
}

// Loss is the penalty on the slacks.
type Loss int

const (
	Hinge        Loss = iota // C Σ ξᵢ
	SquaredHinge             // C Σ ξᵢ²
)

// checkLinear checks the hyperparameters that algorithms for the linear kernel share.
func checkLinear(algorithm string, loss Loss, bias mlkit.Bias, C, tol float64, limit int) error {
	switch {
	case loss != Hinge && loss != SquaredHinge:
		return fmt.Errorf("svm: %s.Loss = %d, want Hinge or SquaredHinge", algorithm, int(loss))
	case bias != mlkit.FreeBias && bias != mlkit.PenalizedBias && bias != mlkit.NoBias:
		return fmt.Errorf("svm: %s.Bias = %v, want FreeBias, PenalizedBias or NoBias", algorithm, bias)
	case !(C >= 0 && check.Finite(C)):
		return fmt.Errorf("svm: %s.C = %v, want a positive number, or 0 for 1", algorithm, C)
	case !(tol >= 0 && check.Finite(tol)):
		return fmt.Errorf("svm: %s.Tol = %v, want a positive number, or 0 for the default", algorithm, tol)
	case limit < 0:
		return fmt.Errorf("svm: %s.MaxIter = %d, want a positive number, or 0 for the default", algorithm, limit)
	}
	return nil
}

// checkStart checks a model for a warm start.
func checkStart(algorithm string, m *LinearModel, X *mat.Dense, multipliers bool) error {
	if m == nil {
		return nil
	}
	n, d := X.Dims()
	if len(m.W) != d {
		return fmt.Errorf("svm: %s.Start.W has %d elements, want %d, one for each column of X", algorithm, len(m.W), d)
	}
	for j, v := range m.W {
		if !check.Finite(v) {
			return fmt.Errorf("svm: %s.Start.W[%d] = %v, want a finite number", algorithm, j, v)
		}
	}
	if !check.Finite(m.B) {
		return fmt.Errorf("svm: %s.Start.B = %v, want a finite number", algorithm, m.B)
	}
	if !multipliers {
		return nil
	}
	if len(m.Alpha) != n {
		return fmt.Errorf("svm: %s.Start.Alpha has %d multipliers, want %d, one for each row of X", algorithm, len(m.Alpha), n)
	}
	for i, a := range m.Alpha {
		if !(a >= 0 && check.Finite(a)) {
			return fmt.Errorf("svm: %s.Start.Alpha[%d] = %v, want a finite number of at least 0", algorithm, i, a)
		}
	}
	return nil
}
