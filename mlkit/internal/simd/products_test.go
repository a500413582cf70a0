package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"marginalia/mlkit/internal/testkit"
)

// rowsOf returns a random matrix in one slice. The gaps between rows are NaN, since
// they must not be read.
func rowsOf[T Float](random *rand.Rand, rows, columns, stride int, scale float64) []T {
	x := unaligned[T](max(0, (rows-1)*stride+columns))
	for k := range x {
		if x[k] = T(math.NaN()); k%stride < columns {
			x[k] = T(random.NormFloat64() * scale)
		}
	}
	return x
}

// wide converts x to float64.
func wide[T Float](x []T) []float64 {
	numbers := make([]float64, len(x))
	for k, v := range x {
		numbers[k] = float64(v)
	}
	return numbers
}

// eachType runs a test at all levels, for rows of both types.
func eachType(t *testing.T, narrow, double func(t *testing.T)) {
	eachLevel(t, func(t *testing.T) {
		t.Run("float32", narrow)
		t.Run("float64", double)
	})
}

// lengths returns all lengths below most or, unless long tests are asked for, those on
// both sides of each power of 2: the kernels step by powers of 2 up to 64 and then
// process the remainder.
func lengths(t *testing.T, most int) []int {
	var l []int
	for n := range most {
		near := n < 20 || n == most-1
		for p := 32; p < most+2; p *= 2 {
			near = near || n >= p-2 && n <= p+2
		}
		if near || testkit.IsLong(t) {
			l = append(l, n)
		}
	}
	return l
}

// Both errors are within n·u/(1-n·u) times the sum of absolute values, as for Tile,
// plus one denormal number per product.
func TestProductsAndCombine(t *testing.T) {
	eachType(t, productsAndCombine[float32], productsAndCombine[float64])
}

func productsAndCombine[T Float](t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, columns := range lengths(t, 75) {
		for k, rows := range []int{0, 1, 2, 7, 8, 9, 16, 19, 40} {
			if (columns/2+k)%2 > 0 && !testkit.IsLong(t) {
				continue // each number of rows with half of the numbers of columns, odd and even ones
			}
			for _, scale := range oneOf(t, columns+rows, 1, 1e-160, 1e150) {
				stride := columns + 1 + random.IntN(3)
				small := scale // the scale of the rows
				if unsafe.Sizeof(T(0)) == 4 {
					small = map[float64]float64{1: 1, 1e-160: 1e-40, 1e150: 1e36}[scale]
				}
				x := rowsOf[T](random, rows, columns, stride, small)
				w, c := rowsOf[float64](random, 1, columns, columns+1, scale), rowsOf[float64](random, 1, rows, rows+1, scale)
				got, guard := unaligned[float64](rows+1), 7.5
				got[rows] = guard
				Products(got[:rows], x, stride, w)
				for i := range rows {
					want, size := exact(wide(x[i*stride:i*stride+columns]), w)
					if !(math.Abs(got[i]-want) <= float64(columns)*(0x1p-52*size+5e-324)) {
						t.Fatalf("%d×%d: products[%d] = %v, want %v", rows, columns, i, got[i], want)
					}
				}
				sum := rowsOf[float64](random, 1, columns+1, columns+1, scale*small)
				sum[columns] = guard
				before := slices.Clone(sum)
				Combine(sum[:columns], x, stride, c)
				for j := range columns {
					a, b := []float64{before[j]}, []float64{1}
					for i, v := range c {
						a, b = append(a, float64(x[i*stride+j])), append(b, v)
					}
					want, size := exact(a, b)
					if !(math.Abs(sum[j]-want) <= float64(rows+1)*(0x1p-52*size+5e-324)) {
						t.Fatalf("%d×%d: combination[%d] = %v, want %v", rows, columns, j, sum[j], want)
					}
				}
				if got[rows] != guard || sum[columns] != guard {
					t.Fatalf("%d×%d: wrote beyond the end", rows, columns)
				}
			}
		}
	}
}

// Infinities, NaN and denormal numbers affect the results they are part of, and no
// others.
func TestProductsSpecial(t *testing.T) {
	eachType(t, productsSpecial[float32], productsSpecial[float64])
}

func productsSpecial[T Float](t *testing.T) {
	least := 5e-324
	if unsafe.Sizeof(T(0)) == 4 {
		least = math.SmallestNonzeroFloat32
	}
	for _, columns := range lengths(t, 40) {
		for at := range columns {
			for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), least} {
				const rows = 11
				for i := range rows {
					x, w := make([]T, rows*columns), make([]float64, columns)
					x[i*columns+at], w[at] = T(v), 1
					got := make([]float64, rows)
					Products(got, x, columns, w)
					sum, c := make([]float64, columns), make([]float64, rows)
					c[i] = 1
					Combine(sum, x, columns, c)
					for k, g := range got {
						if want := float64(x[k*columns+at]); g != want && !(math.IsNaN(g) && math.IsNaN(want)) {
							t.Fatalf("%v at [%d][%d] of %d columns: products[%d] = %v", v, i, at, columns, k, g)
						}
					}
					for k, g := range sum {
						if want := float64(x[i*columns+k]); g != want && !(math.IsNaN(g) && math.IsNaN(want)) {
							t.Fatalf("%v at [%d][%d] of %d columns: combination[%d] = %v", v, i, at, columns, k, g)
						}
					}
				}
			}
		}
	}
}

// The functions panic if x or the stride is too short, rather than read beyond x.
func TestProductsPanic(t *testing.T) {
	for name, do := range map[string]func(){
		"a short x":      func() { Products(make([]float64, 2), make([]float64, 7), 4, make([]float64, 4)) },
		"a short stride": func() { Combine(make([]float64, 4), make([]float64, 8), 3, make([]float64, 2)) },
	} {
		testkit.Panics(t, name, do)
	}
	Prefetch[float32](nil)
	Prefetch(make([]float64, 9))
}

// oneOf returns one of the scales, depending on turn, or all of them in the long tier.
func oneOf(t *testing.T, turn int, scales ...float64) []float64 {
	if testkit.IsLong(t) {
		return scales
	}
	return scales[turn%len(scales):][:1]
}
