package nearest_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"marginalia/mlkit/internal/nearest"
)

// Find returns what sorting all rows by distance returns.
func TestFind(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n, k := rng.IntN(20), 1+rng.IntN(6)
		points := make([][]float64, n)
		for i := range points {
			points[i] = []float64{float64(rng.IntN(4)), float64(rng.IntN(4))}
		}
		x, skip := []float64{1, 2}, rng.IntN(n+1)-1
		var want []nearest.Neighbour
		for i, p := range points {
			if i != skip {
				want = append(want, nearest.Neighbour{i, (p[0]-1)*(p[0]-1) + (p[1]-2)*(p[1]-2)})
			}
		}
		slices.SortStableFunc(want, func(a, b nearest.Neighbour) int { return cmp.Compare(a.Distance, b.Distance) })
		want = want[:min(k, len(want))]
		got := nearest.Find(make([]nearest.Neighbour, 3), n, func(i int) []float64 { return points[i] }, x, k, skip)
		if !slices.Equal(got, want) {
			t.Fatalf("k = %d, skip %d: got %v, want %v", k, skip, got, want)
		}
	}
}

// normal returns n points of d standard normal numbers.
func normal(rng *rand.Rand, n, d int) [][]float64 {
	points := make([][]float64, n)
	for i := range points {
		points[i] = make([]float64, d)
		for j := range points[i] {
			points[i][j] = rng.NormFloat64()
		}
	}
	return points
}
