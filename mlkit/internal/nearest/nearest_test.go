package nearest_test

import (
	"cmp"
	"math"
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

func TestFindNaN(t *testing.T) {
	rows := []float64{math.NaN(), 3, math.NaN(), 1}
	got := nearest.Find(nil, 4, func(i int) []float64 { return rows[i : i+1] }, []float64{0}, 3, -1)
	if got[0].Row != 3 || got[1].Row != 1 || got[2].Row != 0 {
		t.Errorf("got %v, want the rows 3, 1, 0", got)
	}
}
