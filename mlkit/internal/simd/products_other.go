//go:build !amd64

package simd

func productsAssembly(dst, x []float64, stride int, w []float64) bool { return false }

func combineAssembly(dst, x []float64, stride int, c []float64) bool { return false }

// Prefetch asks for x, which is wanted soon, if assembly is in use.
func Prefetch(x []float64) {}
