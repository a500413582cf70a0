package simd

// Float is a type of numbers for which there are kernels.
type Float interface{ float32 | float64 }

// Rows is the number of samples in a tile.
const Rows = 6

// Width returns the number of samples in a panel: 64 of float32, 32 of float64.
func Width[T Float]() int {
	var v T
	if _, ok := any(v).(float32); ok {
		return 64
	}
	return 32
}

// Tile sets dst[r·w+i] = Σ x[k·rows+r]·panel[features[k]·w+i]: the inner products of
// rows samples, 1 or Rows, with the w = Width samples of a panel. The sum runs over the
// listed features, those where at least one of the rows is not 0, in ascending order.
// For each feature the panel holds w numbers, one per sample, and for each listed
// feature x holds rows numbers. AVX2 and AVX-512 sum by fused multiply-add. A sum is
// the same whether rows is 1 or Rows.
//
// dst has length rows·w and x has length len(features)·rows. Tile panics if one of them
// is shorter, or if the panel is too short for the last feature, which must be the
// largest.
func Tile[T Float](dst, panel, x []T, features []uint32, rows int) {
	w := Width[T]()
	dst, x = dst[:rows*w], x[:len(features)*rows]
	if len(features) == 0 {
		clear(dst)
		return
	}
	last := int(features[len(features)-1])
	panel = panel[:(last+1)*w]
	if tileAssembly(dst, panel, x, features, rows) {
		return
	}
	if rows == 1 {
		for from := 0; from < w; from += 8 {
			dots8((*[8]T)(dst[from:]), panel[from:], x, features, w)
		}
		return
	}
	for i := range w {
		dots6(dst[i:], panel[i:], x, features, w)
	}
}

// dots6 is Tile for Rows samples and one sample of the panel, with one register per sum.
func dots6[T Float](dst, panel, x []T, features []uint32, w int) {
	var s0, s1, s2, s3, s4, s5 T
	for _, feature := range features {
		v, p := panel[int(feature)*w], (*[Rows]T)(x)
		x = x[Rows:]
		s0 += v * p[0]
		s1 += v * p[1]
		s2 += v * p[2]
		s3 += v * p[3]
		s4 += v * p[4]
		s5 += v * p[5]
	}
	dst[0], dst[w], dst[2*w], dst[3*w], dst[4*w], dst[5*w] = s0, s1, s2, s3, s4, s5
}

// dots8 is Tile for one sample and eight samples of the panel, with one register per
// sum.
func dots8[T Float](dst *[8]T, panel, x []T, features []uint32, w int) {
	var s0, s1, s2, s3, s4, s5, s6, s7 T
	for k, feature := range features {
		v, p := x[k], (*[8]T)(panel[int(feature)*w:])
		s0 += v * p[0]
		s1 += v * p[1]
		s2 += v * p[2]
		s3 += v * p[3]
		s4 += v * p[4]
		s5 += v * p[5]
		s6 += v * p[6]
		s7 += v * p[7]
	}
	*dst = [8]T{s0, s1, s2, s3, s4, s5, s6, s7}
}
