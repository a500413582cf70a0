package nearest_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"marginalia/mlkit/internal/nearest"
	"marginalia/mlkit/internal/testkit"
)

// An index returns exactly what a search of all rows returns: with many ties (a grid,
// equal rows), with none, and for points near, far, and so far that rounding ties all
// rows, where a bound that is rounded otherwise than a distance skips some.
func TestIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for trial := range 400 {
		n, d, k := 1+rng.IntN(300), 1+rng.IntN(5), 1+rng.IntN(40)
		points := make([][]float64, n)
		for i := range points {
			points[i] = make([]float64, d)
			for j := range points[i] {
				points[i][j] = rng.NormFloat64() * 3
				if trial%2 == 0 {
					points[i][j] = float64(rng.IntN(4))
				}
				if trial%10 == 3 {
					points[i][j] *= 1e160 // squares overflow
				}
			}
		}
		row := func(i int) []float64 { return points[i] }
		index := testkit.Try(nearest.NewIndex(context.Background(), n, d, row)).Or(t)
		for range 20 {
			x, skip := points[rng.IntN(n)], rng.IntN(n+1)-1
			if rng.IntN(3) == 0 {
				x = slices.Clone(x)
				x[0] += rng.NormFloat64() * 4
			}
			if trial%10 != 3 && rng.IntN(4) == 0 {
				x = slices.Clone(x)
				for j := range x {
					x[j] = 1e60 * rng.NormFloat64()
				}
			}
			want := nearest.Find(nil, n, row, x, k, skip)
			if got := index.Find(make([]nearest.Neighbour, 3), x, k, skip); !slices.Equal(got, want) {
				t.Fatalf("n = %d, d = %d, k = %d, skip %d: got %v, want %v", n, d, k, skip, got, want)
			}
		}
	}
}
