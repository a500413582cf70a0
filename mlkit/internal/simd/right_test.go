package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The row that Right ends at is the first of those that a scalar loop would end at, in
// data without near ties: whole numbers, and the largest ones.
func TestRight(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(25, 26))
		for trial := range 2000 {
			d, rows := random.IntN(70), random.IntN(12)
			stride := d + random.IntN(3)
			x, w, y := unaligned[float64](rows*stride), unaligned[float64](d), make([]float64, rows)
			for i := range x {
				x[i] = math.Round(3 * random.NormFloat64())
				if trial%4 == 0 && random.IntN(200) == 0 {
					x[i] = []float64{math.Inf(1), math.NaN(), math.MaxFloat64}[random.IntN(3)]
				}
			}
			for k := range w {
				w[k] = math.Round(3 * random.NormFloat64())
			}
			b := math.Round(2 * random.NormFloat64())
			score := func(i int) float64 {
				sum := 0.0
				for k, v := range w {
					sum += v * x[i*stride+k]
				}
				return sum + b
			}
			for i := range y {
				if y[i] = math.Copysign(1, score(i)); random.IntN(6) == 0 {
					y[i] = -y[i]
				}
			}
			right, got := Right(x, stride, w, b, y)
			for i := range min(right+1, rows) {
				want := score(i)
				margin := want * y[i]
				if ok := margin > 0 && margin <= math.MaxFloat64; ok != (i < right) {
					t.Fatalf("row %d of %d has %v for label %v, and %d are said to be right", i, rows, want, y[i], right)
				}
				if i == right && got != want && !(math.IsNaN(want) && math.IsNaN(got)) {
					t.Fatalf("the score of row %d is %v, want %v", i, got, want)
				}
			}
		}
	})
}

// A matrix that is no longer in a cache is taken in blocks, and nothing is left out.
func TestProductsAndCombineInBlocks(t *testing.T) {
	eachType(t, inBlocks[float32], inBlocks[float64])
}

func inBlocks[T Float](t *testing.T) {
	const rows, columns, stride = 4003, 33, 35
	x, w, c := make([]T, rows*stride-2), make([]float64, columns), make([]float64, rows)
	for i := range x {
		x[i] = T(i%7 - 3)
	}
	for j := range w {
		w[j] = float64(j%5 - 2)
	}
	for i := range c {
		c[i] = float64(i%3 - 1)
	}
	products, sums := make([]float64, rows), make([]float64, columns)
	Products(products, x, stride, w)
	Combine(sums, x, stride, c)
	for i, got := range products {
		want := 0.0
		for j, v := range w {
			want += v * float64(x[i*stride+j])
		}
		if got != want { // of whole numbers nothing is rounded
			t.Fatalf("products[%d] = %v, want %v", i, got, want)
		}
	}
	for j, got := range sums {
		want := 0.0
		for i, v := range c {
			want += v * float64(x[i*stride+j])
		}
		if got != want {
			t.Fatalf("combination[%d] = %v, want %v", j, got, want)
		}
	}
}
