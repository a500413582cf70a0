package svm

import (
	"math"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/kernel"
)

// For any numbers a fit ends without a panic, with a model or an error, and the model
// scores.
func FuzzFit(f *testing.F) {
	numbers := samples.Bytes
	f.Add(uint8(0), 1.0, numbers(1, 2, 3, 4, 5, 6))
	f.Add(uint8(1), math.Inf(1), numbers(0, 0, 0, 0, 0, 0))
	f.Add(uint8(2), 1e300, numbers(1e308, -1e308, 1e-308, 5e-324, 0, -1e200))
	f.Add(uint8(3), 5e-324, numbers(math.NaN(), math.Inf(1), 1, 2))
	f.Add(uint8(4), 1e-300, numbers(1e160, 1e160, -1e160, 1e160))
	f.Add(uint8(5), -1.0, numbers(1e-160, 1e-160, -1e-160, 1e-200))
	f.Add(uint8(6), math.NaN(), numbers(1, 1, 1, 1))
	f.Add(uint8(7), 1.0, numbers(1, 1, 1, 1, -1, -1))
	// Scores that overflow once caused a panic.
	f.Add(uint8(28), math.Inf(1), []byte("000000000000000\xe20000000\x130000000\xdc0000000\xfe0000000\xb90"))
	kernels := []kernel.Kernel{nil, kernel.RBF{}, kernel.Polynomial{Degree: 3, Coef0: 1}, kernel.Laplace{}, kernel.Sigmoid{}, kernel.Chi2{}}
	f.Fuzz(func(t *testing.T, choice uint8, C float64, data []byte) {
		X := samples.FromBytes(data, 2)
		n := X.RawMatrix().Rows
		y := make([]int, n)
		for i := range n {
			y[i] = 1 - 2*(i%2)
		}
		check := func(name string, model bool, scores func() []float64, err error) {
			if !model {
				if err == nil {
					t.Errorf("%s: neither a model nor an error", name)
				}
				return
			}
			scores()
		}
		m, err := Classifier{C: C, Kernel: kernels[int(choice)%len(kernels)], MaxIter: 1000}.Fit(X, y)
		check("Classifier", m != nil, func() []float64 { return m.Scores(nil, X) }, err)
		bias, loss := mlkit.Bias(choice%3), Loss(choice/3%2)
		l, err := DualDescent{C: C, Loss: loss, Bias: bias, MaxIter: 50}.Fit(X, y)
		check("DualDescent", l != nil, func() []float64 { return l.Scores(nil, X) }, err)
		l, err = Newton{C: C, Bias: bias, MaxIter: 50}.Fit(X, y)
		check("Newton", l != nil, func() []float64 { return l.Scores(nil, X) }, err)
		l, err = SubgradientDescent{Lambda: C, MaxIter: 50}.Fit(X, y)
		check("SubgradientDescent", l != nil, func() []float64 { return l.Scores(nil, X) }, err)
		l, err = Pegasos{Lambda: C, MaxIter: 20}.Fit(X, y)
		check("Pegasos", l != nil, func() []float64 { return l.Scores(nil, X) }, err)
	})
}
