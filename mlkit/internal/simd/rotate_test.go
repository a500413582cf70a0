package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A rotation keeps the length of a pair, and rounds at most four times by u = 2⁻⁵³ of that. So
// after k rotations a number is off by at most 4ku times the largest length, and two ways to
// compute it differ by at most 8ku. The stride is positive or negative, and numbers outside the
// rows stay the same.
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
			rotations := make([]float64, 2*count)
			for k := range count {
				rotations[2*k+1], rotations[2*k] = math.Sincos(7 * random.Float64())
			}
			first, stride := 3, gap
			if columns%2 == 1 {
				first, stride = 3+count*gap, -gap
			}
			want := append([]float64(nil), x...)
			largest := 0.0
			for k := range count {
				c, s := rotations[2*k], rotations[2*k+1]
				for j := range columns {
					at := first + k*stride + j
					b, a := want[at], want[at+stride]
					largest = max(largest, math.Hypot(a, b))
					want[at], want[at+stride] = s*a+c*b, c*a-s*b
				}
			}
			Rotate(x, first, stride, columns, rotations)
			for i, v := range x {
				if err := math.Abs(v - want[i]); !(err <= float64(8*count)*0x1p-53*largest) {
					t.Fatalf("%d columns, %d rotations, stride %d: x[%d] = %v, want %v", columns, count, stride, i, v, want[i])
				}
			}
		}
	})
}
