package kernel

import (
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// CMU's two maps of the plane, at (3, 5): (x₁², √2x₁x₂, x₂²) and (x₁², x₁x₂, x₂x₁, x₂²).
func TestMonomialsCMU(t *testing.T) {
	x := []float64{3, 5}
	for _, c := range []struct {
		m    Monomials
		want []float64
	}{
		{Monomials{}, []float64{9, 15 * math.Sqrt2, 25}},
		{Monomials{Ordered: true}, []float64{9, 15, 15, 25}},
		{Monomials{Kernel: Polynomial{Coef0: 1}}, []float64{9, 15 * math.Sqrt2, 3 * math.Sqrt2, 25, 5 * math.Sqrt2, 1}},
	} {
		φ := testkit.Try(c.m.For(2)).Or(t)
		if got := φ.TransformSample(nil, x); !floats.EqualApprox(got, c.want, 1e-14) {
			t.Errorf("%+v: φ(x) = %v, want %v", c.m, got, c.want)
		}
	}
	φ := testkit.Try(Monomials{Kernel: Polynomial{Degree: 3}}.For(2)).Or(t)
	if want := [][]int{{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {1, 1, 1}}; !reflect.DeepEqual(φ.Factors, want) {
		t.Errorf("factors = %v, want %v", φ.Factors, want)
	}
}

// The inner products equal the kernel, and the number of components equals the count.
func TestMonomialsInnerProducts(t *testing.T) {
	const n = 4
	X := samples.Uniform(5, 6, n)
	for degree := 1; degree <= 5; degree++ {
		for _, k := range []Polynomial{{Degree: degree}, {Degree: degree, Coef0: 1}, {Degree: degree, Gamma: 0.4, Coef0: 0.3}} {
			for _, ordered := range []bool{false, true} {
				m := Monomials{Kernel: k, Ordered: ordered}
				φ := testkit.Try(m.For(n)).Or(t)
				features := n
				if k.Coef0 > 0 {
					features++
				}
				if want := feature.CountMonomials(features, degree, ordered).Int64(); int64(φ.Dim()) != want {
					t.Errorf("%+v: %d components, want %d", m, φ.Dim(), want)
				}
				Φ := φ.Transform(nil, X)
				for i := range 6 {
					for j := range 6 {
						got, want := floats.Dot(Φ.RawRowView(i), Φ.RawRowView(j)), k.Eval(X.RawRowView(i), X.RawRowView(j))
						if math.Abs(got-want) > 1e-12*want {
							t.Errorf("%+v: φ(x)·φ(z) = %v, want k(x, z) = %v", m, got, want)
						}
					}
				}
				if dst := make([]float64, φ.Dim()); !slices.Equal(φ.TransformSample(dst, X.RawRowView(2)), Φ.RawRowView(2)) || dst[0] != Φ.At(2, 0) {
					t.Errorf("%+v: the two transforms differ", m)
				}
			}
		}
	}
}

func TestMonomialsErrors(t *testing.T) {
	testkit.Refusals{
		{second(Monomials{Kernel: Polynomial{Degree: -1}}.For(2)), "kernel: Polynomial.Degree = -1…"},
		{second(Monomials{Kernel: Polynomial{Coef0: -1}}.For(2)), "kernel: Monomials.Kernel.Coef0 = -1, want at least 0, since √c is a feature"},
		{second(Monomials{}.For(0)), "kernel: Monomials.For(0): want at least one feature"},
		{second(Monomials{Kernel: Polynomial{Degree: 6}}.For(100)), "kernel: Monomials.For(100): φ has 1609344100 components…"},
	}.Check(t)
}

// The count that For checks agrees with feature.CountMonomials, which is exact.
func TestCountOfMonomials(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {1, 9}, {2, 5}, {7, 3}, {100, 6}, {256, 5}, {3, 1000}, {784, 9}} {
		for _, ordered := range []bool{false, true} {
			want, _ := new(big.Float).SetInt(feature.CountMonomials(c[0], c[1], ordered)).Float64()
			got := Monomials{Ordered: ordered}.count(c[0], c[1])
			// Below 2⁵³ every number is exact; beyond, each of at most 9 factors rounds twice.
			if got != want && !(want > 1<<53 && math.Abs(got-want) <= 18*0x1p-52*want) {
				t.Errorf("n = %d, d = %d, ordered %v: %v, want %v", c[0], c[1], ordered, got, want)
			}
		}
	}
}
