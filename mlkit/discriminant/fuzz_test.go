package discriminant

import (
	"math"
	"math/rand/v2"
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
	rnd := rand.New(rand.NewPCG(15, 16))
	for seed := range 300 {
		d := 1 + rnd.IntN(4)
		f.Add(uint8(seed), uint8(d-1), rnd.Float64()*float64(seed%2), numbers(hostile(rnd, 2+rnd.IntN(15), d)...))
	}
	f.Fuzz(func(t *testing.T, choice, dim uint8, strength float64, data []byte) {
		d := int(dim%4) + 1
		X := samples.FromBytes(data, d)
		n := X.RawMatrix().Rows
		y, classes := make([]int, n), make([]int, n)
		for i := range n {
			y[i], classes[i] = 1-2*(i%2), i%3
		}
		hyperplane := func(m mlkit.LinearMachine) []float64 {
			h := plane(t, m)
			return append(append([]float64{h.B}, h.W...), h.Scores(nil, X)...)
		}
		shrink := strength
		if !(shrink >= 0 && shrink <= 1) {
			shrink = 0
		}
		checkFit(t, "LDA", func(m *LDAModel) []float64 {
			return append(hyperplane(m.LinearMachine), m.Probs(nil, X)...)
		})(LDA{Shrinkage: shrink, Divisor: Divisor(choice % 2)}.Fit(X, y))
		checkFit(t, "LDA of classes", func(m *LDAModel) []float64 {
			return append(m.Posteriors(nil, X).RawMatrix().Data, m.Variances...)
		})(LDA{LedoitWolf: true}.Fit(X, classes))
		checkFit(t, "QDA", func(m *QDAModel) []float64 {
			return append(m.Posteriors(nil, X).RawMatrix().Data, m.Offsets...)
		})(QDA{Shrinkage: shrink}.Fit(X, classes))
		checkFit(t, "GaussianNB", func(m *GaussianNBModel) []float64 {
			return append(m.Posteriors(nil, X).RawMatrix().Data, m.Offsets...)
		})(GaussianNB{VarSmoothing: shrink}.Fit(X, classes))
		checkFit(t, "DiagonalLDA", func(m *DiagonalLDAModel) []float64 {
			return append(hyperplane(m.LinearMachine), m.Probs(nil, X)...)
		})(DiagonalLDA{VarSmoothing: shrink}.Fit(X, y))
		weights := make([]float64, n) // any numbers of at least 0
		for i := range weights {
			weights[i] = math.Abs(X.At(i, 0))
		}
		checkFit(t, "weighted LDA", func(m *LDAModel) []float64 {
			return append(m.Posteriors(nil, X).RawMatrix().Data, m.Variances...)
		})(LDA{Shrinkage: shrink, LedoitWolf: shrink == 0, Divisor: Divisor(choice % 2)}.FitWith(mlkit.Options{Weights: weights}, X, classes))
		checkFit(t, "weighted GaussianNB", func(m *GaussianNBModel) []float64 {
			return m.Offsets
		})(GaussianNB{VarSmoothing: shrink, Divisor: Divisor(choice % 2)}.FitWith(mlkit.Options{Weights: weights}, X, classes))
		B := bits(X)
		checkFit(t, "weighted BernoulliNB", func(m *BernoulliNBModel) []float64 {
			return append(m.Posteriors(nil, B).RawMatrix().Data, m.B...)
		})(BernoulliNB{Smoothing: shrink}.FitWith(mlkit.Options{Weights: weights}, B, classes))
		checkFit(t, "BernoulliNB", func(m *BernoulliNBModel) []float64 {
			return append(append(m.Scores(nil, B), plane(t, m).W...), m.Probabilities[1]...)
		})(BernoulliNB{Smoothing: shrink}.Fit(B, y))
	})
}

// checkFit returns a function that checks what a fit returns. It gets the numbers of a model
// from numbers.
func checkFit[M any](t *testing.T, fit string, numbers func(*M) []float64) func(*M, error) {
	return func(m *M, err error) {
		t.Helper()
		var all []float64
		if m != nil {
			all = numbers(m)
		}
		samples.CheckFitted(t, "discriminant", fit, m != nil, all, err)
	}
}

// hostile returns n samples of d columns, one after the other, whose columns are of any size: round
// numbers, multiples of the column before, or neither.
func hostile(rnd *rand.Rand, n, d int) []float64 {
	X := make([]float64, n*d)
	for j := range d {
		scale := math.Pow(10, 80*rnd.NormFloat64())
		kind := rnd.IntN(4)
		for i := range n {
			v := rnd.NormFloat64() * scale
			switch {
			case kind == 0:
				v = math.Round(rnd.NormFloat64())
			case kind == 1 && j > 0:
				v = 3 * X[i*d+j-1]
			}
			X[i*d+j] = max(-math.MaxFloat64, min(math.MaxFloat64, v))
		}
	}
	return X
}
