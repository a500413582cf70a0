package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// The Gram matrix of many samples equals Eval up to the rounding error of products of
// size up to 1+γ‖x‖². Where squares overflow it is Eval's value.
func TestGramOfMany(t *testing.T) {
	const n, d = 2011, 7
	X := samples.Uniform(5, n, d)
	far := mat.DenseCopyOf(X)
	for i := range n {
		floats.AddConst(1000, far.RawRowView(i))
	}
	X.Set(17, 3, 1e200)
	for name, c := range map[string]struct {
		k     Kernel
		X     *mat.Dense
		bound float64 // of the error
	}{
		"Gauss":     {RBF{Gamma: 0.3}, X, 1e-14},
		"far":       {RBF{Gamma: 0.3}, far, 1e-12}, // the samples themselves are rounded to 10⁻¹³
		"linear":    {Linear{}, mat.DenseCopyOf(X.Slice(0, n, 4, d)), 1e-14},
		"quadratic": {Polynomial{Gamma: 0.1, Coef0: 1}, mat.DenseCopyOf(X.Slice(0, n, 4, d)), 1e-14},
	} {
		G := testkit.Try(Gram(c.k, c.X)).Or(t, name)
		step := testkit.Size(t, 97, 7)
		for i := 0; i < n; i += 1 + i%step {
			for j := range n {
				want := c.k.Eval(c.X.RawRowView(i), c.X.RawRowView(j))
				if got := G.At(i, j); !(math.Abs(got-want) <= c.bound*max(1, math.Abs(want))) || i == j && got != want {
					t.Fatalf("%s: G[%d][%d] = %v, want %v", name, i, j, got, want)
				}
			}
		}
	}
}
