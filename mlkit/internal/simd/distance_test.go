package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// plainSquare does what a lane of Distances does.
func plainSquare(x, panel []float64, i int) float64 {
	sum := 0.0
	for k, v := range x {
		d := v - panel[k*32+i]
		sum += float64(d * d) // the conversion keeps compilers from fusing it with the addition
	}
	return sum
}

// special returns numbers of all magnitudes, including denormal numbers and infinities.
func special(r *rand.Rand, dst []float64, trial int) {
	for i := range dst {
		dst[i] = r.NormFloat64()
		switch trial % 4 {
		case 1:
			dst[i] *= math.Exp(300 * r.NormFloat64())
		case 2:
			dst[i] = 1e-160 * math.Round(3*dst[i]) // squares are denormal
		case 3:
			dst[i] = math.Round(dst[i]) // makes many equal
		}
		if trial%8 == 5 && r.IntN(40) == 0 {
			dst[i] = []float64{math.Inf(1), math.Inf(-1), math.NaN(), 5e-324}[r.IntN(4)]
		}
	}
}

func sameNumber(a, b float64) bool { return a == b || a != a && b != b }

// Distances has the bits of the loop in plain Go at every level, and Nearest finds the
// first of the nearest centres.
func TestDistances(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(15, 16))
		for d := 1; d < 70; d++ {
			for trial := range 8 {
				count := 1 + random.IntN(9)
				panel, centres := unaligned[float64](d*32), unaligned[float64](d*count)
				special(random, panel, trial)
				special(random, centres, trial)
				if count > 2 && trial%2 == 1 {
					copy(centres[(count-1)*d:], centres[d:2*d]) // makes a tie
				}
				least, first := make([]float64, 32), make([]int64, 32)
				for i := range least {
					least[i] = math.Inf(1)
				}
				got := unaligned[float64](32)
				for c := range count {
					x := centres[c*d : (c+1)*d]
					Distances(got, panel, x)
					for i, v := range got {
						want := plainSquare(x, panel, i)
						if !sameNumber(v, want) {
							t.Fatalf("d = %d, centre %d, sample %d: %v, want %v", d, c, i, v, want)
						}
						if want < least[i] {
							least[i], first[i] = want, int64(c)
						}
					}
				}
				nearest, index := unaligned[float64](32), make([]int64, 32)
				Nearest(index, nearest, panel, centres, d)
				for i := range nearest {
					if nearest[i] != least[i] || index[i] != first[i] {
						t.Fatalf("d = %d, %d centres, sample %d: %v of centre %d, want %v of %d", d, count, i, nearest[i], index[i], least[i], first[i])
					}
				}
			}
		}
	})
}

// The error is within the bound for sums of n products (Higham, section 3.1), and
// elements below the diagonal are not read.
func TestSymmetricMul(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(17, 18))
		for _, n := range lengths(t, 131) {
			for _, scale := range oneOf(t, n, 1, 1e-310, 1e300) {
				stride := n + n%3
				a, x, dst := unaligned[float64](n*stride), unaligned[float64](n), unaligned[float64](n)
				for i := range a {
					a[i] = random.NormFloat64() * scale
				}
				for i := range n {
					for j := range i {
						a[i*stride+j] = math.NaN()
					}
					x[i], dst[i] = random.NormFloat64(), math.NaN()
				}
				SymmetricMul(dst, a, stride, x)
				bound, row := float64(n)*0x1p-53/(1-float64(n)*0x1p-53), make([]float64, n)
				for i := range n {
					for j := range n {
						row[j] = a[min(i, j)*stride+max(i, j)]
					}
					want, size := exact(row, x)
					if !(math.Abs(dst[i]-want) <= bound*size+float64(n)*5e-324) {
						t.Fatalf("n = %d: element %d is %v, want %v; off by more than %v", n, i, dst[i], want, bound*size)
					}
				}
			}
		}
		a, x, dst := make([]float64, 40*40), make([]float64, 40), make([]float64, 40)
		a[3*40+35], x[35], x[3] = math.Inf(1), 1, 2
		SymmetricMul(dst, a, 40, x)
		if !math.IsInf(dst[3], 1) || !math.IsInf(dst[35], 1) || !math.IsNaN(dst[35]-dst[3]) {
			t.Errorf("with an infinity: %v and %v", dst[3], dst[35])
		}
	})
}
