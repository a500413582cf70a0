package simd

import (
	"math"
	"math/rand/v2"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// Dot and AddScaled agree bit for bit with their plain Go forms, which other processors run, for
// every remainder modulo eight.
func TestDot(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	numbers := func(n int) []float64 {
		x := unaligned[float64](n)
		for i := range x {
			x[i] = random.NormFloat64() * math.Pow(10, float64(random.IntN(9)-4))
		}
		return x
	}
	for n := range 70 {
		x, y, a := numbers(n), numbers(n), random.NormFloat64()
		if got, want := Dot(x, y), fourSums(x, y); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%d numbers: %v, the plain form has %v", n, got, want)
		}
		exact, size := 0.0, 0.0
		for i, v := range x {
			exact += v * y[i]
			size += math.Abs(v * y[i])
		}
		// Two sums are each within n·u of the exact one (Higham, Accuracy and Stability of
		// Numerical Algorithms, 2nd edition, 2002, equation 3.5).
		if got := Dot(x, y); !(math.Abs(got-exact) <= 2*float64(n+1)*0x1p-53*size) {
			t.Errorf("%d numbers: %v, summed one by one %v", n, got, exact)
		}
		got, want := append([]float64{}, y...), append([]float64{}, y...)
		AddScaled(got, a, x)
		addEights(want, a, x)
		for i := range got {
			if got[i] != want[i] || math.Abs(got[i]-(y[i]+a*x[i])) > 0x1p-51*(math.Abs(y[i])+math.Abs(a*x[i])) {
				t.Errorf("%d numbers: number %d is %v, the plain form has %v", n, i, got[i], want[i])
			}
		}
	}
	for name, f := range map[string]func(){
		"Dot":       func() { Dot(make([]float64, 3), make([]float64, 4)) },
		"AddScaled": func() { AddScaled(make([]float64, 4), 1, make([]float64, 3)) },
	} {
		testkit.Panics(t, name, f)
	}
}
