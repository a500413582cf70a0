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
	if unsafe.Sizeof(a[0]) == 4 {
		outer32NEON(d, to, (*float32)(p), (*float32)(q), count, units)
	} else {
		outer64NEON(d, to, (*float64)(p), (*float64)(q), count, units)
	}
	return true
}

// outerBytes returns the size of a unit of columns: two vectors.
func outerBytes() int { return 32 }
