package simd

// Narrow sets dst to x rounded to float32, and returns Σ xᵢ². It panics if x is shorter
// than dst.
func Narrow(dst []float32, x []float64) (square float64) {
	x = x[:len(dst)]
	done, square := narrowAssembly(dst, x)
	for t := done; t < len(x); t++ {
		dst[t] = float32(x[t])
		square += x[t] * x[t]
	}
	return square
}

// Standardize sets dst to (x - mean)·perScale, element by element. Every level gives
// the same bits. Standardize panics if another slice is shorter than dst.
func Standardize[T Float](dst []T, x, mean, perScale []float64) {
	n := len(dst)
	x, mean, perScale = x[:n], mean[:n], perScale[:n]
	for t := standardiseAssembly(dst, x, mean, perScale); t < n; t++ {
		dst[t] = T((x[t] - mean[t]) * perScale[t])
	}
}
