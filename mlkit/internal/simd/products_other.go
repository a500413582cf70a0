//go:build !amd64

package simd

func productsAssembly[T Float](dst []float64, x []T, stride int, w []float64) bool { return false }

func combineAssembly[T Float](dst []float64, x []T, stride int, c []float64) bool { return false }

// Prefetch asks for x, which is wanted soon, if assembly is in use.
func Prefetch[T Float](x []T) {}

func rightAssembly(x []float64, stride int, w []float64, b float64, y []float64) (right int, score float64, ok bool) {
	return 0, 0, false
}

func descendAssembly[T Float](x []T, stride int, w []float64, order []int32, c []Coordinate, s *Descent) bool {
	return false
}
