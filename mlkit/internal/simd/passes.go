package simd

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// lanes holds the results of each lane of the assembly's vectors. It has room for two
// of the widest vectors.
type lanes struct {
	x, y  [16]float64
	index [16]int64
}

// Update adds a·ki + b·kj to g. It returns the first index with the largest g + up and
// that sum, or -1 and -Inf if no sum is above -Inf, and the smallest g + low. Update
// panics if a slice is shorter than g.
//
// up[t] is 0 if yₜαₜ may grow and -Inf otherwise; low[t] is 0 if it may shrink and +Inf
// otherwise (Rong-En Fan, Pai-Hsuen Chen, Chih-Jen Lin, "Working set selection
// using second order information for training support vector machines", 2005, equation
// 4).
func Update(g []float64, up, low, ki, kj []float32, a, b float64) (index int, most, least float64) {
	n := len(g)
	up, low, ki, kj = up[:n], low[:n], ki[:n], kj[:n]
	index, most, least = -1, math.Inf(-1), math.Inf(1)
	var l lanes
	done, width := updateAssembly(g, up, low, ki, kj, a, b, &l)
	for i := range width {
		if v, at := l.x[i], int(l.index[i]); v > most || v == most && at < index {
			index, most = at, v
		}
		least = min(least, l.y[i])
	}
	for t := done; t < n; t++ {
		v := g[t] + a*float64(ki[t]) + b*float64(kj[t])
		g[t] = v
		// Branches that are rarely taken: the processor foresees them.
		if u := v + float64(up[t]); u > most {
			index, most = t, u
		}
		if l := v + float64(low[t]); l < least {
			least = l
		}
	}
	return index, most, least
}

// Partner returns the first index that maximises b²/a subject to b > 0, or -1 if no b is
// positive. Here b = own - g - low and a = max(ownDiagonal + diagonal - 2k, 10⁻¹²) (Fan,
// Chen, Lin, equation 18). low has the same meaning as for Update. Partner may confuse
// fractions that differ by rounding errors only. Partner panics if a slice is shorter
// than g.
func Partner(g []float64, low, diagonal, k []float32, own, ownDiagonal float64) int {
	n := len(g)
	low, diagonal, k = low[:n], diagonal[:n], k[:n]
	index, above, below := -1, 0.0, 1.0
	var l lanes
	done, width := partnerAssembly(g, low, diagonal, k, own, ownDiagonal, &l)
	for i := range width {
		ours, best := l.x[i]*below, above*l.y[i]
		if at := int(l.index[i]); ours > best || ours == best && ours > 0 && at < index {
			index, above, below = at, l.x[i], l.y[i]
		}
	}
	for t := done; t < n; t++ {
		b := own - (g[t] + float64(low[t]))
		a := ownDiagonal + float64(diagonal[t]) - 2*float64(k[t])
		if a < 1e-12 {
			a = 1e-12
		}
		// b|b| is negative with b, so one branch that is rarely taken is enough.
		if b *= math.Abs(b); b*below > above*a {
			index, above, below = t, b, a
		}
	}
	return index
}

// Axpy adds a·x to dst. It panics if x is shorter than dst.
func Axpy(dst []float64, a float64, x []float64) {
	x = x[:len(dst)]
	done := axpyAssembly(dst, x, a)
	floats.AddScaled(dst[done:], a, x[done:])
}
