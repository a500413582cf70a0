package svm

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// COfLambda returns C = 1/(2λn) for n samples. With it, ½‖w‖² + C Σ ξᵢ has the same
// minimum as EE-559's λ‖w‖² + (1/n) Σ ξᵢ: the second is 2λ times the first. Yuille's γ is
// C.
func COfLambda(lambda float64, n int) float64 { return 1 / (2 * lambda * float64(n)) }

// LambdaOfC returns λ = 1/(2Cn), the inverse of COfLambda.
func LambdaOfC(C float64, n int) float64 { return 1 / (2 * C * float64(n)) }

// HingeLosses returns max(0, 1 - yᵢ(w·xᵢ + b)) for each row of X (n×d), the least slack
// that keeps the margin (Yuille, section 15). It returns an error if X or y is invalid,
// or if X does not have len(W) columns.
func HingeLosses(h mlkit.Hyperplane, X *mat.Dense, y []int) ([]float64, error) {
	if err := check.TwoClasses("svm", X, y); err != nil {
		return nil, err
	}
	if _, d := X.Dims(); d != len(h.W) {
		return nil, fmt.Errorf("svm: X has %d columns, want %d, the length of W", d, len(h.W))
	}
	losses := h.Scores(nil, X)
	for i, s := range losses {
		losses[i] = max(0, 1-float64(y[i])*s)
	}
	return losses, nil
}

// SlackObjective returns Yuille's ½‖w‖² + γ Σ max(0, 1 - yᵢ(w·xᵢ + b)) with γ = C
// (section 15). Its errors are those of HingeLosses.
func SlackObjective(h mlkit.Hyperplane, C float64, X *mat.Dense, y []int) (float64, error) {
	losses, err := HingeLosses(h, X, y)
	if err != nil {
		return 0, err
	}
	return floats.Dot(h.W, h.W)/2 + C*floats.Sum(losses), nil
}

// MeanHingeObjective returns EE-559's λ‖w‖² + (1/n) Σ max(0, 1 - yᵢ(w·xᵢ + b)). Its
// errors are those of HingeLosses.
func MeanHingeObjective(h mlkit.Hyperplane, lambda float64, X *mat.Dense, y []int) (float64, error) {
	losses, err := HingeLosses(h, X, y)
	if err != nil {
		return 0, err
	}
	return lambda*floats.Dot(h.W, h.W) + floats.Sum(losses)/float64(len(y)), nil
}
