//go:build !noasm

package simd

// rotateAssembly does Rotate for the first columns, and returns their number.
func rotateAssembly(x []float64, first, stride, columns int, rotations []float64) (done int) {
	if use == scalar {
		return 0
	}
	for ; done+16 <= columns; done += 16 {
		rotateNEON(&x[first+done], stride, &rotations[0], len(rotations)/2)
	}
	return done
}
