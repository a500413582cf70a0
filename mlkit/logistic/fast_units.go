package logistic

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/work"
)

// measureMany sets the weighted mean and deviation for the columns of a large X, in one pass. They are
// used only for preconditioning, so low accuracy is harmless. It returns the columns
// where more than the last digits may be wrong, and false if the context was done before
// the end.
func (p *problem) measureMany(deviation []float64) (doubtful []int, ok bool) {
	X, mean := p.X, p.mean
	n, d := X.Dims()
	shift := make([]float64, d)
	const few = block
	for i := range few {
		for j, v := range X.RawRowView(i * (n / few)) {
			shift[j] += v / few
		}
	}
	of := work.Divide(n, 1024)
	moments := make([][2][]float64, of.Count()) // sums and sums of squares
	err := of.Do(func(part, from, to int) error {
		moments[part] = [2][]float64{make([]float64, d), make([]float64, d)}
		p.moments(from, to, shift, moments[part][0], moments[part][1])
		return p.ctx.Err()
	})
	if err != nil {
		return nil, false
	}
	sums, squares := moments[0][0], moments[0][1]
	for _, m := range moments[1:] {
		floats.Add(sums, m[0])
		floats.Add(squares, m[1])
	}
	for j, s := range sums {
		s /= p.total
		square := squares[j] / p.total
		variance := square - s*s
		mean[j], deviation[j] = shift[j]+s, math.Sqrt(variance)
		if !(variance > 1e-3*square && variance > 1e-20*mean[j]*mean[j] && variance > 1e-200 && variance < 1e200) {
			doubtful = append(doubtful, j)
		}
	}
	return doubtful, true
}

// moments adds the weighted samples less shift to sums, and their squares to squares.
func (p *problem) moments(from, to int, shift, sums, squares []float64) {
	d := len(shift)
	raw := p.X.RawMatrix()
	sums, squares = sums[:d], squares[:d]
	for ; from+4 <= to; from += 4 {
		x := raw.Data[from*raw.Stride:]
		x0, x1, x2, x3 := x[:d], x[raw.Stride:][:d], x[2*raw.Stride:][:d], x[3*raw.Stride:][:d]
		w0, w1, w2, w3 := p.loss.weight(from), p.loss.weight(from+1), p.loss.weight(from+2), p.loss.weight(from+3)
		for j, s := range shift {
			v0, v1, v2, v3 := x0[j]-s, x1[j]-s, x2[j]-s, x3[j]-s
			u0, u1, u2, u3 := w0*v0, w1*v1, w2*v2, w3*v3
			sums[j] += (u0 + u1) + (u2 + u3)
			squares[j] += (u0*v0 + u1*v1) + (u2*v2 + u3*v3)
		}
	}
	for ; from < to; from++ {
		weight := p.loss.weight(from)
		for j, v := range p.X.RawRowView(from) {
			v -= shift[j]
			of := weight * v
			sums[j] += of
			squares[j] += of * v
		}
	}
}
