//go:build noasm || (!amd64 && !arm64)

package simd

func outerAssembly[T Float](dst []float64, to int, a, b []T, count, units int) bool { return false }

func outerBytes() int { return 32 }
