package rows_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

// Opposed finds the same first pair as comparing all rows among those it is given, in whatever
// order. -0 equals 0.
func TestOpposed(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 32))
	found := 0
	for trial := range 600 {
		n, d := 1+random.IntN(60), 1+random.IntN(3)
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range y {
			y[i] = 1 - 2*random.IntN(2)
			if n%2 == 0 {
				y[i] *= 1 + i%3 // more labels than two
			}
			for j := range d {
				X.Set(i, j, math.Copysign(float64(random.IntN(4)), float64(random.IntN(2))-0.5))
			}
		}
		among := random.Perm(n)[:random.IntN(n+1)]
		given := slices.Clone(among)
		want := [2]int{-1, -1}
		for i := n - 1; i >= 0; i-- {
			for j := n - 1; j > i; j-- {
				if slices.Contains(among, i) && slices.Contains(among, j) && mat.Equal(X.RowView(i), X.RowView(j)) && y[i] != y[j] {
					want = [2]int{i, j}
				}
			}
		}
		if want[0] >= 0 {
			found++
		}
		if i, j := rows.Opposed(X, y, among); [2]int{i, j} != want {
			t.Fatalf("trial %d: rows %d and %d, want %v", trial, i, j, want)
		}
		if !slices.Equal(among, given) {
			t.Fatalf("trial %d: the rows are in another order", trial)
		}
	}
	if found < 100 || found > 500 {
		t.Errorf("%d pairs of 600: the trials test little", found)
	}
}
