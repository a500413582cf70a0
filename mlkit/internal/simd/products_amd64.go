package simd

// productsAssembly is Products by assembly, if that is in use.
func productsAssembly(dst, x []float64, stride int, w []float64) bool {
	switch {
	case use == scalar || len(w) == 0:
		return false
	case use == avx512:
		productsAVX512(&dst[0], &x[0], stride, len(dst), &w[0], len(w))
	default:
		productsAVX2(&dst[0], &x[0], stride, len(dst), &w[0], len(w))
	}
	return true
}

// combineAssembly is Combine by assembly, if that is in use.
func combineAssembly(dst, x []float64, stride int, c []float64) bool {
	switch {
	case use == scalar || len(dst) == 0:
		return false
	case use == avx512:
		combineAVX512(&dst[0], &x[0], stride, len(c), &c[0], len(dst))
	default:
		combineAVX2(&dst[0], &x[0], stride, len(c), &c[0], len(dst))
	}
	return true
}

// rightAssembly is Right by assembly, if that is in use.
func rightAssembly(x []float64, stride int, w []float64, b float64, y []float64) (right int, score float64, ok bool) {
	switch {
	case use == scalar || len(w) == 0:
		return 0, 0, false
	case use == avx512:
		right = rightAVX512(&x[0], stride, len(y), &w[0], len(w), b, &y[0], &score)
	default:
		right = rightAVX2(&x[0], stride, len(y), &w[0], len(w), b, &y[0], &score)
	}
	return right, score, true
}

// Prefetch asks for x, which is wanted soon, if assembly is in use.
func Prefetch(x []float64) {
	if use != scalar && len(x) > 0 {
		prefetch(&x[0], len(x))
	}
}
