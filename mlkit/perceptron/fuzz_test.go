package perceptron

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
	f.Add(uint8(0), uint8(2), numbers(1, 2, 3, 4, 5, 6, 7, 9))
	f.Add(uint8(1), uint8(1), numbers(0, 0, 0, 0, 0, 0))
	f.Add(uint8(2), uint8(2), numbers(1e308, -1e308, 1e-308, 5e-324, 0, -1e200))
	f.Add(uint8(3), uint8(2), numbers(math.NaN(), math.Inf(1), 1, 2))
	f.Add(uint8(4), uint8(3), numbers(1e160, 1e160, -1e160, 1e160, 1, 2, 3, 4, 5))
	f.Add(uint8(5), uint8(2), numbers(1e-160, 1e-160, -1e-160, 1e-200, 1e-300, 3e-310))
	f.Add(uint8(6), uint8(2), numbers(1, 1, 1, 1, 1, 1))
	f.Add(uint8(7), uint8(1), numbers(-2, -1, 1, 2, 1e155, 3))
	// The hyperplane in the pocket overflows on a row that was never drawn.
	f.Add(uint8(4), uint8(4), []byte("0000000a0000000\b0000000\x100000000\x140"))
	f.Fuzz(func(t *testing.T, choice, dim uint8, data []byte) {
		d := int(dim%4) + 1
		X := samples.FromBytes(data, d)
		n := X.RawMatrix().Rows
		y := make([]int, n)
		for i := range n {
			y[i] = 1 - 2*(i%2)
		}
		bias := []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias, mlkit.RadiusBias}[choice%3]
		hyperplane := func(h mlkit.Hyperplane) []float64 { return append(append([]float64{h.B}, h.W...), h.Scores(nil, X)...) }
		if m, err := (Batch{Bias: bias, MaxIter: 20}).Fit(X, y); m != nil {
			samples.CheckFitted(t, "perceptron", "Batch", true, hyperplane(m.Hyperplane), err)
		} else {
			samples.CheckFitted(t, "perceptron", "Batch", false, nil, err)
		}
		if m, err := (Dual{Bias: bias, MaxIter: 20}).Fit(X, y); m != nil {
			samples.CheckFitted(t, "perceptron", "Dual", true, hyperplane(m.Hyperplane()), err)
		} else {
			samples.CheckFitted(t, "perceptron", "Dual", false, nil, err)
		}
		if m, err := (Voted{Bias: bias, Epochs: 5}).Fit(X, y); m != nil {
			samples.CheckFitted(t, "perceptron", "Voted", true, m.Scores(nil, X), err)
		} else {
			samples.CheckFitted(t, "perceptron", "Voted", false, nil, err)
		}
		if m, err := (Averaged{Bias: bias, Epochs: 5}).Fit(X, y); m != nil {
			samples.CheckFitted(t, "perceptron", "Averaged", true, hyperplane(m.Hyperplane), err)
		} else {
			samples.CheckFitted(t, "perceptron", "Averaged", false, nil, err)
		}
		if m, err := (Pocket{Bias: bias, Epochs: 5}).Fit(X, y); m != nil {
			samples.CheckFitted(t, "perceptron", "Pocket", true, hyperplane(m.Hyperplane), err)
		} else {
			samples.CheckFitted(t, "perceptron", "Pocket", false, nil, err)
		}
	})
}
