package feature

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
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

// The powers of one number up to 9999 have 49,995,000 factors, just within the limit.
func TestManyMonomials(t *testing.T) {
	testkit.Long(t)
	if _, err := NewPolynomial(1, 9999); err != nil {
		t.Error(err)
	}
	if _, err := NewPolynomial(1, 10000); err == nil || !strings.Contains(err.Error(), "or have more than 50000000 factors") {
		t.Errorf("err = %v; the powers up to 10000 have 50005000 factors", err)
	}
}
