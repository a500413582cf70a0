//go:build noasm || (!amd64 && !arm64)

package simd

func productsAssembly[T Float](dst []float64, x []T, stride int, w []float64) bool { return false }

func combineAssembly[T Float](dst []float64, x []T, stride int, c []float64) bool { return false }

// Prefetch loads x into the cache, if assembly is in use.
func Prefetch[T Float](x []T) {}

func descendAssembly[T Float](x []T, stride int, w []float64, order []int32, c []Coordinate, s *Descent) bool {
	return false
}
