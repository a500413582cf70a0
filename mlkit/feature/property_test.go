package feature

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit/internal/testkit"
)

// Weighted with the multinomial coefficients D!/(e₁!…e_d!(D-|e|)!), the products of
// monomials sum to the polynomial kernel (1 + x·z)^D.
func TestPolynomialProperty(t *testing.T) {
	factorial := func(n int) float64 { return math.Round(math.Gamma(float64(n + 1))) }
	testkit.Check(t, func(t *rapid.T) {
		d, degree := rapid.IntRange(1, 4).Draw(t, "d"), rapid.IntRange(0, 4).Draw(t, "degree")
		p := testkit.Try(NewPolynomial(d, degree)).Or(t)
		x, z := testkit.Numbers(t, d), testkit.Numbers(t, d)
		a, b := p.TransformSample(nil, x), p.TransformSample(nil, z)
		sum, size := 0.0, 1.0
		for k, factors := range p.Factors {
			c := factorial(degree) / factorial(degree-len(factors))
			for j := range d {
				times := 0
				for _, f := range factors {
					if f == j {
						times++
					}
				}
				c /= factorial(times)
			}
			sum += c * a[k] * b[k]
			size += math.Abs(c * a[k] * b[k])
		}
		if want := math.Pow(1+floats.Dot(x, z), float64(degree)); math.Abs(sum-want) > 1e-12*size {
			t.Fatalf("Σ c φ(x)φ(z) = %v, want %v", sum, want)
		}
	})
}

// A map with invalid fields is an error that says where.
func TestWrongMaps(t *testing.T) {
	X := mat.NewDense(1, 2, nil)
	for _, c := range []struct {
		m    Map
		want string
	}{
		{&Polynomial{D: 2, Factors: [][]int{nil, {0, 2}}}, "feature: Polynomial.Factors[1] = [0 2], want columns from 0 to 1"},
		{&Polynomial{D: 2, Factors: [][]int{{-1}}}, "feature: Polynomial.Factors[0] = [-1], want columns from 0 to 1"},
		{&Products{D: 2, Pairs: [][2]int{{0, 1}, {1, 2}}}, "feature: Products.Pairs[1] = [1 2], want columns from 0 to 1"},
		{&Products{D: 2, Pairs: [][2]int{{-1, 0}}}, "feature: Products.Pairs[0] = [-1 0], want columns from 0 to 1"},
		{&Scaling{Shift: []float64{1, 2}, Units: []float64{1}}, "feature: Scaling has 1 units for 2 shifts, want one of each for each column"},
		{Histogram{D: 2}, "feature: a histogram of 2 numbers in 0 bins, want at least one of each"},
		{HOG{Height: 1, Width: 2}, "feature: HOG of 1×2 pixels with cells of 0 pixels, blocks of 0 cells and 0 bins, want positive numbers, at most 32768"},
		{HOG{Height: 1 << 32, Width: 1 << 32, Cell: 1, Block: 1, Bins: 1}, "feature: HOG of 4294967296×4294967296 pixels"},
		{Chain{}, "feature: a chain of no maps, want at least one"},
		{Chain{Constant{D: 2}, Histogram{D: 3}}, "feature: a histogram of 3 numbers in 0 bins, want at least one of each, in map 1 of a chain"},
		{Chain{Constant{D: 2}, Constant{D: 2}}, "feature: map 1 of the chain takes 2 numbers, but map 0 gives 3; want as many"},
	} {
		if _, err := Apply(c.m, X); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: err = %v, want %s", c.m, err, c.want)
		}
	}
	if !testkit.IsLong(t) {
		return // too many numbers to try
	}
	// The powers of one number up to 9999 have 49,995,000 factors, just within the
	// limit.
	if _, err := NewPolynomial(1, 9999); err != nil {
		t.Error(err)
	}
	if _, err := NewPolynomial(1, 10000); err == nil || !strings.Contains(err.Error(), "or have more than 50000000 factors") {
		t.Errorf("err = %v; the powers up to 10000 have 50005000 factors", err)
	}
}
