//go:build !noasm

package simd

// distancesAssembly does Distances in assembly, and reports whether any is in use. No
// slice may be empty.
func distancesAssembly(dst, panel, x []float64) bool {
	switch use {
	case avx512:
		distancesAVX512(&dst[0], &panel[0], &x[0], len(x))
	case avx2:
		distancesAVX2(&dst[0], &panel[0], &x[0], len(x))
	}
	return use != scalar
}

// nearestAssembly does Nearest in assembly, and reports whether any is in use. No slice
// may be empty.
func nearestAssembly(index []int64, least, panel, centres []float64, d int) bool {
	switch count := len(centres) / d; use {
	case avx512:
		nearestAVX512(&index[0], &least[0], &panel[0], &centres[0], d, count)
	case avx2:
		nearestAVX2(&index[0], &least[0], &panel[0], &centres[0], d, count)
	}
	return use != scalar
}

// symmetricAssembly adds own[r] times row r of a to dst, for four rows as long as x,
// and sets lanes[r] to partial sums of the inner product of row r with x. The length of
// x is a positive multiple of 8.
func symmetricAssembly(dst, a, x []float64, stride int, own []float64, lanes *[4][8]float64) {
	if use == avx512 {
		symmetricAVX512(&dst[0], &a[0], &x[0], stride, len(x), &own[0], &lanes[0][0])
		return
	}
	symmetricAVX2(&dst[0], &a[0], &x[0], stride, len(x), &own[0], &lanes[0][0])
}
