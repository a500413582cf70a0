package kernelised

import (
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/kernel"

	"gonum.org/v1/gonum/mat"
)

func BenchmarkPCA(b *testing.B) {
	X := randomMatrix(7, 2000, 20)
	for b.Loop() {
		if _, err := (PCA{Kernel: kernel.RBF{Gamma: 0.05}, Components: 10}).Fit(X); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRidge(b *testing.B) {
	X := randomMatrix(2, 4000, 50)
	y := mat.Col(nil, 0, X)
	for b.Loop() {
		if _, err := (Ridge{Kernel: kernel.RBF{Gamma: 0.02}, Bias: mlkit.NoBias}).Fit(X, y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScores(b *testing.B) {
	X := randomMatrix(3, 2000, 20)
	e := Expansion{Kernel: kernel.Any{Kernel: kernel.RBF{Gamma: 0.05}}, X: copyOf(X), Coef: mat.Col(nil, 0, X)}
	dst := make([]float64, 2000)
	for b.Loop() {
		e.Scores(dst, X)
	}
}
