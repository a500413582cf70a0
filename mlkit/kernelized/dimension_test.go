package kernelized

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
)

// The images of many samples span as many dimensions as dimension says: the rank of φ(xᵢ),
// from kernel.Monomials, and of φ(xᵢ) - φ̄. A constant column is a constant feature, one of 0
// is none.
func TestDimension(t *testing.T) {
	const n = 60
	rank := func(Φ *mat.Dense) int {
		var svd mat.SVD
		if !svd.Factorize(Φ, mat.SVDNone) {
			t.Fatal("no singular values")
		}
		rank := 0
		for _, v := range svd.Values(nil) {
			if v > 1e-10 { // they are of order 1, or rounding
				rank++
			}
		}
		return rank
	}
	for d := 1; d <= 3; d++ {
		for _, constant := range []float64{math.NaN(), 0, 2} { // in the last column
			X := samples.Uniform(51, n, d)
			for i := range n {
				if !math.IsNaN(constant) {
					X.Set(i, d-1, constant)
				}
			}
			for degree := 1; degree <= 3; degree++ {
				for _, c := range []float64{0, 1} {
					k := kernel.Polynomial{Degree: degree, Coef0: c}
					φ := testkit.Try(kernel.Monomials{Kernel: k}.For(d)).Or(t)
					Φ := φ.Transform(nil, X)
					if got, want := dimension(k, X, false), rank(Φ); got != want {
						t.Errorf("%+v, %d columns, the last %v: dimension %v, want %v", k, d, constant, got, want)
					}
					for j := range φ.Dim() {
						column := mat.Col(nil, j, Φ)
						for i, v := range column {
							Φ.Set(i, j, v-mat.Sum(mat.NewVecDense(n, column))/n)
						}
					}
					if got, want := dimension(k, X, true), rank(Φ); got != want {
						t.Errorf("%+v, %d columns, the last %v, centred: dimension %v, want %v", k, d, constant, got, want)
					}
				}
			}
		}
	}
	X := samples.Uniform(52, n, 2)
	quadratic := kernel.Polynomial{}
	for name, c := range map[string]struct {
		k    kernel.Kernel
		want int
	}{
		"linear":  {kernel.Any{Kernel: kernel.Linear{}}, 2},
		"sum":     {kernel.Sum{kernel.Linear{}, kernel.Scaled{Factor: 3, Kernel: quadratic}}, 2 + 3},
		"product": {kernel.Product{kernel.Linear{}, quadratic}, 2 * 3},
		"Gauss":   {kernel.Sum{kernel.Linear{}, kernel.RBF{}}, n},
	} {
		if got := dimension(c.k, X, false); got != c.want {
			t.Errorf("%s: dimension %v, want %v", name, got, c.want)
		}
	}
	// A row that is there twice counts once.
	X.SetRow(3, X.RawRowView(8))
	for _, centred := range []bool{false, true} {
		want := n - 1
		if centred {
			want--
		}
		if got := dimension(kernel.RBF{}, X, centred); got != want {
			t.Errorf("two rows equal, centred %v: dimension %v, want %v", centred, got, want)
		}
	}
}
