package linear

import (
	"errors"
	"math"
	"strings"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/fuzzing"
)

// For any numbers, a fit returns a model or an error of this package, without a panic.
// If there is no error, the model's numbers are finite.
func FuzzFit(f *testing.F) {
	numbers := fuzzing.Numbers
	f.Add(uint8(0), uint8(2), 0.0, numbers(1, 2, 3, 4, 5, 6, 7, 9))
	f.Add(uint8(1), uint8(1), 1.0, numbers(0, 0, 0, 0, 0, 0))
	f.Add(uint8(2), uint8(2), 1e300, numbers(1e308, -1e308, 1e-308, 5e-324, 0, -1e200))
	f.Add(uint8(3), uint8(2), 5e-324, numbers(math.NaN(), math.Inf(1), 1, 2))
	f.Add(uint8(4), uint8(3), 0.5, numbers(1e160, 1e160, -1e160, 1e160, 1, 2, 3, 4, 5))
	f.Add(uint8(5), uint8(2), -1.0, numbers(1e-160, 1e-160, -1e-160, 1e-200, 1e-300, 3e-310))
	f.Add(uint8(6), uint8(2), 1e-9, numbers(1, 1, 1, 1, 1, 1))
	f.Add(uint8(7), uint8(1), 1e-300, numbers(-2, -1, 1, 2, 1e155, 3))
	// The hyperplane in the pocket overflows on a row that was never drawn.
	f.Add(uint8(4), uint8(4), 0.5, []byte("0000000a0000000\b0000000\x100000000\x140"))
	f.Fuzz(func(t *testing.T, choice, dim uint8, strength float64, data []byte) {
		d := int(dim%4) + 1
		X := fuzzing.Rows(data, d)
		n := X.RawMatrix().Rows
		y, classes, targets := make([]int, n), make([]int, n), make([]float64, n)
		for i := range n {
			y[i], classes[i], targets[i] = 1-2*(i%2), i%3, X.At(i, 0)
		}
		check := func(name string, ok bool, model []float64, err error) {
			if err == nil {
				for _, v := range model {
					if !check.Finite(v) {
						t.Errorf("%s: the model %v without an error", name, model)
					}
				}
				return
			}
			if !strings.HasPrefix(err.Error(), "linear: ") {
				t.Errorf("%s: the error %q names no package", name, err)
			}
			if e := (*mlkit.NotConvergedError)(nil); errors.As(err, &e) != ok {
				t.Errorf("%s: the error %q, with a model: %v", name, err, ok)
			}
		}
		bias := []Bias{ExtendedByOne, ThroughOrigin, ExtendedByRadius}[choice%3]
		hyperplane := func(h Hyperplane) []float64 { return append(append([]float64{h.B}, h.W...), h.Scores(nil, X)...) }
		l := LeastSquares{Bias: bias, Ridge: strength, Method: LeastSquaresMethod(choice / 3 % 2)}
		if m, err := l.Fit(X, targets); m != nil {
			check("LeastSquares", true, append(m.W, m.B, m.MSE), err)
		} else {
			check("LeastSquares", false, nil, err)
		}
		if m, err := LeastSquaresClassifier(l).FitClasses(X, classes); m != nil {
			check("LeastSquaresClassifier", true, append(m.MSE, m.B...), err)
		} else {
			check("LeastSquaresClassifier", false, nil, err)
		}
		shrink := strength
		if !(shrink >= 0 && shrink <= 1) {
			shrink = 0
		}
		if m, err := (LDA{Shrinkage: shrink, Divisor: Divisor(choice % 2)}).Fit(X, y); m != nil {
			check("LDA", true, append(hyperplane(m.Hyperplane), m.Probs(nil, X)...), err)
		} else {
			check("LDA", false, nil, err)
		}
		if m, err := (LDA{LedoitWolf: true}).FitClasses(X, classes); m != nil {
			check("LDA of classes", true, append(m.ProbsOf(nil, X).RawMatrix().Data, m.Variances...), err)
		} else {
			check("LDA of classes", false, nil, err)
		}
		if m, err := (QDA{Shrinkage: shrink}).FitClasses(X, classes); m != nil {
			check("QDA", true, append(m.ProbsOf(nil, X).RawMatrix().Data, m.Offsets...), err)
		} else {
			check("QDA", false, nil, err)
		}
		g := Logistic{L2: strength, MaxIterations: 30, Solver: Solver(choice / 3 % 2)}
		if choice&64 != 0 {
			g = Logistic{L1: strength, MaxIterations: 30}
		}
		if m, err := g.Fit(X, y); m != nil {
			check("Logistic", true, append(hyperplane(m.Hyperplane), m.Probs(nil, X)...), err)
		} else {
			check("Logistic", false, nil, err)
		}
		if m, err := g.FitClasses(X, classes); m != nil {
			check("softmax", true, m.ProbsOf(nil, X).RawMatrix().Data, err)
		} else {
			check("softmax", false, nil, err)
		}
		if m, err := (BatchPerceptron{Bias: bias, MaxEpochs: 20}).Fit(X, y); m != nil {
			check("BatchPerceptron", true, hyperplane(m.Hyperplane), err)
		} else {
			check("BatchPerceptron", false, nil, err)
		}
		if m, err := (DualPerceptron{Bias: bias, MaxEpochs: 20}).Fit(X, y); m != nil {
			check("DualPerceptron", true, hyperplane(m.Hyperplane()), err)
		} else {
			check("DualPerceptron", false, nil, err)
		}
		if m, err := (VotedPerceptron{Bias: bias, Epochs: 5}).Fit(X, y); m != nil {
			check("VotedPerceptron", true, m.Scores(nil, X), err)
		} else {
			check("VotedPerceptron", false, nil, err)
		}
		if m, err := (AveragedPerceptron{Bias: bias, Epochs: 5}).Fit(X, y); m != nil {
			check("AveragedPerceptron", true, hyperplane(m.Hyperplane), err)
		} else {
			check("AveragedPerceptron", false, nil, err)
		}
		if m, err := (Pocket{Bias: bias, Epochs: 5}).Fit(X, y); m != nil {
			check("Pocket", true, hyperplane(m.Hyperplane), err)
		} else {
			check("Pocket", false, nil, err)
		}
	})
}
