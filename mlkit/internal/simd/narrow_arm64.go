//go:build !noasm

package simd

import "unsafe"

func narrowAssembly(dst []float32, x []float64) (done int, square float64) {
	if done, _ = round(len(x)); done > 0 {
		square = narrowNEON(&dst[0], &x[0], done)
	}
	return done, square
}

func standardiseAssembly[T Float](dst []T, x, mean, perScale []float64) (done int) {
	if done, _ = round(len(dst)); done == 0 {
		return 0
	}
	d := unsafe.Pointer(&dst[0])
	if unsafe.Sizeof(dst[0]) == 4 {
		standardise32NEON((*float32)(d), &x[0], &mean[0], &perScale[0], done)
	} else {
		standardise64NEON((*float64)(d), &x[0], &mean[0], &perScale[0], done)
	}
	return done
}
