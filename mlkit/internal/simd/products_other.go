//go:build !amd64

package simd

func productsAssembly(dst, x []float64, stride int, w []float64) bool { return false }

func combineAssembly(dst, x []float64, stride int, c []float64) bool { return false }

// Prefetch asks for x, which is wanted soon, if assembly is in use.
func Prefetch(x []float64) {}

func rightAssembly(x []float64, stride int, w []float64, b float64, y []float64) (right int, score float64, ok bool) {
	return 0, 0, false
}
