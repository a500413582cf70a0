package kernelized

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/kernel"
)

// Scores of many samples equal Score up to the rounding error of a sum of n terms and of
// the kernel's inner products, which are of order ten. Where squares overflow they are
// Score's values.
func TestScoresOfMany(t *testing.T) {
	const n, m, d = 1003, 37, 6
	X, Z := samples.Uniform(8, n, d), samples.Uniform(9, m, d)
	for name, k := range map[string]kernel.Kernel{"linear": nil, "quadratic": kernel.Polynomial{Coef0: 1}, "Gauss": kernel.RBF{Gamma: 0.2}} {
		e := Expansion{Kernel: kernel.Any{Kernel: kernel.OrLinear(k)}, X: copyOf(X), Coef: mat.Col(nil, 0, X), B: 0.25}
		far := mat.DenseCopyOf(Z)
		if name != "quadratic" { // its value would overflow
			far.Set(3, 0, 1e200)
		}
		got := e.Scores(nil, far)
		for i := range m {
			want, size := e.Score(far.RawRowView(i)), 1.0
			for j, v := range kernel.Row(nil, e.Kernel, far.RawRowView(i), X) {
				size += math.Abs(e.Coef[j]) * max(1, math.Abs(v))
			}
			if !(math.Abs(got[i]-want) <= 1e-14*size) {
				t.Errorf("%s: score %d is %v, want %v", name, i, got[i], want)
			}
		}
	}
}
