package simd

// Dot returns the inner product Σ x[i]·y[i]. The result is the same, bit for bit, on all processors
// and at all levels: it is that of gonum's assembly for amd64. The error is at most n·u Σ |x[i]·y[i]| with
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
	for len(x) >= 8 && len(y) >= 8 { // one check of the bounds for eight
		a, b := (*[8]T)(x), (*[8]float64)(y)
		s0 += float64(float64(a[0]) * b[0])
		s1 += float64(float64(a[1]) * b[1])
		s2 += float64(float64(a[2]) * b[2])
		s3 += float64(float64(a[3]) * b[3])
		s0 += float64(float64(a[4]) * b[4])
		s1 += float64(float64(a[5]) * b[5])
		s2 += float64(float64(a[6]) * b[6])
		s3 += float64(float64(a[7]) * b[7])
		x, y = x[8:], y[8:]
	}
	if len(x) >= 4 {
		s0 += float64(float64(x[0]) * y[0])
		s1 += float64(float64(x[1]) * y[1])
		s2 += float64(float64(x[2]) * y[2])
		s3 += float64(float64(x[3]) * y[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += float64(float64(v) * y[i])
	}
	return (s0 + s2) + (s1 + s3)
}

// addEights is AddScaled in plain Go.
func addEights(dst []float64, a float64, x []float64) {
	for len(x) >= 8 && len(dst) >= 8 {
		from, to := (*[8]float64)(x), (*[8]float64)(dst)
		to[0] += float64(a * from[0])
		to[1] += float64(a * from[1])
		to[2] += float64(a * from[2])
		to[3] += float64(a * from[3])
		to[4] += float64(a * from[4])
		to[5] += float64(a * from[5])
		to[6] += float64(a * from[6])
		to[7] += float64(a * from[7])
		x, dst = x[8:], dst[8:]
	}
	for i, v := range x {
		dst[i] += float64(a * v)
	}
}
