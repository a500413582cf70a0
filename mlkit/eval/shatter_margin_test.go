package eval

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
)

// n orthogonal vectors of length R are shattered with margin R/√n by w = Σ yᵢxᵢ, and
// attain the bound of n points (CMU).
func TestShatterMargin(t *testing.T) {
	for n := 1; n <= 6; n++ {
		X := mat.NewDense(n, n+1, nil)
		for i := range n {
			X.Set(i, i, 3)
		}
		s := testkit.Try(ShatterMargin(X)).Or(t)
		near(t, "Margin", s.Margin, 3/math.Sqrt(float64(n)), 1e-12)
		near(t, "R", s.R, 3, 0)
		near(t, "Bound", s.Bound, float64(n), 1e-11)
	}
	// Three points in the plane, one more than dimensions: two labels fix that of the
	// third.
	s, err := ShatterMargin(mat.NewDense(3, 2, []float64{1, 0, -0.5, 0.8, -0.5, -0.8}))
	if err != nil || s.Margin != 0 || !math.IsInf(s.Bound, 1) {
		t.Errorf("%+v, %v; want Margin 0", s, err)
	}
	// The margin scales with the points, however large or small.
	for _, unit := range []float64{1e200, 1e-300, 0} {
		s := testkit.Try(ShatterMargin(mat.NewDense(2, 2, []float64{unit, 0, 0, unit}))).Or(t)
		near(t, "Margin", s.Margin, unit/math.Sqrt2, 1e-12*unit)
	}
	for want, X := range map[string]*mat.Dense{
		"eval: X is nil, want an n×d matrix, one sample a row":                nil,
		"eval: X has 17 rows, want at most 16, since 2ⁿ labellings are tried": mat.NewDense(17, 1, nil),
		"eval: the norm of a row of X overflows, want a smaller unit":         mat.NewDense(1, 2, []float64{1.5e308, 1.5e308}),
	} {
		if _, err := ShatterMargin(X); err == nil || err.Error() != want {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
}

// No set has more points than its bound, for any labelling.
func TestShatterMarginBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		n, d := 1+rng.IntN(5), 5+rng.IntN(4)
		X := samples.Gaussian(rng, n, d)
		s := testkit.Try(ShatterMargin(X)).Or(t)
		if !(s.Margin > 0) || s.Bound < float64(n)*(1-1e-12) {
			t.Fatalf("%d points with the bound %v", n, s.Bound)
		}
	}
}

// The nearest point x of the hull satisfies x·z ≥ ‖x‖² for all z, and is the only point
// of the hull that does.
func TestNearestToOrigin(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for trial := range 500 {
		n, d := 1+rng.IntN(20), 1+rng.IntN(5)
		z := make([][]float64, n)
		for i := range z {
			z[i] = make([]float64, d)
			for j := range z[i] {
				z[i][j] = rng.NormFloat64()
			}
			z[i][0] += float64(trial % 4)
			if trial%5 == 0 && i > 0 && i%3 == 0 {
				copy(z[i], z[i-1]) // repeated points
			}
		}
		x := nearestToOrigin(z)
		for _, v := range z {
			if floats.Dot(x, v) < floats.Dot(x, x)-1e-9 {
				t.Fatalf("x = %v, and z = %v is nearer to the origin in its direction", x, v)
			}
		}
	}
}
