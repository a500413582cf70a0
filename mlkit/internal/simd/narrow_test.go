package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Narrow rounds as Go does, also to infinities and denormal numbers, and the sum of
// squares is within n·u of the exact sum, relative to it, since all terms are positive.
func TestNarrow(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(51, 52))
		for n := range 70 {
			x := rowsOf[float64](random, 1, n, n+1, 1)
			for i := range x {
				if random.IntN(4) == 0 {
					x[i] = []float64{0, math.Copysign(0, -1), 1e-42, 1e-50, 3.5e38, 1 + 0x1p-24}[random.IntN(6)]
				}
			}
			dst := unaligned[float32](n + 1)
			dst[n] = 7
			square := Narrow(dst[:n], x)
			for i, v := range x {
				if got, want := dst[i], float32(v); math.Float32bits(got) != math.Float32bits(want) {
					t.Fatalf("n = %d: %v becomes %v, want %v", n, v, got, want)
				}
			}
			if _, want := exact(x, x); !(math.Abs(square-want) <= float64(n)*0x1p-52*want) || dst[n] != 7 {
				t.Fatalf("n = %d: the squares sum to %v, want %v; beyond the end is %v", n, square, want, dst[n])
			}
		}
	})
}

// Every level gives the bits of the formula in plain Go.
func TestStandardize(t *testing.T) { eachType(t, standardises[float32], standardises[float64]) }

func standardises[T Float](t *testing.T) {
	random := rand.New(rand.NewPCG(53, 54))
	for n := range 70 {
		x, mean, perScale := rowsOf[float64](random, 1, n, n+1, 3), rowsOf[float64](random, 1, n, n+1, 1), rowsOf[float64](random, 1, n, n+1, 1)
		if n > 0 {
			x[random.IntN(n)] = math.NaN()
		}
		dst := unaligned[T](n + 1)
		dst[n] = 7
		Standardize(dst[:n], x, mean, perScale)
		for i, v := range x {
			if want := T((v - mean[i]) * perScale[i]); dst[i] != want && !(want != want && dst[i] != dst[i]) {
				t.Fatalf("n = %d: [%d] is %v, want %v", n, i, dst[i], want)
			}
		}
		if dst[n] != 7 {
			t.Fatalf("n = %d: wrote beyond the end", n)
		}
	}
}
