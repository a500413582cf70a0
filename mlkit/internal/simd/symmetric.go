package simd

// SymmetricMul sets dst = A·x for a symmetric n×n matrix A with n = len(x). It reads
// the elements on and above the diagonal, a[i·stride+j] for j ≥ i. The error is that of
// sums of n products in some order: at most n·u/(1-n·u)·Σ |aᵢⱼxⱼ|.
//
// SymmetricMul panics if dst or a is too short, or if n > 1 and stride < n.
func SymmetricMul(dst, a []float64, stride int, x []float64) {
	n := len(x)
	dst = dst[:n]
	clear(dst)
	if n > 0 {
		_ = a[(n-1)*stride+n-1]
	}
	if n > 1 && stride < n {
		panic("simd: the rows of a symmetric matrix overlap")
	}
	from := 0
	for ; use != scalar && from+16 <= n; from += 4 {
		// The vectorised part begins and ends at cache line boundaries if the rows do.
		first := (from + 4 + 7) &^ 7
		last := first + (n-first)&^7
		if first >= last {
			break
		}
		var lanes [4][8]float64
		symmetricAssembly(dst[first:last], a[from*stride+first:], x[first:last], stride, x[from:from+4], &lanes)
		for r := range 4 {
			i := from + r
			row, v := a[i*stride:i*stride+n], x[i]
			sum := row[i] * v
			for j := i + 1; j < first; j++ {
				sum += row[j] * x[j]
				dst[j] += row[j] * v
			}
			for _, lane := range lanes[r] {
				sum += lane
			}
			for j := last; j < n; j++ {
				sum += row[j] * x[j]
				dst[j] += row[j] * v
			}
			dst[i] += sum
		}
	}
	for i := from; i < n; i++ {
		row := a[i*stride+i+1 : i*stride+n]
		dst[i] += a[i*stride+i]*x[i] + dot(row, x[i+1:])
		addScaled(dst[i+1:], x[i], row)
	}
}
