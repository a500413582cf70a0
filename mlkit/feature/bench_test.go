package feature_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/testkit"
)

// BenchmarkStandardise learns the scaling of 100,000 samples of 50 columns, and applies it.
func BenchmarkStandardise(b *testing.B) {
	const n, d = 100000, 50
	X := mat.NewDense(n, d, nil)
	X.Apply(func(i, j int, _ float64) float64 { return float64(i * (j + 3) % 1009) }, X)
	Z := mat.NewDense(n, d, nil)
	b.Run("Fit", func(b *testing.B) {
		for b.Loop() {
			if _, err := (feature.Standardise{}).Fit(X); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Transform", func(b *testing.B) {
		m := testkit.Try(feature.Standardise{}.Fit(X)).Or(b)
		for b.Loop() {
			m.Transform(Z, X)
		}
	})
}
