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
	if unsafe.Sizeof(x[0]) == 4 {
		products32NEON(d, (*float32)(p), stride, len(dst), v, len(w))
	} else {
		products64NEON(d, (*float64)(p), stride, len(dst), v, len(w))
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
	if unsafe.Sizeof(x[0]) == 4 {
		combine32NEON(d, (*float32)(p), stride, len(c), v, len(dst))
	} else {
		combine64NEON(d, (*float64)(p), stride, len(c), v, len(dst))
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
	if unsafe.Sizeof(x[0]) == 4 {
		descend32NEON((*float32)(p), stride, v, len(w), o, len(order), q, state)
	} else {
		descend64NEON((*float64)(p), stride, v, len(w), o, len(order), q, state)
	}
	return true
}
