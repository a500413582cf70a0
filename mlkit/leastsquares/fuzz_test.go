package leastsquares

import (
	"math"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
)

// For any numbers, a fit returns a model or an error of this package, without a panic.
// If there is no error, the model's numbers are finite.
func FuzzFit(f *testing.F) {
	numbers := samples.Bytes
	f.Add(uint8(0), uint8(2), 0.0, numbers(1, 2, 3, 4, 5, 6, 7, 9))
	f.Add(uint8(1), uint8(1), 1.0, numbers(0, 0, 0, 0, 0, 0))
	f.Add(uint8(2), uint8(2), 1e300, numbers(1e308, -1e308, 1e-308, 5e-324, 0, -1e200))
	f.Add(uint8(3), uint8(2), 5e-324, numbers(math.NaN(), math.Inf(1), 1, 2))
	f.Add(uint8(4), uint8(3), 0.5, numbers(1e160, 1e160, -1e160, 1e160, 1, 2, 3, 4, 5))
	f.Add(uint8(5), uint8(2), -1.0, numbers(1e-160, 1e-160, -1e-160, 1e-200, 1e-300, 3e-310))
	f.Add(uint8(6), uint8(2), 1e-9, numbers(1, 1, 1, 1, 1, 1))
	f.Add(uint8(7), uint8(1), 1e-300, numbers(-2, -1, 1, 2, 1e155, 3))
	f.Fuzz(func(t *testing.T, choice, dim uint8, strength float64, data []byte) {
		d := int(dim%4) + 1
		X := samples.FromBytes(data, d)
		n := X.RawMatrix().Rows
		classes, targets := make([]int, n), make([]float64, n)
		for i := range n {
			classes[i], targets[i] = i%3, X.At(i, 0)
		}
		l := Regression{Bias: mlkit.Bias(choice % 2), Lambda: strength, Solver: Solver(choice / 3 % 2)}
		if m, err := l.Fit(X, targets); m != nil {
			samples.CheckFitted(t, "leastsquares", "Regression", true, append(m.W, m.B, m.MSE), err)
		} else {
			samples.CheckFitted(t, "leastsquares", "Regression", false, nil, err)
		}
		c := Classifier{Bias: l.Bias, Lambda: l.Lambda, Solver: l.Solver}
		if m, err := c.Fit(X, classes); m != nil {
			samples.CheckFitted(t, "leastsquares", "Classifier", true, append(m.MSE, m.B...), err)
		} else {
			samples.CheckFitted(t, "leastsquares", "Classifier", false, nil, err)
		}
	})
}
