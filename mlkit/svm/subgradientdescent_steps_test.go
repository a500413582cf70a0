package svm

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// By hand, for samples 1 labelled + and -1 labelled -, with λ = 1, ρ₁ = 1 and ρ₂ = ⅛: at
// w = 0 both are within the margin, and w = ρ₁·½(1 + 1) = 1 puts both on it. There the
// subgradient of the hinge is 0, so w = 1 - ρ₂·2λ·1 = ¾.
func TestHingeCorner(t *testing.T) {
	X, y := mat.NewDense(2, 1, []float64{1, -1}), []int{+1, -1}
	var w []float64
	h := SubgradientDescent{Lambda: 1, Schedule: func(t int) float64 { return []float64{1, 0.125}[t-1] }, Tol: 1e-12, MaxIter: 2}
	h.Trace = func(s LinearStep) bool {
		w = append(w, s.Hyperplane.W[0], s.Hyperplane.B)
		return true
	}
	if _, err := h.Fit(X, y); err == nil {
		t.Error("converged in two steps, though the gap is not 0")
	}
	if !slices.Equal(w, []float64{1, 0, 0.75, 0}) {
		t.Errorf("w, b = %v after the steps, want 1, 0 and 0.75, 0", w)
	}
}

// Pegasos does not draw rows of weight 0: without them it takes the same steps.
func TestPegasosWithoutRows(t *testing.T) {
	X, y := irises(t, 1, 2)
	Z := standardised(X)
	weights := make([]float64, len(y))
	var rows []float64
	var labels []int
	for i := range y {
		if i%3 > 0 {
			weights[i] = 1
			rows, labels = append(rows, Z.RawRowView(i)...), append(labels, y[i])
		}
	}
	p := Pegasos{MaxIter: 3, Tol: 1e-12, Seed: 5}
	with, errWith := p.FitWith(mlkit.Options{Weights: weights}, Z, y)
	without, errWithout := p.Fit(mat.NewDense(len(labels), 4, rows), labels)
	if errWith == nil || errWithout == nil {
		t.Errorf("%v, %v, want two fits that are not at their end", errWith, errWithout)
	}
	nearAll(t, "w", with.W, without.W, 1e-9)
}
