//go:build !noasm

package simd

import "unsafe"

// outerAssembly does Outer in assembly, and reports whether any is in use. No slice may be
// empty.
func outerAssembly[T Float](dst []float64, to int, a, b []T, count, units int) bool {
	if use == scalar {
		return false
	}
	d, p, q := &dst[0], unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0])
	single := unsafe.Sizeof(a[0]) == 4
	switch {
	case single && use == avx512:
		outer32AVX512(d, to, (*float32)(p), (*float32)(q), count, units)
	case single:
		outer32AVX2(d, to, (*float32)(p), (*float32)(q), count, units)
	case use == avx512:
		outer64AVX512(d, to, (*float64)(p), (*float64)(q), count, units)
	default:
		outer64AVX2(d, to, (*float64)(p), (*float64)(q), count, units)
	}
	return true
}

// outerBytes returns the size of a unit of columns: a vector.
func outerBytes() int {
	if use == avx512 {
		return 64
	}
	return 32
}
