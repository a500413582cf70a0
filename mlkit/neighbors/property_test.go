package neighbors_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/neighbors"
)

// square returns ‖xᵢ - x‖² with float64's precision but unbounded exponents.
func square(X *mat.Dense, i int, x []float64) *big.Float {
	s := new(big.Float).SetPrec(53)
	for j, v := range x {
		difference := new(big.Float).SetPrec(53).SetFloat64(v - X.At(i, j))
		s.Add(s, difference.Mul(difference, difference))
	}
	return s
}

// lostAndAlike reports whether two squares underflow in float64 while their roots agree
// up to a few roundings. Such neighbours are ordered by the roots.
func lostAndAlike(a, b *big.Float) bool {
	if a.Cmp(big.NewFloat(0x1p-900)) > 0 || b.Cmp(big.NewFloat(0x1p-900)) > 0 {
		return false
	}
	difference := new(big.Float).Sub(a, b)
	return difference.Abs(difference).Cmp(new(big.Float).Mul(a, big.NewFloat(0x1p-48))) <= 0
}

// The neighbours are the first rows by distance and then row number, the votes are
// theirs, and no class has more votes than the predicted one.
func TestKNNProperty(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 20).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
		X, x := mat.NewDense(n, d, testkit.Numbers(t, n*d)), testkit.Numbers(t, d)
		y := rapid.SliceOfN(rapid.SampledFrom([]int{-1, 1, 40}), n, n).Draw(t, "y")
		y[0], y[1] = 1, 40
		m := testkit.Try(neighbors.KNN{K: rapid.IntRange(1, n).Draw(t, "k")}.Fit(X, y)).Or(t)
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		slices.SortStableFunc(rows, func(a, b int) int { return square(X, a, x).Cmp(square(X, b, x)) })
		got := m.Neighbors(x)
		if len(got) != m.K {
			t.Fatalf("%d neighbours %v, want %d", len(got), got, m.K)
		}
		for k, i := range got {
			if i != rows[k] && !lostAndAlike(square(X, i, x), square(X, rows[k], x)) {
				t.Fatalf("neighbours %v, want %v", got, rows[:m.K])
			}
		}
		rows = got
		want := make([]int, len(m.Classes))
		for _, i := range rows[:m.K] {
			want[slices.Index(m.Classes, y[i])]++
		}
		votes, probs := m.Votes(nil, x), m.Posterior(nil, x)
		if !slices.Equal(votes, want) {
			t.Fatalf("votes %v, want %v", votes, want)
		}
		winner := slices.Index(m.Classes, m.Predict(x))
		if votes[winner] != slices.Max(votes) {
			t.Fatalf("%v wins with votes %v", m.Predict(x), votes)
		}
		for _, i := range rows[:m.K] {
			if c := slices.Index(m.Classes, y[i]); votes[c] == votes[winner] {
				if c != winner {
					t.Fatalf("class %d wins with votes %v, but %d is nearer", m.Predict(x), votes, y[i])
				}
				break
			}
		}
		if math.Abs(floats.Sum(probs)-1) > 1e-12 || probs[winner] != floats.Max(probs) {
			t.Fatalf("probabilities %v", probs)
		}
	})
}
