package eigen_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/testkit"
)

// times returns the function x ↦ Ax.
func times(A *mat.SymDense) func(dst, x []float64) {
	return func(dst, x []float64) {
		v := func(data []float64) blas64.Vector { return blas64.Vector{N: len(data), Data: data, Inc: 1} }
		blas64.Symv(1, A.RawSymmetric(), v(x), 0, v(dst))
	}
}

// checkLargest checks the k largest pairs of A against Full's, relative to ‖A‖:
// residuals and values to within Tol, orthonormality of the vectors to within rounding.
func checkLargest(A *mat.SymDense, k int) error {
	n := A.SymmetricDim()
	all, _, err := eigen.Full(context.Background(), A)
	if err != nil {
		return err
	}
	p, err := eigen.Solver{}.Largest(context.Background(), n, k, times(A))
	if err != nil {
		return err
	}
	// Scaling by a power of two keeps the check from overflow and from losing digits.
	_, exponent := math.Frexp(max(math.Abs(all[0]), math.Abs(all[n-1])))
	scaled := func(v float64) float64 { return math.Ldexp(v, -exponent) }
	quantum := scaled(0x1p-1074) // the spacing of denormal values
	B := symmetric(n, func(i, j int) float64 { return scaled(A.At(i, j)) })
	if len(p.Values) != k {
		return fmt.Errorf("%d values", len(p.Values))
	}
	for i, v := range p.Values {
		if d := math.Abs(scaled(v) - scaled(all[i])); !(d <= 1e-10+quantum) {
			return fmt.Errorf("value %d = %v, want %v", i, v, all[i])
		}
		r := make([]float64, n)
		times(B)(r, p.Vectors[i])
		floats.AddScaled(r, -scaled(v), p.Vectors[i])
		norm := floats.Norm(r, 2)
		if !(norm <= 1e-10+quantum) || !(math.Abs(norm-scaled(p.Residuals[i])) <= 1e-13+2*quantum) {
			return fmt.Errorf("residual %d = %g‖A‖, said to be %g‖A‖", i, norm, scaled(p.Residuals[i]))
		}
		for j := range i + 1 {
			unit := 0.0
			if i == j {
				unit = 1
			}
			if d := floats.Dot(p.Vectors[i], p.Vectors[j]); !(math.Abs(d-unit) <= 1e-12) {
				return fmt.Errorf("v%d·v%d = %v", i, j, d)
			}
		}
	}
	return nil
}

// Lanczos finds the largest pairs of all families on which Full is tested.
func TestLargestSpectra(t *testing.T) {
	testkit.Long(t)
	rng := rand.New(rand.NewPCG(1000, 2))
	failed := map[string]int{}
	for trial := range testkit.Size(t, 240, 960) {
		n := 1 + rng.IntN(40)
		if trial%9 == 0 {
			n = 60 + rng.IntN(60) // restarts begin above 48 rows
		}
		k := 1 + rng.IntN(min(n, 6))
		family := spectra[trial%len(spectra)]
		if err := checkLargest(family.draw(rng, n), k); err != nil {
			if failed[family.name]++; failed[family.name] == 1 {
				t.Errorf("matrix %d, %s, n = %d, k = %d: %v", trial, family.name, n, k, err)
			}
		}
	}
	if len(failed) > 0 {
		t.Errorf("failures: %v", failed)
	}
}
