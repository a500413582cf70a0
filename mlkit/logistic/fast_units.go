package logistic

import "math"

// measureMany sets the weighted mean and deviation for the columns of a large X, in one pass. They are
// used only for preconditioning, so low accuracy is harmless. It returns the columns
// where more than the last digits may be wrong, and false if the context was done before
// the end.
func (p *problem) measureMany(deviation []float64) (doubtful []int, ok bool) {
	X, mean := p.X, p.mean
	n, d := X.Dims()
	raw := X.RawMatrix()
	shift := make([]float64, d)
	const few = block
	for i := range few {
		for j, v := range X.RawRowView(i * (n / few)) {
			shift[j] += v / few
		}
	}
	sums, squares := make([]float64, d), make([]float64, d)
	ok = p.rows((n+3)/4, func(i int) {
		if 4*i+4 > n {
			for i := 4 * i; i < n; i++ {
				weight := p.loss.weight(i)
				for j, v := range X.RawRowView(i) {
					v -= shift[j]
					of := weight * v
					sums[j] += of
					squares[j] += of * v
				}
			}
			return
		}
		sums, squares, shift := sums[:d], squares[:d], shift[:d]
		x := raw.Data[4*i*raw.Stride:]
		x0, x1, x2, x3 := x[:d], x[raw.Stride:][:d], x[2*raw.Stride:][:d], x[3*raw.Stride:][:d]
		w0, w1, w2, w3 := p.loss.weight(4*i), p.loss.weight(4*i+1), p.loss.weight(4*i+2), p.loss.weight(4*i+3)
		for j, s := range shift {
			v0, v1, v2, v3 := x0[j]-s, x1[j]-s, x2[j]-s, x3[j]-s
			u0, u1, u2, u3 := w0*v0, w1*v1, w2*v2, w3*v3
			sums[j] += (u0 + u1) + (u2 + u3)
			squares[j] += (u0*v0 + u1*v1) + (u2*v2 + u3*v3)
		}
	})
	for j, s := range sums {
		s /= p.total
		square := squares[j] / p.total
		variance := square - s*s
		mean[j], deviation[j] = shift[j]+s, math.Sqrt(variance)
		if !(variance > 1e-3*square && variance > 1e-20*mean[j]*mean[j] && variance > 1e-200 && variance < 1e200) {
			doubtful = append(doubtful, j)
		}
	}
	return doubtful, ok
}
