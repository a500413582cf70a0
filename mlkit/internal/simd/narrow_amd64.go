//go:build !noasm

package simd

import "unsafe"

func narrowAssembly(dst []float32, x []float64) (done int, square float64) {
	switch done, width := round(len(x)); width {
	case 16:
		return done, narrowAVX512(&dst[0], &x[0], done)
	case 8:
		return done, narrowAVX2(&dst[0], &x[0], done)
	}
	return 0, 0
}

func standardiseAssembly[T Float](dst []T, x, mean, perScale []float64) (done int) {
	done, width := round(len(dst))
	if done == 0 {
		return 0
	}
	d, single := unsafe.Pointer(&dst[0]), unsafe.Sizeof(dst[0]) == 4
	switch {
	case single && width == 16:
		standardise32AVX512((*float32)(d), &x[0], &mean[0], &perScale[0], done)
	case single:
		standardise32AVX2((*float32)(d), &x[0], &mean[0], &perScale[0], done)
	case width == 16:
		standardise64AVX512((*float64)(d), &x[0], &mean[0], &perScale[0], done)
	default:
		standardise64AVX2((*float64)(d), &x[0], &mean[0], &perScale[0], done)
	}
	return done
}
