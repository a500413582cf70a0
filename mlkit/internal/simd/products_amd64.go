//go:build !noasm

package simd

import "unsafe"

// productsAssembly does Products in assembly, and reports false if no assembly is in
// use or w is empty.
func productsAssembly[T Float](dst []float64, x []T, stride int, w []float64) bool {
	if use == scalar || len(w) == 0 {
		return false
	}
	d, p, v := &dst[0], unsafe.Pointer(&x[0]), &w[0]
	single := unsafe.Sizeof(x[0]) == 4
	switch {
	case single && use == avx512:
		products32AVX512(d, (*float32)(p), stride, len(dst), v, len(w))
	case single:
		products32AVX2(d, (*float32)(p), stride, len(dst), v, len(w))
	case use == avx512:
		products64AVX512(d, (*float64)(p), stride, len(dst), v, len(w))
	default:
		products64AVX2(d, (*float64)(p), stride, len(dst), v, len(w))
	}
	return true
}

// combineAssembly does Combine in assembly, and reports false if no assembly is in use
// or dst is empty.
func combineAssembly[T Float](dst []float64, x []T, stride int, c []float64) bool {
	if use == scalar || len(dst) == 0 {
		return false
	}
	d, p, v := &dst[0], unsafe.Pointer(&x[0]), &c[0]
	single := unsafe.Sizeof(x[0]) == 4
	switch {
	case single && use == avx512:
		combine32AVX512(d, (*float32)(p), stride, len(c), v, len(dst))
	case single:
		combine32AVX2(d, (*float32)(p), stride, len(c), v, len(dst))
	case use == avx512:
		combine64AVX512(d, (*float64)(p), stride, len(c), v, len(dst))
	default:
		combine64AVX2(d, (*float64)(p), stride, len(c), v, len(dst))
	}
	return true
}

// Prefetch loads x into the cache, if assembly is in use.
func Prefetch[T Float](x []T) {
	if use != scalar && len(x) > 0 {
		prefetch((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
	}
}

// descendAssembly does Descend in assembly, and reports false if no assembly is in use
// or w is empty.
func descendAssembly[T Float](x []T, stride int, w []float64, order []int32, c []Coordinate, s *Descent) bool {
	if use == scalar || len(w) == 0 {
		return false
	}
	p, v, o, q, state := unsafe.Pointer(&x[0]), &w[0], &order[0], &c[0].Alpha, &s.B
	single := unsafe.Sizeof(x[0]) == 4
	switch {
	case single && use == avx512:
		descend32AVX512((*float32)(p), stride, v, len(w), o, len(order), q, state)
	case single:
		descend32AVX2((*float32)(p), stride, v, len(w), o, len(order), q, state)
	case use == avx512:
		descend64AVX512((*float64)(p), stride, v, len(w), o, len(order), q, state)
	default:
		descend64AVX2((*float64)(p), stride, v, len(w), o, len(order), q, state)
	}
	return true
}
