package simd

// Accumulate adds each sample to the sum of its label: sums[labels[i]·d+k] += x[i·stride+k]
// for k < d, in the order of samples. Every level gives the same bits.
//
// It panics if a label is not that of a sum, or if sums or x is shorter than that, or
// stride < d.
func Accumulate(sums []float64, labels []int, x []float64, stride, d int) {
	if len(labels) == 0 || d == 0 {
		return
	}
	_ = x[(len(labels)-1)*stride+d-1]
	if count := uint(len(sums) / d); stride < d || !below(labels, count) {
		panic("simd: a label that no sum has, or rows that overlap")
	}
	if accumulateAssembly(sums, labels, x, stride, d) {
		return
	}
	for i, l := range labels {
		sum := sums[l*d : (l+1)*d]
		for k, v := range x[i*stride : i*stride+d] {
			sum[k] += v
		}
	}
}

// below reports whether all labels are from 0 to below count.
func below(labels []int, count uint) bool {
	most := uint(0) // and a negative label is a large number
	for _, l := range labels {
		most = max(most, uint(l))
	}
	return most < count
}
