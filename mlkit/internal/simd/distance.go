package simd

import "math"

// Distances sets dst[i] = Σ (x[k] - panel[k·w+i])², the squared distances of a sample
// of len(x) features from the w = 32 samples of a panel. It rounds each square before
// adding it, in the order of the features. So every level gives the same bits on
// every processor.
//
// Distances panics if dst is shorter than w or panel is shorter than len(x)·w.
func Distances(dst, panel, x []float64) {
	const w = 32
	dst, panel = dst[:w], panel[:len(x)*w]
	if len(x) == 0 {
		clear(dst)
		return
	}
	if distancesAssembly(dst, panel, x) {
		return
	}
	for from := 0; from < w; from += 8 {
		squares8((*[8]float64)(dst[from:]), panel[from:], x)
	}
}

// squares8 is Distances for eight samples of the panel, with one register per sum. The
// conversions keep compilers from fusing products with additions.
func squares8(dst *[8]float64, panel, x []float64) {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for k, v := range x {
		p := (*[8]float64)(panel[k*32:])
		d0, d1, d2, d3 := v-p[0], v-p[1], v-p[2], v-p[3]
		s0, s1, s2, s3 = s0+float64(d0*d0), s1+float64(d1*d1), s2+float64(d2*d2), s3+float64(d3*d3)
		d4, d5, d6, d7 := v-p[4], v-p[5], v-p[6], v-p[7]
		s4, s5, s6, s7 = s4+float64(d4*d4), s5+float64(d5*d5), s6+float64(d6*d6), s7+float64(d7*d7)
	}
	*dst = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// Nearest sets least[i] to the smallest squared distance of sample i of a panel from
// the centres, as computed by Distances, and index[i] to the number of the first centre
// at that distance. centres holds the centres one after another, with d > 0 features
// each. If no distance is less than +Inf, because all are +Inf or NaN, the results are
// +Inf and 0.
//
// index and least have length 32, panel has length d·32. Nearest panics if one of them
// is shorter.
func Nearest(index []int64, least, panel, centres []float64, d int) {
	const w = 32
	index, least, panel = index[:w], least[:w], panel[:d*w]
	if d > 0 && len(centres) > 0 && nearestAssembly(index, least, panel, centres, d) {
		return
	}
	for i := range least {
		least[i], index[i] = math.Inf(1), 0
	}
	var distances [w]float64
	for c := 0; d > 0 && (c+1)*d <= len(centres); c++ {
		Distances(distances[:], panel, centres[c*d:(c+1)*d])
		for i, v := range distances {
			if v < least[i] {
				least[i], index[i] = v, int64(c)
			}
		}
	}
}
