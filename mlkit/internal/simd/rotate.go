package simd

// Rotate applies Givens rotations to pairs of neighbouring rows of a matrix: the first to rows
// 0 and 1, the next to rows 1 and 2, and so on. Number k, with the cosine c = rotations[2k] and the
// sine s = rotations[2k+1], replaces
//
//	row k by s·(row k+1) + c·(row k),  row k+1 by c·(row k+1) - s·(row k),
//
// both computed from the old values. Row k begins at x[first+k·stride] and has the given number
// of columns; stride may be negative. Rotate panics if a row is not within x.
//
// Source: Gene Golub and Charles Van Loan, Matrix Computations, 4th edition, 2013, section
// 5.1.9.
func Rotate(x []float64, first, stride, columns int, rotations []float64) {
	count := len(rotations) / 2
	if count == 0 || columns == 0 {
		return
	}
	last := first + count*stride
	_, _ = x[first:first+columns], x[last:last+columns]
	done := rotateAssembly(x, first, stride, columns, rotations[:2*count])
	for k := range count {
		at := first + k*stride
		b := x[at+done : at+columns]
		a := x[at+stride+done:][:len(b)]
		c, s := rotations[2*k], rotations[2*k+1]
		for j, v := range b {
			b[j], a[j] = s*a[j]+c*v, c*a[j]-s*v
		}
	}
}
