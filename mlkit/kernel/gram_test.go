package kernel

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// Gram, Cross and Row equal Eval bit for bit, also on views.
func TestGramIsEval(t *testing.T) {
	const n, d = 9, 7
	X := samples.Uniform(1, n+1, d+2).Slice(1, n+1, 1, d+1).(*mat.Dense)
	Z := samples.Uniform(2, 4, d)
	for _, k := range kernels() {
		G := testkit.Try(Gram(k, X)).Or(t)
		C := testkit.Try(Cross(k, X, Z)).Or(t)
		for i := range n {
			row := Row(nil, k, X.RawRowView(i), X)
			for j := range n {
				want := k.Eval(X.RawRowView(i), X.RawRowView(j))
				if G.At(i, j) != want || G.At(j, i) != want || row[j] != want {
					t.Errorf("%#v: at %d, %d Gram has %v and %v, Row has %v, Eval is %v", k, i, j, G.At(i, j), G.At(j, i), row[j], want)
				}
			}
			for j := range 4 {
				if want := k.Eval(X.RawRowView(i), Z.RawRowView(j)); C.At(i, j) != want {
					t.Errorf("%#v: Cross has %v at %d, %d, Eval is %v", k, C.At(i, j), i, j, want)
				}
			}
		}
	}
}

func TestGramErrors(t *testing.T) {
	X := samples.Uniform(1, 5, 2)
	negative := mat.DenseCopyOf(X)
	negative.Set(3, 1, -0.5)
	nan := mat.DenseCopyOf(X)
	nan.Set(2, 0, math.NaN())
	large := mat.DenseCopyOf(X)
	large.Set(4, 0, 1e200)
	skew := Func(func(x, z []float64) float64 { return x[0] - z[0] })
	testkit.Refusals{
		{second(Gram(nil, X)), "kernel: the kernel is nil…"},
		{second(Gram(RBF{Gamma: -1}, X)), "kernel: RBF.Gamma = -1…"},
		{second(Gram(RBF{}, nil)), "kernel: X is nil…"},
		{second(Gram(RBF{}, new(mat.Dense))), "kernel: X is 0×0…"},
		{second(Gram(RBF{}, nan)), "kernel: X[2][0] = NaN, want a finite number"},
		{second(Gram(Chi2{}, negative)), "kernel: X[3][1] = -0.5, want no negative number…"},
		{second(Gram(Sum{Linear{}, Any{Scaled{Kernel: Product{Chi2{}}}}}, negative)), "kernel: X[3][1] = -0.5…"},
		{second(Gram(Linear{}, large)), "kernel: k(X[4], X[4]) = +Inf, want a finite number; scale X"},
		{second(Gram(skew, X)), "kernel: k(X[0], X[1]) = 0.3…, want a symmetric function"},
		{second(Gram(Sum{skew}, X)), "kernel: k(X[0], X[1]) = 0.3…, want a symmetric function"},
		{second(Gram(Product{Linear{}, Any{skew}}, X)), "kernel: k(X[0], X[1]) = 0.3…, want a symmetric function"},
		{second(Gram(Scaled{Kernel: skew}, X)), "kernel: k(X[0], X[1]) = 0.3…, want a symmetric function"},
	}.Check(t)
	if _, err := Gram(Func(func(x, z []float64) float64 { return x[0] * z[0] }), X); err != nil {
		t.Errorf("Gram of a symmetric Func: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := GramContext(ctx, RBF{}, X); !errors.Is(err, context.Canceled) {
		t.Errorf("GramContext: err = %v, want context.Canceled", err)
	}
	testkit.Refusals{
		{second(Cross(RBF{Gamma: -1}, X, X)), "kernel: RBF.Gamma…"},
		{second(Cross(RBF{}, nan, X)), "kernel: X[2][0] = NaN, want a finite number"},
		{second(Cross(RBF{}, X, nan)), "kernel: X[2][0] = NaN, want a finite number (in Z, the second argument)"},
		{second(Cross(RBF{}, X, samples.Uniform(1, 5, 3))), "kernel: Z has 3 columns, want 2 as X has"},
		{second(Cross(Linear{}, large, large)), "kernel: k(X[4], Z[4]) = +Inf…"},
	}.Check(t)
}

func TestRowPanics(t *testing.T) {
	X := samples.Uniform(1, 5, 2)
	for name, f := range map[string]func(){
		"x too long":    func() { Row(nil, RBF{}, make([]float64, 3), X) },
		"dst too short": func() { Row(make([]float64, 4), RBF{}, make([]float64, 2), X) },
	} {
		testkit.Panics(t, name, f)
	}
}
