package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// rowsOf returns a matrix in one slice whose numbers are random but for the places after
// each row, which are not numbers, and which are not to be read.
func rowsOf(random *rand.Rand, rows, columns, stride int, scale float64) []float64 {
	x := unaligned[float64](max(0, (rows-1)*stride+columns))
	for k := range x {
		if x[k] = math.NaN(); k%stride < columns {
			x[k] = random.NormFloat64() * scale
		}
	}
	return x
}

// Both are within n·u/(1-n·u) of the sum of absolute values, as Tile is; of denormal
// results each product may lose a denormal number.
func TestProductsAndCombine(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(11, 12))
		for columns := range 75 {
			for _, rows := range []int{0, 1, 2, 7, 8, 9, 16, 19, 40} {
				for _, scale := range []float64{1, 1e-160, 1e150} {
					stride := columns + 1 + random.IntN(3)
					x := rowsOf(random, rows, columns, stride, scale)
					w, c := rowsOf(random, 1, columns, columns+1, scale), rowsOf(random, 1, rows, rows+1, scale)
					got, guard := unaligned[float64](rows+1), 7.5
					got[rows] = guard
					Products(got[:rows], x, stride, w)
					for i := range rows {
						want, size := exact(x[i*stride:i*stride+columns], w)
						if !(math.Abs(got[i]-want) <= float64(columns)*(0x1p-52*size+5e-324)) {
							t.Fatalf("%d×%d: products[%d] = %v, want %v", rows, columns, i, got[i], want)
						}
					}
					sum := rowsOf(random, 1, columns+1, columns+1, scale*scale)
					sum[columns] = guard
					before := slices.Clone(sum)
					Combine(sum[:columns], x, stride, c)
					for j := range columns {
						a, b := []float64{before[j]}, []float64{1}
						for i, v := range c {
							a, b = append(a, x[i*stride+j]), append(b, v)
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
	})
}

// Infinities, numbers that are none and denormal numbers go into the results they are
// part of, and into no other.
func TestProductsSpecial(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for columns := 1; columns < 40; columns++ {
			for at := range columns {
				for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), 5e-324} {
					const rows = 11
					for i := range rows {
						x, w := make([]float64, rows*columns), make([]float64, columns)
						x[i*columns+at], w[at] = v, 1
						got := make([]float64, rows)
						Products(got, x, columns, w)
						sum, c := make([]float64, columns), make([]float64, rows)
						c[i] = 1
						Combine(sum, x, columns, c)
						for k, g := range got {
							if want := x[k*columns+at]; g != want && !(math.IsNaN(g) && math.IsNaN(want)) {
								t.Fatalf("%v at [%d][%d] of %d columns: products[%d] = %v", v, i, at, columns, k, g)
							}
						}
						for k, g := range sum {
							if want := x[i*columns+k]; g != want && !(math.IsNaN(g) && math.IsNaN(want)) {
								t.Fatalf("%v at [%d][%d] of %d columns: combination[%d] = %v", v, i, at, columns, k, g)
							}
						}
					}
				}
			}
		}
	})
}

// A row that is too short is a mistake of the caller, not a read of what is behind it.
func TestProductsPanic(t *testing.T) {
	for name, do := range map[string]func(){
		"a short x":      func() { Products(make([]float64, 2), make([]float64, 7), 4, make([]float64, 4)) },
		"a short stride": func() { Combine(make([]float64, 4), make([]float64, 8), 3, make([]float64, 2)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			do()
		}()
	}
	Prefetch(nil)
	Prefetch(make([]float64, 9))
}

// Rows of the linear models, in the cache of the core and, of 40 MB, out of it.
func BenchmarkProducts(b *testing.B) {
	const columns = 50
	x := rowsOf(rand.New(rand.NewPCG(1, 1)), 100000, columns, columns, 1)
	w := slices.Clone(x[:columns])
	chosen := use
	defer func() { use = chosen }()
	for _, rows := range []int{1, 64, 100000} {
		c := make([]float64, rows)
		for l := scalar; l <= best(); l++ {
			use = l
			b.Run(fmt.Sprintf("%s/products/%d", Name(), rows), func(b *testing.B) {
				b.SetBytes(int64(rows) * columns * 8)
				for b.Loop() {
					Products(c, x, columns, w)
				}
			})
			b.Run(fmt.Sprintf("%s/combine/%d", Name(), rows), func(b *testing.B) {
				b.SetBytes(int64(rows) * columns * 8)
				for b.Loop() {
					Combine(w, x, columns, c)
				}
			})
		}
	}
}
