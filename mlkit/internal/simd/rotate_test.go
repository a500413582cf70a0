package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Each rotation rounds at most four times, by u = 2⁻⁵³ of the length of the pair, which it
// keeps. So after k of them a number is off by at most 4ku times the largest length. Rows are
// taken upwards and downwards, and what lies beside them stays as it is.
func TestRotate(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(61, 62))
		for columns := range 131 {
			count := random.IntN(6)
			gap := columns + random.IntN(5)
			x := unaligned[float64]((count+1)*gap + columns + 7)
			for i := range x {
				x[i] = random.NormFloat64()
			}
			turns := make([]float64, 2*count)
			for k := range count {
				turns[2*k+1], turns[2*k] = math.Sincos(7 * random.Float64())
			}
			first, stride := 3, gap
			if columns%2 == 1 {
				first, stride = 3+count*gap, -gap
			}
			want := append([]float64(nil), x...)
			largest := 0.0
			for k := range count {
				c, s := turns[2*k], turns[2*k+1]
				for j := range columns {
					at := first + k*stride + j
					b, a := want[at], want[at+stride]
					largest = max(largest, math.Hypot(a, b))
					want[at], want[at+stride] = s*a+c*b, c*a-s*b
				}
			}
			Rotate(x, first, stride, columns, turns)
			for i, v := range x {
				if err := math.Abs(v - want[i]); !(err <= float64(8*count)*0x1p-53*largest) {
					t.Fatalf("%d columns, %d rotations, stride %d: x[%d] = %v, want %v", columns, count, stride, i, v, want[i])
				}
			}
		}
	})
}

func BenchmarkRotate(b *testing.B) {
	const n, columns, stride = 1000, 32, 1000
	x, turns := make([]float64, n*stride), make([]float64, 2*(n-1))
	for i := range x {
		x[i] = float64(i % 7)
	}
	for k := range n - 1 {
		turns[2*k], turns[2*k+1] = 0.8, 0.6
	}
	chosen := use
	defer func() { use = chosen }()
	for l := scalar; l <= best(); l++ {
		use = l
		b.Run(Name(), func(b *testing.B) {
			for b.Loop() {
				Rotate(x, 0, stride, columns, turns)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/(n-1)/columns, "ns/number")
		})
	}
}
