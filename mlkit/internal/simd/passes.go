package simd

import (
	"math"
)

// passLanes holds what each lane of the assembly's vectors has found. It has room for one of
// the widest vectors.
type passLanes struct {
	x, y  [16]float32
	index [16]int32
}

// Update adds a·ki + b·kj to g. It returns the first index with the largest g - middle + up,
// or -1 if none is above -Inf, and the smallest g - middle + low. Both are sums of float32, to
// which g - middle is rounded. Update panics if a slice is shorter than g.
//
// up[t] is 0 if yₜαₜ may grow and -Inf otherwise; low[t] is 0 if it may shrink and +Inf
// otherwise (Rong-En Fan, Pai-Hsuen Chen, Chih-Jen Lin, "Working set selection
// using second order information for training support vector machines", 2005, equation
// 4).
func Update(g []float64, up, low, ki, kj []float32, a, b, middle float64) (index int, most, least float32) {
	n := len(g)
	up, low, ki, kj = up[:n], low[:n], ki[:n], kj[:n]
	index, most, least = -1, -inf32, inf32
	var l passLanes
	done, width := updateAssembly(g, up, low, ki, kj, a, b, middle, &l)
	for i := range width {
		if v, at := l.x[i], int(l.index[i]); v > most || v == most && at < index {
			index, most = at, v
		}
		least = min(least, l.y[i])
	}
	for t := done; t < n; t++ {
		v := g[t] + a*float64(ki[t]) + b*float64(kj[t])
		g[t] = v
		distance := float32(v - middle)
		// Branches that are rarely taken: the processor foresees them.
		if u := distance + up[t]; u > most {
			index, most = t, u
		}
		if l := distance + low[t]; l < least {
			least = l
		}
	}
	return index, most, least
}

var inf32 = float32(math.Inf(1))

// Partner returns the first index that maximises b²/a subject to b > 0, or -1 if no b is
// positive. Here b = own - g - low and a = max(ownDiagonal + diagonal - 2k, 10⁻¹²) (Fan,
// Chen, Lin, equation 18), in float32 from own - g on. low has the same meaning as for
// Update. Partner panics if a slice is shorter than g.
func Partner(g []float64, low, diagonal, k []float32, own float64, ownDiagonal float32) int {
	n := len(g)
	low, diagonal, k = low[:n], diagonal[:n], k[:n]
	index, most := -1, float32(0)
	var l passLanes
	done, width := partnerAssembly(g, low, diagonal, k, own, ownDiagonal, &l)
	for i := range width {
		if v, at := l.x[i], int(l.index[i]); v > most || v == most && v > 0 && at < index {
			index, most = at, v
		}
	}
	for t := done; t < n; t++ {
		b := float32(own-g[t]) - low[t]
		a := ownDiagonal + diagonal[t] - 2*k[t]
		if a < 1e-12 {
			a = 1e-12
		}
		if gain := b * b / a; b > 0 && gain > most {
			index, most = t, gain
		}
	}
	return index
}

// Axpy adds a·x to dst. It panics if x is shorter than dst.
func Axpy(dst []float64, a float64, x []float64) {
	x = x[:len(dst)]
	done := axpyAssembly(dst, x, a)
	addScaled(dst[done:], a, x[done:])
}
