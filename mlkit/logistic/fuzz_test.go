package logistic

import (
	"math"
	"slices"
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
	f.Add(uint8(32), uint8(1), 1.0, numbers(1, 0, 2, 1e-90, 3, 1e90, 1, 1, 0.5, 2, 3, 4))
	f.Add(uint8(7), uint8(1), 1e-300, numbers(-2, -1, 1, 2, 1e155, 3))
	f.Fuzz(func(t *testing.T, choice, dim uint8, strength float64, data []byte) {
		d := int(dim%4) + 1
		X := samples.FromBytes(data, d)
		n := X.RawMatrix().Rows
		y, classes := make([]int, n), make([]int, n)
		for i := range n {
			y[i], classes[i] = 1-2*(i%2), i%3
		}
		g := Regression{L2: strength, MaxIter: 30, Solver: Solver(choice / 3 % 2)}
		if choice&64 != 0 {
			g = Regression{L1: strength, MaxIter: 30}
		}
		var weights []float64
		if choice&32 != 0 && n > 0 {
			weights = samples.FromBytes(data, 1).RawMatrix().Data[:n]
		}
		if m, err := g.FitWith(mlkit.Options{Weights: weights}, X, y); m != nil {
			h := hyperplane(t, m)
			samples.CheckFitted(t, "logistic", "Regression", true, slices.Concat([]float64{h.B}, h.W, m.Scores(nil, X), m.Probs(nil, X)), err)
		} else {
			samples.CheckFitted(t, "logistic", "Regression", false, nil, err)
		}
		if m, err := g.FitWith(mlkit.Options{Weights: weights}, X, classes); m != nil {
			samples.CheckFitted(t, "logistic", "softmax", true, m.Posteriors(nil, X).RawMatrix().Data, err)
		} else {
			samples.CheckFitted(t, "logistic", "softmax", false, nil, err)
		}
	})
}
