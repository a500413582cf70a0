package simd

import "gonum.org/v1/gonum/floats"

// Products sets dst[i] to the inner product of w with row i of a matrix, of which x has
// one row after the other, each stride after the last and as long as w:
//
//	dst[i] = Σ w[j]·x[i·stride+j]
//
// The error is at most len(w)·u Σ |w[j]·x[i·stride+j]| with u = 2⁻⁵³, but for results that
// are denormal; rows of float32 are taken for what they are in float64. The order of a sum
// depends on how many rows there are from i on, so that the last bits do. It panics if x is
// too short for len(dst) rows, or stride for w.
func Products[T Float](dst []float64, x []T, stride int, w []float64) {
	x = within(x, stride, len(dst), len(w))
	for rows := block(x, stride); rows < len(dst); {
		Prefetch(x[rows*stride : min(2*rows*stride, len(x))])
		Products(dst[:rows], x, stride, w)
		dst, x = dst[rows:], x[rows*stride:]
	}
	if len(dst) == 0 || productsAssembly(dst, x, stride, w) {
		return
	}
	for i := range dst {
		dst[i] = product(x[i*stride:i*stride+len(w)], w)
	}
}

// Combine adds to dst, which is as long as a row, Σ c[i]·x[i·stride+j] over the rows of
// a matrix as for Products, in their order. It panics if x is too short for len(c) rows,
// or stride for dst.
func Combine[T Float](dst []float64, x []T, stride int, c []float64) {
	x = within(x, stride, len(c), len(dst))
	for rows := block(x, stride); rows < len(c); {
		Prefetch(x[rows*stride : min(2*rows*stride, len(x))])
		Combine(dst, x, stride, c[:rows])
		c, x = c[rows:], x[rows*stride:]
	}
	if len(c) == 0 || combineAssembly(dst, x, stride, c) {
		return
	}
	for i, v := range c {
		if row, ok := any(x[i*stride : i*stride+len(dst)]).([]float64); ok {
			floats.AddScaled(dst, v, row)
			continue
		}
		for j, number := range x[i*stride : i*stride+len(dst)] {
			dst[j] += v * float64(number)
		}
	}
}

// product is the inner product of a row with w.
func product[T Float](row []T, w []float64) float64 {
	if row, ok := any(row).([]float64); ok {
		return floats.Dot(w, row)
	}
	var s0, s1, s2, s3 float64 // so that one sum need not wait for the other
	j := 0
	for ; j+4 <= len(row) && j+4 <= len(w); j += 4 {
		s0 += float64(row[j]) * w[j]
		s1 += float64(row[j+1]) * w[j+1]
		s2 += float64(row[j+2]) * w[j+2]
		s3 += float64(row[j+3]) * w[j+3]
	}
	for ; j < len(row); j++ {
		s0 += float64(row[j]) * w[j]
	}
	return (s0 + s1) + (s2 + s3)
}

// block returns how many rows are worked on while as many are fetched from the memory,
// all if they are few enough to be in a cache. The processor itself fetches ahead, but
// not beyond a page of the memory.
func block[T Float](x []T, stride int) int {
	const few, together = 1 << 10, 1 << 10 // numbers
	if len(x) < few || use == scalar {
		return len(x) + 1
	}
	return max(8, together/stride&^7)
}

// within returns x as far as it is used.
func within[T Float](x []T, stride, rows, columns int) []T {
	if rows == 0 {
		return nil
	}
	if stride < columns {
		panic("simd: rows are longer than the stride")
	}
	return x[:(rows-1)*stride+columns]
}
