package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Both sums match the formulas up to the rounding errors of summation.
func TestHinge(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(61, 62))
		for n := range 100 {
			slack, change, bound := rowsOf[float64](random, 1, n, n+1, 1), rowsOf[float64](random, 1, n, n+1, 1), make([]float64, n)
			for i := range bound {
				if bound[i] = random.Float64(); i%5 == 0 { // on the kink
					slack[i], change[i] = 3, 2
				}
			}
			first, second := Hinge(slack, change, bound, 1.5)
			var want, size [2]float64
			for i, c := range bound {
				ξ := math.Max(0, slack[i]-1.5*change[i])
				want[0] += c * change[i] * ξ
				size[0] += c * math.Abs(change[i]) * (math.Abs(slack[i]) + 1.5*math.Abs(change[i]))
				if ξ > 0 {
					want[1] += c * change[i] * change[i]
				}
			}
			if unit := float64(n+3) * 0x1p-52; !(math.Abs(first-want[0]) <= unit*size[0] && math.Abs(second-want[1]) <= unit*want[1]) {
				t.Fatalf("n = %d: %v and %v, want %v", n, first, second, want)
			}
		}
	})
}
