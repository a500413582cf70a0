package discriminant

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
		y, classes := make([]int, n), make([]int, n)
		for i := range n {
			y[i], classes[i] = 1-2*(i%2), i%3
		}
		hyperplane := func(h mlkit.Hyperplane) []float64 { return append(append([]float64{h.B}, h.W...), h.Scores(nil, X)...) }
		shrink := strength
		if !(shrink >= 0 && shrink <= 1) {
			shrink = 0
		}
		if m, err := (LDA{Shrinkage: shrink, Divisor: Divisor(choice % 2)}).Fit(X, y); m != nil {
			samples.CheckFitted(t, "discriminant", "LDA", true, append(hyperplane(m.Hyperplane), m.Probs(nil, X)...), err)
		} else {
			samples.CheckFitted(t, "discriminant", "LDA", false, nil, err)
		}
		if m, err := (LDA{LedoitWolf: true}).FitClasses(X, classes); m != nil {
			samples.CheckFitted(t, "discriminant", "LDA of classes", true, append(m.Posteriors(nil, X).RawMatrix().Data, m.Variances...), err)
		} else {
			samples.CheckFitted(t, "discriminant", "LDA of classes", false, nil, err)
		}
		if m, err := (QDA{Shrinkage: shrink}).FitClasses(X, classes); m != nil {
			samples.CheckFitted(t, "discriminant", "QDA", true, append(m.Posteriors(nil, X).RawMatrix().Data, m.Offsets...), err)
		} else {
			samples.CheckFitted(t, "discriminant", "QDA", false, nil, err)
		}
		if m, err := (GaussianNB{VarSmoothing: shrink}).FitClasses(X, classes); m != nil {
			samples.CheckFitted(t, "discriminant", "GaussianNB", true, append(m.Posteriors(nil, X).RawMatrix().Data, m.Offsets...), err)
		} else {
			samples.CheckFitted(t, "discriminant", "GaussianNB", false, nil, err)
		}
		if m, err := (DiagonalLDA{VarSmoothing: shrink}).Fit(X, y); m != nil {
			samples.CheckFitted(t, "discriminant", "DiagonalLDA", true, append(hyperplane(m.Hyperplane), m.Probs(nil, X)...), err)
		} else {
			samples.CheckFitted(t, "discriminant", "DiagonalLDA", false, nil, err)
		}
		weights := make([]float64, n) // any numbers of at least 0
		for i := range weights {
			weights[i] = math.Abs(X.At(i, 0))
		}
		if m, err := (LDA{Shrinkage: shrink, LedoitWolf: shrink == 0, Divisor: Divisor(choice % 2)}).FitClassesWeighted(X, classes, weights); m != nil {
			samples.CheckFitted(t, "discriminant", "weighted LDA", true, append(m.Posteriors(nil, X).RawMatrix().Data, m.Variances...), err)
		} else {
			samples.CheckFitted(t, "discriminant", "weighted LDA", false, nil, err)
		}
		if m, err := (GaussianNB{VarSmoothing: shrink, Divisor: Divisor(choice % 2)}).FitClassesWeighted(X, classes, weights); m != nil {
			samples.CheckFitted(t, "discriminant", "weighted GaussianNB", true, m.Offsets, err)
		} else {
			samples.CheckFitted(t, "discriminant", "weighted GaussianNB", false, nil, err)
		}
		B := bits(X)
		if m, err := (BernoulliNB{Smoothing: shrink}).FitClassesWeighted(B, classes, weights); m != nil {
			samples.CheckFitted(t, "discriminant", "weighted BernoulliNB", true, append(m.Posteriors(nil, B).RawMatrix().Data, m.B...), err)
		} else {
			samples.CheckFitted(t, "discriminant", "weighted BernoulliNB", false, nil, err)
		}
		if m, err := (BernoulliNB{Smoothing: shrink}).Fit(B, y); m != nil {
			samples.CheckFitted(t, "discriminant", "BernoulliNB", true, append(append(m.Scores(nil, B), m.W...), m.Probabilities[1]...), err)
		} else {
			samples.CheckFitted(t, "discriminant", "BernoulliNB", false, nil, err)
		}
	})
}
