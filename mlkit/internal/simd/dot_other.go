//go:build noasm || !amd64

package simd

func dot(x, y []float64) float64 { return fourSums(x, y) }

func addScaled(dst []float64, a float64, x []float64) { addEights(dst, a, x) }
