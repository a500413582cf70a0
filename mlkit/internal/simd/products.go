package simd

// Products sets dst[i] to the inner product of w with row i of a matrix. Row i is as
// long as w and begins at x[i·stride]:
//
//	dst[i] = Σ w[j]·x[i·stride+j]
//
// The error is at most len(w)·u Σ |w[j]·x[i·stride+j]| with u = 2⁻⁵³, except for
// denormal results; rows of float32 are converted to float64 exactly. The order of
// summation, and so the last bits, may depend on how many rows follow row i. Products
// panics if x is too short for len(dst) rows or stride is less than len(w).
func Products[T Float](dst []float64, x []T, stride int, w []float64) {
	x = within(x, stride, len(dst), len(w))
	for rows := block(x, stride); rows < len(dst); {
		Prefetch(x[rows*stride : min(2*rows*stride, len(x))])
		ProductsCached(dst[:rows], x, stride, w)
		dst, x = dst[rows:], x[rows*stride:]
	}
	ProductsCached(dst, x, stride, w)
}

// ProductsCached is Products without prefetching, for rows that were read shortly before.
func ProductsCached[T Float](dst []float64, x []T, stride int, w []float64) {
	x = within(x, stride, len(dst), len(w))
	if len(dst) == 0 || productsAssembly(dst, x, stride, w) {
		return
	}
	for i := range dst {
		dst[i] = product(x[i*stride:i*stride+len(w)], w)
	}
}

// Combine adds Σ c[i]·x[i·stride+j] to dst[j], over the rows i of a matrix as for
// Products, in ascending order. Each row is as long as dst. Combine panics if x is too
// short for len(c) rows or stride is less than len(dst).
func Combine[T Float](dst []float64, x []T, stride int, c []float64) {
	x = within(x, stride, len(c), len(dst))
	for rows := block(x, stride); rows < len(c); {
		Prefetch(x[rows*stride : min(2*rows*stride, len(x))])
		CombineCached(dst, x, stride, c[:rows])
		c, x = c[rows:], x[rows*stride:]
	}
	CombineCached(dst, x, stride, c)
}

// CombineCached is Combine without prefetching, for rows that were read shortly before.
func CombineCached[T Float](dst []float64, x []T, stride int, c []float64) {
	x = within(x, stride, len(c), len(dst))
	if len(c) == 0 || combineAssembly(dst, x, stride, c) {
		return
	}
	for i, v := range c {
		if row, ok := any(x[i*stride : i*stride+len(dst)]).([]float64); ok {
			addScaled(dst, v, row)
			continue
		}
		for j, number := range x[i*stride : i*stride+len(dst)] {
			dst[j] += v * float64(number)
		}
	}
}

// product returns the inner product of row and w.
func product[T Float](row []T, w []float64) float64 {
	if row, ok := any(row).([]float64); ok {
		return dot(row, w)
	}
	return fourSums(row, w)
}

// block returns the number of rows in a block; the next block is prefetched while one
// is processed. If x is small enough for a cache, or no assembly is in use, all of x is
// one block. The processor prefetches by itself, but not across memory pages.
func block[T Float](x []T, stride int) int {
	const few, together = 1 << 10, 1 << 10 // numbers
	if len(x) < few || use == scalar {
		return len(x) + 1
	}
	return max(8, together/stride&^7)
}

// within returns the part of x that the given rows and columns use.
func within[T Float](x []T, stride, rows, columns int) []T {
	if rows == 0 {
		return nil
	}
	if stride < columns {
		panic("simd: rows are longer than the stride")
	}
	return x[:(rows-1)*stride+columns]
}
