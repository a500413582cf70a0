package simd

import "testing"

// A matrix too large for the cache is processed in blocks, and no row is left out.
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
		if got != want { // sums of integers are exact
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
