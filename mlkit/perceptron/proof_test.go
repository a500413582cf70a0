package perceptron_test

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/perceptron"
)

// Without rounding, a perceptron that does not find a separating hyperplane ends with a
// proof that there is none, in any order of the samples: weights αᵢ ≥ 0, not all 0,
// with Σ αᵢyᵢ(xᵢ, c) = 0 (Paul Gordan, 1873).
func TestProofProperty(t *testing.T) {
	proofs, all := 0, 0
	testkit.Check(t, func(t *rapid.T) {
		all++
		n, d := rapid.IntRange(2, 8).Draw(t, "n"), rapid.IntRange(1, 2).Draw(t, "d")
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			for j := range d {
				X.Set(i, j, float64(rapid.IntRange(-3, 3).Draw(t, "x")))
			}
			y[i] = rapid.SampledFrom([]int{-1, +1}).Draw(t, "y")
		}
		y[0], y[1] = -1, +1
		p := perceptron.Perceptron{
			Bias: drawBias(t), MaxIter: 20000,
			Shuffle: rapid.Bool().Draw(t, "shuffle"), Seed: rapid.Uint64().Draw(t, "seed"),
		}
		m, err := p.Fit(X, y)
		var no *mlkit.NotSeparableError
		if !errors.As(err, &no) {
			if err != nil || wrong(m.Hyperplane, X, y) > 0 {
				t.Errorf("neither a hyperplane nor a proof: %v", err)
			}
			return
		}
		proofs++
		E := extended(X, p.Bias)
		_, e := E.Dims()
		sum, count := make([]float64, e), 0.0
		for i, a := range no.Alpha {
			if a < 0 {
				t.Errorf("α_%d = %v", i, a)
			}
			count += a
			floats.AddScaled(sum, a*float64(y[i]), E.RawRowView(i))
		}
		if count == 0 || floats.Norm(sum, 1) > 1e-9*count {
			t.Errorf("α = %v has the sum Σ αᵢyᵢxᵢ = %v", no.Alpha, sum)
		}
	})
	if proofs*20 < all {
		t.Errorf("%d of %d problems had no hyperplane, too few to see anything", proofs, all)
	}
}

// Recurring weights prove nothing if rounding took part, or if a sample is positive at a score
// of 0.
func TestNoProof(t *testing.T) {
	through := perceptron.Perceptron{Bias: mlkit.NoBias}
	positive := perceptron.Perceptron{Bias: mlkit.NoBias, ZeroIsPositive: true, Start: &mlkit.Hyperplane{W: []float64{0.5}}}
	for _, c := range []struct {
		name  string
		p     perceptron.Perceptron
		X     *mat.Dense
		y     []int
		proof bool
	}{
		// ±1 in one class and 5 in the other are separable, but b = -10¹⁷ ± 1 rounds to b.
		{"rounded bias", perceptron.Perceptron{Start: &mlkit.Hyperplane{W: []float64{0}, B: -1e17}}, mat.NewDense(3, 1, []float64{1, -1, 5}), []int{+1, +1, -1}, false},
		// 5 times 8.1 equals 40.5 only after rounding. Exactly, they differ by 2⁻⁴⁹, and 5
		// times 0.3 and 1.5 by 2⁻⁵⁴, so (8.1, 0.3) and -(40.5, 1.5) don't point in opposite
		// directions, and some hyperplane has both on its positive side. Binary fractions in
		// their place do cancel.
		{"rounded sum", through, mat.NewDense(2, 2, []float64{8.1, 0.3, -40.5, -1.5}), []int{+1, +1}, false},
		{"exact sum", through, mat.NewDense(2, 2, []float64{8.25, 0.375, -5 * 8.25, -5 * 0.375}), []int{+1, +1}, true},
		// w = 0 is right for 1 and -1, both positive. From w = 0.5 the perceptron cycles
		// through 0.5, -0.5, 0.5, …; a cycle with a negative sample is a proof.
		{"positives", positive, mat.NewDense(2, 1, []float64{1, -1}), []int{+1, +1}, false},
		{"negatives", positive, mat.NewDense(2, 1, []float64{1, -1}), []int{-1, -1}, true},
	} {
		_, err := c.p.Fit(c.X, c.y)
		if !errors.As(err, new(*mlkit.NotConvergedError)) || errors.As(err, new(*mlkit.NotSeparableError)) != c.proof {
			t.Errorf("%s: err = %v, want a NotConvergedError, with a proof: %v", c.name, err, c.proof)
		}
	}
}

// With ZeroIsPositive, a positive sample at the origin is always right and takes no
// part in a proof. No w separates 1 (positive) from 2 (negative): 2·1 - 1·2 = 0.
func TestNoProofOfOrigin(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{0, 1, 2})
	_, err := perceptron.Perceptron{Bias: mlkit.NoBias, ZeroIsPositive: true}.Fit(X, []int{+1, +1, -1})
	var no *mlkit.NotSeparableError
	if !errors.As(err, &no) || no.Alpha[0] != 0 || no.Alpha[1] != 2*no.Alpha[2] {
		t.Errorf("err = %v, want a NotSeparableError of twice row 1 and once row 2", err)
	}
}
