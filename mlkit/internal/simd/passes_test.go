package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// state returns random data for the passes, with a third of the multipliers at a bound.
func state(random *rand.Rand, n int) (g []float64, up, low, ki, kj []float32) {
	g = unaligned[float64](n)
	up, low, ki, kj = unaligned[float32](n), unaligned[float32](n), unaligned[float32](n), unaligned[float32](n)
	for t := range g {
		g[t] = random.NormFloat64()
		ki[t], kj[t] = random.Float32(), random.Float32()
		switch random.IntN(6) {
		case 0:
			up[t] = -inf32
		case 1:
			low[t] = inf32
		}
	}
	return g, up, low, ki, kj
}

// The results match g as updated exactly, and g is off by at most three roundings.
func TestUpdate(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(5, 6))
		for n := range 131 {
			for _, scale := range []float64{1, 1e-310, 1e30, 1e300} {
				g, up, low, ki, kj := state(random, n)
				for i := range g {
					g[i] *= scale
					if n%7 == 0 {
						g[i], ki[i], kj[i] = scale, 1, 1 // all equal
					}
				}
				before := append([]float64(nil), g...)
				a, b, middle := random.NormFloat64()*scale, random.NormFloat64()*scale, random.NormFloat64()*scale
				index, most, least := Update(g, up, low, ki, kj, a, b, middle)
				first, high, lowest := -1, -inf32, inf32
				for i, v := range g {
					p, q := a*float64(ki[i]), b*float64(kj[i])
					if err := math.Abs(v - (before[i] + p + q)); !(err <= 0x1p-51*(math.Abs(before[i])+math.Abs(p)+math.Abs(q))+1e-322) {
						t.Fatalf("n = %d: g[%d] = %v, want %v", n, i, v, before[i]+p+q)
					}
					distance := float32(v - middle)
					if w := distance + up[i]; w > high {
						first, high = i, w
					}
					if w := distance + low[i]; w < lowest {
						lowest = w
					}
				}
				if index != first || most != high || least != lowest {
					t.Fatalf("n = %d: found %v at %d and %v, want %v at %d and %v", n, most, index, least, high, first, lowest)
				}
			}
		}
	})
}

// At all levels Partner returns the first index with the largest fraction of float32.
func TestPartner(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(7, 8))
		for n := range 131 {
			for trial := range 20 {
				g, _, low, k, diagonal := state(random, n)
				for i := range g {
					diagonal[i]++ // ensures a ≥ 0
					if trial == 0 {
						g[i], k[i], diagonal[i] = 1, 1, 1 // all equal, with a = 0 for ownDiagonal = 1
					}
				}
				own, ownDiagonal := random.NormFloat64(), float32(1)
				first, most := -1, float32(0)
				for i := range g {
					b := max(0, float32(own-g[i])-low[i])
					if gain := b * b / max(1e-12, ownDiagonal+diagonal[i]-2*k[i]); gain > most {
						first, most = i, gain
					}
				}
				if got := Partner(g, low, diagonal, k, own, ownDiagonal); got != first {
					t.Fatalf("n = %d: %d, want %d", n, got, first)
				}
			}
		}
	})
}

func TestAxpy(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(9, 10))
		for n := range 131 {
			dst, x := unaligned[float64](n), unaligned[float64](n)
			for i := range x {
				dst[i], x[i] = random.NormFloat64(), random.NormFloat64()
			}
			before := append([]float64(nil), dst...)
			Axpy(dst, 1.5, x)
			for i, v := range dst {
				want := before[i] + 1.5*x[i]
				if !(math.Abs(v-want) <= 0x1p-52*(math.Abs(before[i])+math.Abs(1.5*x[i]))) {
					t.Fatalf("n = %d: dst[%d] = %v, want %v", n, i, v, want)
				}
			}
		}
	})
}
