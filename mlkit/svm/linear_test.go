package svm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/mlkittest"
)

func TestLinearContract(t *testing.T) {
	for name, err := range map[string]error{
		"dual descent":         mlkittest.TestClassifier(DualDescent{Tol: 1e-12}.Fit),
		"dual descent squared": mlkittest.TestClassifier(DualDescent{Tol: 1e-12, Loss: SquaredHinge, Bias: PenalisedBias}.Fit),
		"dual descent no bias": mlkittest.TestClassifier(DualDescent{Tol: 1e-12, Bias: NoBias}.Fit),
		"newton":               mlkittest.TestClassifier(Newton{}.Fit),
		"newton penalised":     mlkittest.TestClassifier(Newton{Bias: PenalisedBias}.Fit),
		"newton no bias":       mlkittest.TestClassifier(Newton{Bias: NoBias}.Fit),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Coordinate descent and SMO solve one problem.
func TestDualDescentIsClassifier(t *testing.T) {
	X, y := irises(t, 1, 2)
	for _, C := range []float64{0.01, 1, 10} {
		want, err := Classifier{C: C, Tol: 1e-9}.Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DualDescent{C: C, Tol: 1e-6, MaxPasses: 100000}.Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(C, got.Iterations, got.W, want.W)
		near(t, "primal", got.Primal, want.Primal, 2e-6*want.Primal)
		if got.Dual > want.Primal || got.Primal < want.Dual {
			t.Errorf("C = %v: primal %v and dual %v, but the optimum is %v", C, got.Primal, got.Dual, want.Dual)
		}
		nearAll(t, "w", got.W, want.W, 5e-3*floats.Norm(want.W, 2))
	}
}

// The two losses with the same minimum: Newton in the primal, descent in the dual.
func TestNewtonIsDualDescent(t *testing.T) {
	X, y := irises(t, 1, 2)
	for _, bias := range []Bias{FreeBias, PenalisedBias, NoBias} {
		want, err := DualDescent{Loss: SquaredHinge, Bias: bias, Tol: 1e-9, MaxPasses: 100000}.Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Newton{Bias: bias}.Fit(X, y)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(bias, want.Iterations, got.Iterations, got.W, got.B, got.Primal)
		near(t, "primal", got.Primal, want.Primal, 1e-8*want.Primal)
		nearAll(t, "w", got.W, want.W, 1e-3)
		if bias == NoBias && got.B != 0 {
			t.Errorf("b = %v, want 0", got.B)
		}
		if math.Abs(got.Gap) > 1e-9*got.Primal {
			t.Errorf("gap %v", got.Gap)
		}
	}
}
