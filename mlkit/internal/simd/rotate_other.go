//go:build noasm || (!amd64 && !arm64)

package simd

func rotateAssembly(x []float64, first, stride, columns int, rotations []float64) (done int) {
	return 0
}
