package feature

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// Integers fall into the bins that integer arithmetic says: x into bin ⌊(x − a)·bins/(b − a)⌋,
// and b into the last one. In the tier long the ranges are all those within 0 to 200.
func TestHistogramIntegers(t *testing.T) {
	lows, step := []int{0, 1}, 7
	if testkit.IsLong(t) {
		lows, step = nil, 1
		for a := range 200 {
			lows = append(lows, a)
		}
	}
	wrong := 0
	for _, a := range lows {
		for b := a + 1; b <= 200; b++ {
			for bins := 1 + (a+b)%step; bins <= 100; bins += step {
				h := testkit.Try(NewHistogram(1, bins, float64(a), float64(b))).Or(t)
				for x := a; x <= b; x++ {
					got, want := slices.Index(h.TransformSample(nil, []float64{float64(x)}), 1), min((x-a)*bins/(b-a), bins-1)
					if got != want {
						if wrong++; wrong <= 5 {
							t.Errorf("%d to %d in %d bins: %d is in bin %d, want %d", a, b, bins, x, got, want)
						}
					}
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d numbers are in a wrong bin", wrong)
	}
}

// At every magnitude the numbers on an edge and right beside it are in the bins of rational
// arithmetic, whose edges are rounded once.
func TestHistogramEdgesAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	ranges := [][2]float64{
		{1e16, 1e16 + 4}, {1, math.Nextafter(1, 2)}, {0, math.SmallestNonzeroFloat64}, {-1e-323, 1e-322}, {0.1, 0.7}, {-1, 1},
		{-math.MaxFloat64 / 2, math.MaxFloat64 / 2}, {-math.MaxFloat64, 0}, {1e308, math.MaxFloat64}, {math.SmallestNonzeroFloat64, math.MaxFloat64},
	}
	for range 40 {
		low := math.Ldexp(rng.Float64()-0.5, rng.IntN(2000)-1000)
		ranges = append(ranges, [2]float64{low, low + math.Abs(low)*math.Ldexp(rng.Float64()+0.5, -rng.IntN(52))})
	}
	rat := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	for _, r := range ranges {
		low, high := r[0], r[1]
		for _, bins := range []int{1, 2, 3, 7, 10, 100} {
			h := testkit.Try(NewHistogram(1, bins, low, high)).Or(t)
			edges := []float64{low}
			for k := 1; k < bins; k++ {
				e := new(big.Rat).Sub(rat(high), rat(low))
				e.Add(rat(low), e.Mul(e, big.NewRat(int64(k), int64(bins))))
				v, _ := e.Float64()
				if above := math.Nextafter(v, math.Inf(1)); v < high && new(big.Rat).Add(rat(v), rat(above)).Cmp(e.Add(e, e)) == 0 {
					v = above // of two that are as near
				}
				edges = append(edges, v)
			}
			for _, e := range edges {
				for _, x := range []float64{e, math.Nextafter(e, high), math.Nextafter(e, low)} {
					want := bins - 1
					for want > 0 && x < edges[want] {
						want--
					}
					if got := slices.Index(h.TransformSample(nil, []float64{x}), 1); got != want && x < high {
						t.Errorf("%g to %g in %d bins: %v is in bin %d, want %d", low, high, bins, x, got, want)
					}
				}
			}
		}
	}
}
