package svm

import (
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// BenchmarkLinear runs the cases linear-primal and linear-dual of the comparison with
// other programs.
func BenchmarkLinear(b *testing.B) {
	X, y := twoGaussians(100000, 50, 3)
	for name, fit := range map[string]func() (*LinearModel, error){
		"primal": func() (*LinearModel, error) { return Newton{Bias: mlkit.PenalisedBias, Tol: 1e-5}.Fit(X, y) },
		"dual": func() (*LinearModel, error) {
			return DualDescent{C: 1e-3, Bias: mlkit.PenalisedBias, Tol: 1e-5}.Fit(X, y)
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m := testkit.Try(fit()).Or(b)
				b.ReportMetric(float64(m.Iterations), "iterations")
			}
		})
	}
}
