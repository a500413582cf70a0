//go:build !noasm

package simd

import "unsafe"

// tileAssembly does Tile in assembly, and reports whether any is in use. No slice may
// be empty.
func tileAssembly[T Float](dst, panel, x []T, features []uint32, rows int) bool {
	if use == scalar {
		return false
	}
	d, p, v := unsafe.Pointer(&dst[0]), unsafe.Pointer(&panel[0]), unsafe.Pointer(&x[0])
	f, n := &features[0], len(features)
	if unsafe.Sizeof(dst[0]) == 4 {
		tile32((*float32)(d), (*float32)(p), (*float32)(v), f, n, rows)
	} else {
		tile64((*float64)(d), (*float64)(p), (*float64)(v), f, n, rows)
	}
	return true
}

func tile32(dst, panel, x *float32, features *uint32, count, rows int) {
	switch {
	case use == avx512 && rows == 1:
		tile32x1AVX512(dst, panel, x, features, count)
	case use == avx512:
		tile32x6AVX512(dst, panel, x, features, count)
	case rows == 1:
		tile32x1AVX2(dst, panel, x, features, count)
	default:
		tile32x6AVX2(dst, panel, x, features, count)
	}
}

func tile64(dst, panel, x *float64, features *uint32, count, rows int) {
	switch {
	case use == avx512 && rows == 1:
		tile64x1AVX512(dst, panel, x, features, count)
	case use == avx512:
		tile64x6AVX512(dst, panel, x, features, count)
	case rows == 1:
		tile64x1AVX2(dst, panel, x, features, count)
	default:
		tile64x6AVX2(dst, panel, x, features, count)
	}
}

// gaussAssembly does Gauss in assembly, and reports whether any is in use. No slice may
// be empty.
func gaussAssembly[T Float](tile, own, squares []T, minusGamma T) bool {
	if use == scalar {
		return false
	}
	t, o, s := unsafe.Pointer(&tile[0]), unsafe.Pointer(&own[0]), unsafe.Pointer(&squares[0])
	single := unsafe.Sizeof(minusGamma) == 4
	switch {
	case single && use == avx512:
		gauss32AVX512((*float32)(t), (*float32)(o), (*float32)(s), len(own), float32(minusGamma))
	case single:
		gauss32AVX2((*float32)(t), (*float32)(o), (*float32)(s), len(own), float32(minusGamma))
	case use == avx512:
		gauss64AVX512((*float64)(t), (*float64)(o), (*float64)(s), len(own), float64(minusGamma))
	default:
		gauss64AVX2((*float64)(t), (*float64)(o), (*float64)(s), len(own), float64(minusGamma))
	}
	return true
}

// round returns how many of n elements the assembly processes, a multiple of 16, and in
// how many lanes.
func round(n int) (done, width int) {
	switch done = n &^ 15; {
	case use == scalar || done == 0:
		return 0, 0
	case use == avx512:
		return done, 16
	}
	return done, 8
}

// Each function below does the work of its namesake for the first done elements, and
// leaves its results in the first width lanes of l.

func updateAssembly(g []float64, up, low, ki, kj []float32, a, b, middle float64, l *passLanes) (done, width int) {
	switch done, width = round(len(g)); width {
	case 16:
		updateAVX512(&g[0], &up[0], &low[0], &ki[0], &kj[0], done, a, b, middle, &l.x[0])
	case 8:
		updateAVX2(&g[0], &up[0], &low[0], &ki[0], &kj[0], done, a, b, middle, &l.x[0])
	}
	return done, width
}

func partnerAssembly(g []float64, low, diagonal, k []float32, own float64, ownDiagonal float32, l *passLanes) (done, width int) {
	switch done, width = round(len(g)); width {
	case 16:
		partnerAVX512(&g[0], &low[0], &diagonal[0], &k[0], done, own, ownDiagonal, &l.x[0])
	case 8:
		partnerAVX2(&g[0], &low[0], &diagonal[0], &k[0], done, own, ownDiagonal, &l.x[0])
	}
	return done, width
}

func axpyAssembly(dst, x []float64, a float64) (done int) {
	done, width := round(len(dst))
	switch width {
	case 16:
		axpyAVX512(&dst[0], &x[0], done, a)
	case 8:
		axpyAVX2(&dst[0], &x[0], done, a)
	}
	return done
}

func hingeAssembly(slack, change, bound []float64, t float64, l *lanes) (done, width int) {
	switch done, width = round(len(change)); width {
	case 16:
		hingeAVX512(&slack[0], &change[0], &bound[0], done, t, &l.x[0])
	case 8:
		hingeAVX2(&slack[0], &change[0], &bound[0], done, t, &l.x[0])
	}
	return done, width
}
