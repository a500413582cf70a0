package simd

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The bits are those of the plain loop, and what is beside the features is left alone.
func TestAccumulate(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(19, 20))
		for d := 1; d < 70; d++ {
			for trial := range 8 {
				n, k, stride := random.IntN(40), 1+random.IntN(5), d+random.IntN(3)
				x, got, labels := unaligned[float64](n*stride), unaligned[float64](k*d), make([]int, n)
				special(random, x, trial)
				special(random, got, trial)
				want := slices.Clone(got)
				for i := range labels {
					labels[i] = random.IntN(k)
					for j := range d {
						want[labels[i]*d+j] += x[i*stride+j]
					}
				}
				Accumulate(got, labels, x, stride, d)
				if !slices.EqualFunc(got, want, sameNumber) {
					t.Fatalf("d = %d, %d samples: %v, want %v", d, n, got, want)
				}
			}
		}
		for _, label := range []int{-1, 2} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("label %d of two sums: no panic", label)
					}
				}()
				Accumulate(make([]float64, 6), []int{0, label}, make([]float64, 6), 3, 3)
			}()
		}
	})
}
