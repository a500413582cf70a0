package simd

import "math"

// Distances sets dst[i] = Σ (x[k] - panel[k·w+i])², the squared distances of one sample
// of len(x) features from the w = 32 of a panel. Each product is rounded, and then added
// in the order of features: every level gives the same bits, which are those of that loop
// in plain Go (where its compiler does not fuse the two, as it does on arm64).
//
// It panics if dst is shorter than w, or panel than len(x)·w.
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

// squares8 is Distances for eight samples of the panel, whose sums have a register each.
func squares8(dst *[8]float64, panel, x []float64) {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for k, v := range x {
		p := (*[8]float64)(panel[k*32:])
		d0, d1, d2, d3 := v-p[0], v-p[1], v-p[2], v-p[3]
		s0, s1, s2, s3 = s0+d0*d0, s1+d1*d1, s2+d2*d2, s3+d3*d3
		d4, d5, d6, d7 := v-p[4], v-p[5], v-p[6], v-p[7]
		s4, s5, s6, s7 = s4+d4*d4, s5+d5*d5, s6+d6*d6, s7+d7*d7
	}
	*dst = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// Nearest sets least[i] to the smallest of the squared distances of sample i of a panel
// from the centres, as Distances has them, and index[i] to the number of the first centre
// that has it. The centres are of d > 0 features each, one after another. If no distance is
// less than infinity, what is not a number included, they are +Inf and 0.
//
// index and least are of length 32, panel of d·32. It panics if one of them is shorter.
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
