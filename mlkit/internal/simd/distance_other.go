//go:build noasm || (!amd64 && !arm64)

package simd

func distancesAssembly(dst, panel, x []float64) bool { return false }

func nearestAssembly(index []int64, least, panel, centres []float64, d int) bool { return false }

func symmetricAssembly(dst, a, x []float64, stride int, own []float64, lanes *[4][8]float64) {}
