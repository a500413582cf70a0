package svm

import (
	"fmt"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// LinearModel is the result of the algorithms for the linear kernel: the hyperplane
// w·x + b = 0 with the margins w·x + b = ±1, and a bound on its distance from the
// optimum.
type LinearModel struct {
	mlkit.Hyperplane
	Alpha      []float64 `json:"alpha"`      // multipliers α that attain Dual, one for each row of X
	Primal     float64   `json:"primal"`     // ½‖w‖² + Σ Cᵢξᵢ, or Σ Cᵢξᵢ² for SquaredHinge, as in the package comment
	Dual       float64   `json:"dual"`       // lower bound on the minimum of Primal
	Gap        float64   `json:"gap"`        // Primal - Dual ≥ 0
	Iterations int       `json:"iterations"` // number of steps or passes; see the algorithm
	Converged  bool      `json:"converged"`  // whether Gap ≤ Tol·Primal
}

var _ mlkit.Classifier = (*LinearModel)(nil)

// Margin returns 1/‖w‖, the distance from the decision boundary to the margin on either
// side.
func (m *LinearModel) Margin() float64 { return 1 / m.Norm() }

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
	case bias != mlkit.FreeBias && bias != mlkit.PenalisedBias && bias != mlkit.NoBias:
		return fmt.Errorf("svm: %s.Bias = %v, want FreeBias, PenalisedBias or NoBias", algorithm, bias)
	case !(C >= 0 && check.Finite(C)):
		return fmt.Errorf("svm: %s.C = %v, want a positive number, or 0 for 1", algorithm, C)
	case !(tol >= 0 && check.Finite(tol)):
		return fmt.Errorf("svm: %s.Tol = %v, want a positive number, or 0 for the default", algorithm, tol)
	case limit < 0:
		return fmt.Errorf("svm: %s.MaxIter = %d, want a positive number, or 0 for the default", algorithm, limit)
	}
	return nil
}
