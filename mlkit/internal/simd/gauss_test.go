package simd

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// argument returns γ(own + square - 2·product) and the error of rounding it.
func argument(own, square, product, gamma float64) (arg, rest float64) {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
	sum := number(own)
	sum.Add(sum, number(square))
	sum.Sub(sum, number(2*product))
	sum.Mul(sum, number(gamma))
	arg, _ = sum.Float64()
	rest, _ = sum.Sub(sum, number(arg)).Float64()
	return arg, rest
}

func testGauss[T Float](t *testing.T, u, least float64) {
	random := rand.New(rand.NewPCG(3, 4))
	w := Width[T]()
	for trial := range testkit.Size(t, 250, 1000) {
		rows := 1 + trial%Rows
		tile, own, squares := unaligned[T](rows*w), unaligned[T](rows), unaligned[T](w)
		gamma := T(math.Exp(4 * random.NormFloat64()))
		size := math.Exp(3*random.NormFloat64()) / float64(gamma)
		if trial%3 == 0 {
			size = 0 // tests exp alone
		}
		for r := range own {
			own[r] = T(random.Float64() * size)
		}
		for i := range squares {
			squares[i] = T(random.Float64() * size)
		}
		product := make([]T, rows*w)
		for i := range product {
			product[i] = (own[i/w]+squares[i%w])/2 - T(random.ExpFloat64()*math.Exp(4*random.NormFloat64())/float64(gamma))
			if trial%3 > 0 {
				product[i] = T(random.NormFloat64() * size)
			}
		}
		copy(tile, product)
		Gauss(tile, own, squares, gamma)
		for i, got := range tile {
			sum := float64(gamma) * (float64(own[i/w]) + float64(squares[i%w]))
			arg, rest := argument(float64(own[i/w]), float64(squares[i%w]), float64(product[i]), float64(gamma))
			if arg < 0 {
				arg, rest = 0, 0
			} else if arg > least {
				arg, rest = least, 0
			}
			want := math.Exp(-arg) * (1 - rest)
			if err := math.Abs(float64(got)/want - 1); !(err <= (5+2*arg+sum)*u) {
				t.Fatalf("exp(-%v): %v, want %v; off by %v u, the bound is %v u", arg, got, want, err/u, 5+2*arg+sum)
			}
		}
	}
}

func TestGauss(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		t.Run("float32", func(t *testing.T) { testGauss[float32](t, 0x1p-24, 87.25) })
		t.Run("float64", func(t *testing.T) { testGauss[float64](t, 0x1p-53, 708) })
	})
}

// The kernel of a sample with itself is 1, and so is any value that rounding would make
// larger; denormal squares are not flushed to 0; infinitely distant samples give the
// smallest result; NaN stays NaN.
func TestGaussSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	eachLevel(t, func(t *testing.T) {
		for _, c := range []struct{ product, own, square, want float64 }{
			{3, 3, 3, 1},
			{3.001, 3, 3, 1},
			{0, 1e-310, 1e-310, 1},
			{0, 0, 1e-40, 1},
			{-inf, 1, 1, math.Exp(-708)},
			{0, inf, 1, math.Exp(-708)},
			{0, 1e300, 1, math.Exp(-708)},
			{inf, inf, 1, nan},
			{nan, 1, 1, nan},
			{0, 1, nan, nan},
		} {
			double, single := make([]float64, 32), make([]float32, 64)
			squares, squares32 := make([]float64, 32), make([]float32, 64)
			double[5], single[61] = c.product, float32(c.product)
			squares[5], squares32[61] = c.square, float32(c.square)
			Gauss(double, []float64{c.own}, squares, 1)
			Gauss(single, []float32{float32(c.own)}, squares32, 1)
			want32 := max(c.want, math.Exp(-87.25))
			if !(math.Abs(double[5]/c.want-1) < 1e-13 || math.IsNaN(c.want) && math.IsNaN(double[5])) {
				t.Errorf("%+v: %v", c, double[5])
			}
			if !(math.Abs(float64(single[61])/want32-1) < 2e-5 || math.IsNaN(c.want) && single[61] != single[61]) {
				t.Errorf("%+v: %v of float32, want %v", c, single[61], want32)
			}
			if c.want == 1 && (double[5] != 1 || single[61] != 1) {
				t.Errorf("%+v: %v and %v, want 1 exactly", c, double[5], single[61])
			}
		}
	})
}
