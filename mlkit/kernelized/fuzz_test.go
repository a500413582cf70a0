package kernelized

import (
	"math"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
)

// For any numbers, a fit returns without a panic, and a model returned without an error
// scores without a panic.
func FuzzFit(f *testing.F) {
	numbers := samples.Bytes
	f.Add(uint8(0), numbers(1, 2, 3, 4, 5, 6))
	f.Add(uint8(3), numbers(0, 0, 0, 0, 0, 0))
	f.Add(uint8(5), numbers(1e308, -1e308, 1e-308, 5e-324, 0, -1e200))
	f.Add(uint8(6), numbers(math.NaN(), math.Inf(1), 1, 2))
	f.Add(uint8(9), numbers(1e160, 1e160, -1e160, 1e160))
	f.Add(uint8(4), numbers(1, 7, 1, 7, 1, 7, 2, 7, 2, 7, 5e-324, 7)) // duplicates and a constant column
	f.Add(uint8(1), numbers(1e-160, 1e-160, -1e-160, 1e-200))
	f.Fuzz(func(t *testing.T, choice uint8, data []byte) {
		X := samples.FromBytes(data, 2)
		n := X.RawMatrix().Rows
		y, targets := make([]int, n), make([]float64, n)
		for i := range n {
			y[i], targets[i] = 1-2*(i%2), X.At(i, 0)
		}
		k := kernels()[int(choice)%len(kernels())]
		if m, _ := (Perceptron{Kernel: k, MaxIter: 20}).Fit(X, y); m != nil {
			m.Predictions(nil, X)
		}
		if m, err := (Ridge{Kernel: k, Bias: biasOf(choice > 127)}).Fit(X, targets); err == nil {
			m.Scores(nil, X)
		}
		if m, err := (Ridge{Kernel: k, Bias: mlkit.NoBias}).FitWith(mlkit.Options{Weights: targets}, X, targets); err == nil {
			m.Scores(nil, X)
		}
		if m, err := (PCA{Kernel: k}).Fit(X); err == nil {
			m.Transform(nil, X)
		}
		if m, _ := (KMeans{Kernel: k, MaxIter: 20}).Fit(X); m != nil {
			m.Predictions(nil, X)
		}
		if m, err := (Nystroem{Kernel: k}).Fit(X); err == nil {
			m.Transform(nil, X)
		}
		if m, err := (Fourier{Components: 5}).Fit(X); err == nil {
			m.Transform(nil, X)
		}
	})
}
