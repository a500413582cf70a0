package simd

// Dot returns the inner product Σ x[i]·y[i]. It has the same bits on all processors and at all
// levels: those of gonum's assembly for amd64. The error is at most n·u Σ |x[i]·y[i]| with
// u = 2⁻⁵³. Dot panics if the lengths differ.
func Dot(x, y []float64) float64 {
	if len(x) != len(y) {
		panic("simd: Dot: the vectors differ in length")
	}
	return dot(x, y)
}

// AddScaled adds a·x[i] to dst[i], and rounds the product before it adds it, on all processors.
// AddScaled panics if the lengths differ.
func AddScaled(dst []float64, a float64, x []float64) {
	if len(x) != len(dst) {
		panic("simd: AddScaled: the vectors differ in length")
	}
	addScaled(dst, a, x)
}

// fourSums is Dot in plain Go: four sums, so that no addition waits for the one before. A
// conversion keeps the compiler from fusing a product with an addition.
func fourSums[T Float](x []T, y []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		a, b := (*[4]T)(x), (*[4]float64)(y) // one check of the bounds for four
		s0 += float64(float64(a[0]) * b[0])
		s1 += float64(float64(a[1]) * b[1])
		s2 += float64(float64(a[2]) * b[2])
		s3 += float64(float64(a[3]) * b[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += float64(float64(v) * y[i])
	}
	return (s0 + s2) + (s1 + s3)
}

// addFour is AddScaled in plain Go.
func addFour(dst []float64, a float64, x []float64) {
	for len(x) >= 4 && len(dst) >= 4 {
		from, to := (*[4]float64)(x), (*[4]float64)(dst)
		to[0] += float64(a * from[0])
		to[1] += float64(a * from[1])
		to[2] += float64(a * from[2])
		to[3] += float64(a * from[3])
		x, dst = x[4:], dst[4:]
	}
	for i, v := range x {
		dst[i] += float64(a * v)
	}
}
