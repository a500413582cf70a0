//go:build noasm || (!amd64 && !arm64)

package simd

var names = map[string]level{"off": scalar}

func best() level { return scalar }

func tileAssembly[T Float](dst, panel, x []T, features []uint32, rows int) bool { return false }

func gaussAssembly[T Float](tile, own, squares []T, minusGamma T) bool { return false }

func updateAssembly(g []float64, up, low, ki, kj []float32, a, b, middle float64, l *passLanes) (done, width int) {
	return 0, 0
}

func partnerAssembly(g []float64, low, diagonal, k []float32, own float64, ownDiagonal float32, l *passLanes) (done, width int) {
	return 0, 0
}

func axpyAssembly(dst, x []float64, a float64) (done int) { return 0 }

func hingeAssembly(slack, change, bound []float64, t float64, l *lanes) (done, width int) {
	return 0, 0
}
