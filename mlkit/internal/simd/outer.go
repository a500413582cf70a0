package simd

import "unsafe"

// OuterRows is the number of columns of the first panel in a call of Outer.
const OuterRows = 4

// OuterWidth returns the number of columns in a panel of Outer, a multiple of 12, and the
// unit of columns that Outer adds at a time. Both depend on the level.
func OuterWidth[T Float]() (width, unit int) {
	if use == scalar {
		return 12, 12
	}
	var v T
	unit = outerBytes() / int(unsafe.Sizeof(v))
	return 3 * unit, unit
}

// Outer adds the outer products of count rows of two panels to dst:
//
//	dst[r·to+c] += Σ a[k·w+r]·b[k·w+c],  r < OuterRows, c < columns
//
// where w is the width of a panel. columns is a multiple of the unit, at most w. Sums run over
// the rows k in ascending order, in the type of the panels; assembly uses fused multiply-add.
// Outer panics if a slice is too short or columns is wrong.
func Outer[T Float](dst []float64, to int, a, b []T, count, columns int) {
	w, unit := OuterWidth[T]()
	if count == 0 || columns == 0 {
		return
	}
	if columns%unit != 0 || columns > w || to < columns {
		panic("simd: columns must be a multiple of the unit and fit into a panel and into dst")
	}
	dst, a, b = dst[:(OuterRows-1)*to+columns], a[:(count-1)*w+OuterRows], b[:(count-1)*w+columns]
	if outerAssembly(dst, to, a, b, count, columns/unit) {
		return
	}
	for r := range OuterRows {
		for c := 0; c < columns; c += 6 {
			outer6((*[6]float64)(dst[r*to+c:]), a[r:], b[c:], w)
		}
	}
}

// outer6 is Outer for one column of a and six of b, with one register per sum.
func outer6[T Float](dst *[6]float64, a, b []T, w int) {
	var s0, s1, s2, s3, s4, s5 T
	for k := 0; k < len(a); k += w {
		v, p := a[k], (*[6]T)(b[k:])
		s0 += v * p[0]
		s1 += v * p[1]
		s2 += v * p[2]
		s3 += v * p[3]
		s4 += v * p[4]
		s5 += v * p[5]
	}
	for c, sum := range [6]T{s0, s1, s2, s3, s4, s5} {
		dst[c] += float64(sum)
	}
}
