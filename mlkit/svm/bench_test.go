package svm

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
)

// twoGaussians returns n samples of two normal distributions in d dimensions, with means
// 2·1.28 apart, so that a tenth of the samples lie on the wrong side. One label in twenty
// is flipped.
func twoGaussians(n, d int, seed uint64) (X *mat.Dense, y []int) {
	random := rand.New(rand.NewPCG(seed, 0))
	mean := make([]float64, d)
	for j := range mean {
		mean[j] = random.NormFloat64()
	}
	floats.Scale(1.28/floats.Norm(mean, 2), mean)
	X, y = mat.NewDense(n, d, nil), make([]int, n)
	for i := range y {
		y[i] = 1 - 2*random.IntN(2)
		x := X.RawRowView(i)
		for j := range x {
			x[j] = random.NormFloat64()
		}
		floats.AddScaled(x, float64(y[i]), mean)
		if random.Float64() < 0.05 {
			y[i] = -y[i]
		}
	}
	return X, y
}

// BenchmarkClassifier runs the cases of the comparison with other programs: a, a with a
// large C, and b.
func BenchmarkClassifier(b *testing.B) {
	for _, c := range []struct {
		name     string
		n, d     int
		C, gamma float64
	}{{"a", 5000, 20, 1, 0.05}, {"a, C = 100", 5000, 20, 100, 0.05}, {"a, C = 1000", 5000, 20, 1000, 0.005}, {"b", 20000, 50, 1, 0.02}} {
		X, y := twoGaussians(c.n, c.d, 1)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				m := testkit.Try(Classifier{C: c.C, Kernel: kernel.RBF{Gamma: c.gamma}}.Fit(X, y)).Or(b)
				b.ReportMetric(float64(m.Iterations), "iterations")
				b.ReportMetric(float64(len(m.Support)), "vectors")
				b.ReportMetric(m.Violation*1e3, "violation/0.001")
			}
		})
	}
	X, y := twoGaussians(5000, 20, 1)
	m := testkit.Try(Classifier{C: 1, Kernel: kernel.RBF{Gamma: 0.05}}.Fit(X, y)).Or(b)
	b.Run("scores of a", func(b *testing.B) {
		for b.Loop() {
			if s := m.Scores(nil, X); math.IsNaN(s[0]) {
				b.Fatal(s[0])
			}
		}
	})
}
