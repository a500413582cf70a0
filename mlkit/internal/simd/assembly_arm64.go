//go:build !noasm

package simd

import "unsafe"

// tileAssembly does Tile in assembly, and reports whether any is in use. No slice may
// be empty.
func tileAssembly[T Float](dst, panel, x []T, features []uint32, rows int) bool {
	if use == scalar {
		return false
	}
	d, p, v := unsafe.Pointer(&dst[0]), unsafe.Pointer(&panel[0]), unsafe.Pointer(&x[0])
	f, n := &features[0], len(features)
	single := unsafe.Sizeof(dst[0]) == 4
	switch {
	case single && rows == 1:
		tile32x1NEON((*float32)(d), (*float32)(p), (*float32)(v), f, n)
	case single:
		tile32x6NEON((*float32)(d), (*float32)(p), (*float32)(v), f, n)
	case rows == 1:
		tile64x1NEON((*float64)(d), (*float64)(p), (*float64)(v), f, n)
	default:
		tile64x6NEON((*float64)(d), (*float64)(p), (*float64)(v), f, n)
	}
	return true
}

// gaussAssembly does Gauss in assembly, and reports whether any is in use. No slice may
// be empty.
func gaussAssembly[T Float](tile, own, squares []T, minusGamma T) bool {
	if use == scalar {
		return false
	}
	t, o, s := unsafe.Pointer(&tile[0]), unsafe.Pointer(&own[0]), unsafe.Pointer(&squares[0])
	if unsafe.Sizeof(minusGamma) == 4 {
		gauss32NEON((*float32)(t), (*float32)(o), (*float32)(s), len(own), float32(minusGamma))
	} else {
		gauss64NEON((*float64)(t), (*float64)(o), (*float64)(s), len(own), float64(minusGamma))
	}
	return true
}

// round returns how many of n elements the assembly processes, a multiple of 8, and in
// how many lanes.
func round(n int) (done, width int) {
	if done = n &^ 7; use == scalar || done == 0 {
		return 0, 0
	}
	return done, 8
}

// Each function below does the work of its namesake for the first done elements, and
// leaves its results in the first width lanes of l.

func updateAssembly(g []float64, up, low, ki, kj []float32, a, b, middle float64, l *passLanes) (done, width int) {
	if done, width = round(len(g)); done > 0 {
		updateNEON(&g[0], &up[0], &low[0], &ki[0], &kj[0], done, a, b, middle, &l.x[0])
	}
	return done, width
}

func partnerAssembly(g []float64, low, diagonal, k []float32, own float64, ownDiagonal float32, l *passLanes) (done, width int) {
	if done, width = round(len(g)); done > 0 {
		partnerNEON(&g[0], &low[0], &diagonal[0], &k[0], done, own, ownDiagonal, &l.x[0])
	}
	return done, width
}

func axpyAssembly(dst, x []float64, a float64) (done int) {
	if done, _ = round(len(dst)); done > 0 {
		axpyNEON(&dst[0], &x[0], done, a)
	}
	return done
}

func hingeAssembly(slack, change, bound []float64, t float64, l *lanes) (done, width int) {
	if done, width = round(len(change)); done > 0 {
		hingeNEON(&slack[0], &change[0], &bound[0], done, t, &l.x[0])
	}
	return done, width
}
