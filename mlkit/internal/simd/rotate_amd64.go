//go:build !noasm

package simd

// rotateAssembly does Rotate for the first columns, and returns their number.
func rotateAssembly(x []float64, first, stride, columns int, rotations []float64) (done int) {
	switch use {
	case avx512:
		for ; done+32 <= columns; done += 32 {
			rotateAVX512(&x[first+done], stride, &rotations[0], len(rotations)/2)
		}
	case avx2:
		for ; done+16 <= columns; done += 16 {
			rotateAVX2(&x[first+done], stride, &rotations[0], len(rotations)/2)
		}
	}
	return done
}
