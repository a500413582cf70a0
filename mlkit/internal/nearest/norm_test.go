package nearest_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"marginalia/mlkit/internal/nearest"
)

// FindByNorm finds the neighbours that Find does where squares neither overflow nor
// underflow. Where they do, it finds those of the same samples in another unit, and
// Lost reports any neighbours that Find gets wrong.
func TestFindByNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		n, d, k := 2+rng.IntN(40), 1+rng.IntN(4), 1+rng.IntN(6)
		points := normal(rng, n, d)
		skip, x := rng.IntN(n+1)-1, slices.Clone(points[rng.IntN(n)])
		if rng.IntN(2) == 0 {
			x[0]++
		}
		row := func(i int) []float64 { return points[i] }
		want := nearest.Find(nil, n, row, x, k, skip)
		if nearest.Lost(want, row, x) {
			t.Fatalf("%v of %v is said to be lost", want, x)
		}
		for _, unit := range []float64{1, 0x1p-1000, 0x1p-540, 0x1p540, 0x1p1000} {
			scaled := func(v []float64) []float64 {
				s := slices.Clone(v)
				for j := range s {
					s[j] *= unit
				}
				return s
			}
			row := func(i int) []float64 { return scaled(points[i]) }
			got := nearest.FindByNorm(n, row, scaled(x), k, skip)
			if len(got) != len(want) {
				t.Fatalf("%d neighbours, want %d", len(got), len(want))
			}
			for i, f := range got {
				if f.Row != want[i].Row || math.Abs(f.Distance/unit-math.Sqrt(want[i].Distance)) > 1e-14*(1+f.Distance/unit) {
					t.Fatalf("unit %g: neighbour %d is %v, want row %d at %v", unit, i, f, want[i].Row, math.Sqrt(want[i].Distance)*unit)
				}
			}
			squared := nearest.Find(nil, n, row, scaled(x), k, skip)
			right := slices.EqualFunc(squared, want, func(a, b nearest.Neighbour) bool { return a.Row == b.Row })
			if !right && !nearest.Lost(squared, row, scaled(x)) {
				t.Fatalf("unit %g: %v, want %v, and nothing is said to be lost", unit, squared, want)
			}
		}
	}
}

// A NaN distance counts as farther than any other, +Inf included, in FindByNorm as in Find.
func TestFindByNormOfNaN(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	points := [][]float64{{nan}, {3}, {inf}, {1}, {nan}, {2}}
	row := func(i int) []float64 { return points[i] }
	for k := 1; k <= len(points); k++ {
		for name, found := range map[string][]nearest.Neighbour{
			"Find":       nearest.Find(nil, len(points), row, []float64{0}, k, -1),
			"FindByNorm": nearest.FindByNorm(len(points), row, []float64{0}, k, -1),
		} {
			var rows []int
			for _, f := range found {
				rows = append(rows, f.Row)
			}
			if want := []int{3, 5, 1, 2, 0, 4}[:k]; !slices.Equal(rows, want) {
				t.Errorf("%s: the nearest %d are rows %v, want %v", name, k, rows, want)
			}
		}
	}
}
