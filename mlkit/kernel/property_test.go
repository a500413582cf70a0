package kernel

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/testkit"
)

// drawMatrix draws n×d numbers from -3 to 3; whole numbers produce ties and duplicates.
func drawMatrix(t *rapid.T, n, d int, whole bool) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			if whole {
				X.Set(i, j, float64(rapid.IntRange(-3, 3).Draw(t, "x")))
			} else {
				X.Set(i, j, rapid.Float64Range(-3, 3).Draw(t, "x"))
			}
		}
	}
	return X
}

// near reports whether got and want differ by at most tol·max(1, scale).
func near(got, want, tol, scale float64) bool { return math.Abs(got-want) <= tol*max(1, scale) }

// Both explicit maps and the kernel give the same inner products.
func TestMonomialsProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 4).Draw(t, "d")
		k := Polynomial{
			Degree: rapid.IntRange(1, 4).Draw(t, "degree"),
			Gamma:  rapid.SampledFrom([]float64{0, 1, 0.3, 2}).Draw(t, "gamma"),
			Coef0:  rapid.SampledFrom([]float64{0, 1, 0.7}).Draw(t, "c"),
		}
		X := drawMatrix(t, 2, d, false)
		x, z := X.RawRowView(0), X.RawRowView(1)
		want := k.Eval(x, z)
		bound := k.Eval(x, x) + k.Eval(z, z)
		for _, ordered := range []bool{false, true} {
			φ := testkit.Try(Monomials{Kernel: k, Ordered: ordered}.For(d)).Or(t)
			features := d
			if k.Coef0 > 0 {
				features++
			}
			if want := feature.CountMonomials(features, k.degree(), ordered).Int64(); int64(φ.Dim()) != want {
				t.Fatalf("%d components, want %d", φ.Dim(), want)
			}
			if got := floats.Dot(φ.TransformSample(nil, x), φ.TransformSample(nil, z)); !near(got, want, 1e-12, bound) {
				t.Fatalf("ordered %v: φ(x)·φ(z) = %v, want %v", ordered, got, want)
			}
		}
	})
}

// Laplace and RBF with σ match CMU's formulas, and γ converts back to σ.
func TestSigmaProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		σ := rapid.Float64Range(0.01, 100).Draw(t, "sigma")
		X := drawMatrix(t, 2, 3, false)
		x, z := X.RawRowView(0), X.RawRowView(1)
		d := floats.Distance(x, z, 2)
		γ := GammaOfSigma(σ)
		for _, c := range []struct{ got, want float64 }{
			{RBF{Gamma: γ}.Eval(x, z), math.Exp(-d * d / (2 * σ * σ))},
			{Laplace{Gamma: γ}.Eval(x, z), math.Exp(-d / (2 * σ * σ))},
			{SigmaOfGamma(γ) / σ, 1},
		} {
			if !near(c.got, c.want, 1e-12, 1) {
				t.Fatalf("σ = %v: %v, want %v", σ, c.got, c.want)
			}
		}
	})
}

// Gram matrices are exactly symmetric and equal to Eval. For a Mercer kernel they have no
// negative eigenvalue. Once centred, their rows sum to 0.
func TestGramProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom(kernels()).Draw(t, "kernel")
		n := rapid.IntRange(1, 8).Draw(t, "n")
		X := drawMatrix(t, n, 2, rapid.Bool().Draw(t, "whole"))
		if wantsHistograms(k) {
			X.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, X)
		}
		G := testkit.Try(Gram(k, X)).Or(t)
		for i := range n {
			for j := range n {
				// Evaluate both triangles; the upper one is G's.
				if v := k.Eval(X.RawRowView(i), X.RawRowView(j)); v != G.At(i, j) || v != k.Eval(X.RawRowView(j), X.RawRowView(i)) {
					t.Fatalf("G at %d, %d = %v, Eval = %v", i, j, G.At(i, j), v)
				}
			}
		}
		if err := CheckDefinite(G); err != nil && KnownMercer(k) {
			t.Fatal(err)
		}
		norm, _ := eigen.NormInf(context.Background(), G)
		Gc := NewCentring(G).Gram(G)
		for i := range n {
			if sum := floats.Sum(mat.Col(nil, i, Gc)); !near(sum, 0, 1e-12, norm) {
				t.Fatalf("row %d of the centred G sums to %v", i, sum)
			}
		}
	})
}
