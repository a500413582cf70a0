package simd

// rotateAssembly does Rotate for the first columns, and returns their number.
func rotateAssembly(x []float64, first, stride, columns int, turns []float64) (done int) {
	if use == scalar {
		return 0
	}
	for ; done+16 <= columns; done += 16 {
		rotateNEON(&x[first+done], stride, &turns[0], len(turns)/2)
	}
	return done
}
