//go:build !noasm

package simd

// distancesAssembly does Distances in assembly, and reports whether any is in use. No
// slice may be empty.
func distancesAssembly(dst, panel, x []float64) bool {
	if use == scalar {
		return false
	}
	distancesNEON(&dst[0], &panel[0], &x[0], len(x))
	return true
}

// nearestAssembly does Nearest in assembly, and reports whether any is in use. No slice
// may be empty.
func nearestAssembly(index []int64, least, panel, centres []float64, d int) bool {
	if use == scalar {
		return false
	}
	nearestNEON(&index[0], &least[0], &panel[0], &centres[0], d, len(centres)/d)
	return true
}

// symmetricAssembly adds own[r] times row r of a to dst, for four rows as long as x,
// and sets lanes[r] to partial sums of the inner product of row r with x. The length of
// x is a positive multiple of 8.
func symmetricAssembly(dst, a, x []float64, stride int, own []float64, lanes *[4][8]float64) {
	symmetricNEON(&dst[0], &a[0], &x[0], stride, len(x), &own[0], &lanes[0][0])
}
