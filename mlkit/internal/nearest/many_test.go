package nearest_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"marginalia/mlkit/internal/nearest"
	"marginalia/mlkit/internal/testkit"
)

// onBothPaths runs a test of FindMany with an Index, then with bounds.
func onBothPaths(t *testing.T, test func(t *testing.T)) {
	for name, from := range map[string]int{"index": math.MaxInt, "bounds": 0} {
		t.Run(name, func(t *testing.T) {
			testkit.Set(t, &nearest.ManyFrom, from)
			test(t)
		})
	}
}

// FindMany finds exactly what Find does, with ties and equal rows, whatever float32 makes of
// the numbers: far from 0, too large or too small for it, of very different sizes, and NaN or
// infinite in a point.
func TestFindMany(t *testing.T) { onBothPaths(t, findMany) }

func findMany(t *testing.T) {
	testkit.Set(t, nearest.ManyNumbers, 300) // several groups of points, also of more than one tile
	rng := rand.New(rand.NewPCG(5, 5))
	makers := map[string]func(v float64) float64{
		"normal":                            func(v float64) float64 { return v },
		"ties":                              math.Round,
		"sparse":                            func(v float64) float64 { return max(0, v-1) },
		"far":                               func(v float64) float64 { return v + 1e9 },
		"far, of digits that float32 lacks": func(v float64) float64 { return 1e12 + math.Round(v) },
		"large":                             func(v float64) float64 { return v * 1e100 },
		"huge":                              func(v float64) float64 { return v * 1e160 },
		"close to MaxFloat64":               func(v float64) float64 { return math.Copysign(1.5e308, v) },
		"small":                             func(v float64) float64 { return v * 1e-60 },
		"tiny":                              func(v float64) float64 { return v * 1e-170 },
		"squares of few digits":             func(v float64) float64 { return v * 0x1p-536 },
		"denormal":                          func(v float64) float64 { return v * 1e-310 },
		"of all sizes":                      func(v float64) float64 { return v * math.Pow(10, -60*rng.Float64()) },
		"one outlier":                       func(v float64) float64 { return v * math.Pow(1e60, math.Floor(rng.Float64()+0.002)) },
		"zero":                              func(v float64) float64 { return 0 },
	}
	for _, name := range slices.Sorted(maps.Keys(makers)) { // one order, so that a failure comes again
		of := makers[name]
		for range 12 {
			n, m, d, k := 1+rng.IntN(200), 1+rng.IntN(30), 1+rng.IntN(60), 1+rng.IntN(12)
			draw := func(count int) [][]float64 {
				rows := normal(rng, count, d)
				for _, row := range rows {
					for j, v := range row {
						row[j] = of(v)
					}
				}
				return rows
			}
			rows, points, skip := draw(n), draw(m), make([]int, m)
			for t := range points {
				skip[t] = -1
				switch i := rng.IntN(n); rng.IntN(10) {
				case 0:
					points[t] = rows[i]
				case 1:
					points[t], skip[t] = rows[i], i
				case 2:
					points[t][rng.IntN(d)] = math.NaN()
				case 3:
					points[t][rng.IntN(d)] = math.Inf(1 - 2*rng.IntN(2))
				case 4:
					points[t][rng.IntN(d)] = math.Copysign(1e60, rng.NormFloat64()) // float32 lacks it, its square float64 has
				case 5:
					points[t][rng.IntN(d)] = 1e300
				}
			}
			row := func(i int) []float64 { return rows[i] }
			next := 0
			err := nearest.FindMany(t.Context(), n, d, row, m, func(t int) []float64 { return points[t] }, k, func(t int) int { return skip[t] }, func(at int, near []nearest.Neighbour) {
				if at != next {
					t.Fatalf("%s: point %d after %d", name, at, next-1)
				}
				next++
				want := nearest.Find(nil, n, row, points[at], k, skip[at])
				same := func(a, b nearest.Neighbour) bool {
					return a.Row == b.Row && math.Float64bits(a.Distance) == math.Float64bits(b.Distance)
				}
				if !slices.EqualFunc(near, want, same) {
					t.Fatalf("%s, n = %d, d = %d, k = %d: got %v, want %v", name, n, d, k, near, want)
				}
			})
			if err != nil || next != m {
				t.Fatalf("%s: %d of %d points, %v", name, next, m, err)
			}
		}
	}
}

func TestFindManyCancelled(t *testing.T) { onBothPaths(t, findManyCancelled) }

func findManyCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	row := func(i int) []float64 {
		if calls++; calls == 500 {
			cancel()
		}
		return []float64{float64(i % 7)}
	}
	err := nearest.FindMany(ctx, 200, 1, row, 200, row, 3, func(int) int { return -1 }, func(int, []nearest.Neighbour) {})
	if err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// BenchmarkFindMany compares the two ways of FindMany, between which ManyFrom chooses.
func BenchmarkFindMany(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	const n, m, k = 10000, 1000, 11
	for _, d := range []int{4, 8, 12, 16, 24, 50, 200} {
		points := normal(rng, n, d)
		row := func(i int) []float64 { return points[i] }
		for name, from := range map[string]int{"index": math.MaxInt, "bounds": 0} {
			b.Run(fmt.Sprint(d, "/", name), func(b *testing.B) {
				testkit.Set(b, &nearest.ManyFrom, from)
				for b.Loop() {
					if err := nearest.FindMany(b.Context(), n, d, row, m, row, k, func(t int) int { return t }, func(int, []nearest.Neighbour) {}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
