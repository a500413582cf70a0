package simd

import "unsafe"

// tileAssembly is Tile by assembly, if that is in use. No slice is empty.
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
