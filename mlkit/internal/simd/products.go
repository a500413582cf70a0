package simd

import "gonum.org/v1/gonum/floats"

// Products sets dst[i] to the inner product of w with row i of a matrix, of which x has
// one row after the other, each stride after the last and as long as w:
//
//	dst[i] = Σ w[j]·x[i·stride+j]
//
// The error is at most len(w)·u Σ |w[j]·x[i·stride+j]| with u = 2⁻⁵³, but for results that
// are denormal. The order of a sum depends on how many rows there are from i on, so that
// the last bits do. It panics if x is too short for len(dst) rows, or stride for w.
func Products(dst, x []float64, stride int, w []float64) {
	x = within(x, stride, len(dst), len(w))
	if len(dst) == 0 || productsAssembly(dst, x, stride, w) {
		return
	}
	for i := range dst {
		dst[i] = floats.Dot(w, x[i*stride:i*stride+len(w)])
	}
}

// Combine adds to dst, which is as long as a row, Σ c[i]·x[i·stride+j] over the rows of
// a matrix as for Products, in their order. It panics if x is too short for len(c) rows,
// or stride for dst.
func Combine(dst, x []float64, stride int, c []float64) {
	x = within(x, stride, len(c), len(dst))
	if len(c) == 0 || combineAssembly(dst, x, stride, c) {
		return
	}
	for i, v := range c {
		floats.AddScaled(dst, v, x[i*stride:i*stride+len(dst)])
	}
}

// within returns x as far as it is used.
func within(x []float64, stride, rows, columns int) []float64 {
	if rows == 0 {
		return nil
	}
	if stride < columns {
		panic("simd: rows are longer than the stride")
	}
	return x[:(rows-1)*stride+columns]
}
