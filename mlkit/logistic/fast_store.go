package logistic

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// measureMany sets the weighted mean and deviation for the columns of a large X, in one pass.
// They are used only for preconditioning, so low accuracy is harmless. It returns the columns
// where more than the last digits may be wrong, and false if the context was done before the
// end.
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
		p.weights.moments(X, from, to, shift, moments[part][0], moments[part][1])
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

// moments adds the weighted samples of X less shift to sums, and their squares to squares.
func (of weights) moments(X *mat.Dense, from, to int, shift, sums, squares []float64) {
	d := len(shift)
	raw := X.RawMatrix()
	sums, squares = sums[:d], squares[:d]
	for ; from+4 <= to; from += 4 {
		x := raw.Data[from*raw.Stride:]
		x0, x1, x2, x3 := x[:d], x[raw.Stride:][:d], x[2*raw.Stride:][:d], x[3*raw.Stride:][:d]
		w0, w1, w2, w3 := of.weight(from), of.weight(from+1), of.weight(from+2), of.weight(from+3)
		for j, s := range shift {
			v0, v1, v2, v3 := x0[j]-s, x1[j]-s, x2[j]-s, x3[j]-s
			u0, u1, u2, u3 := w0*v0, w1*v1, w2*v2, w3*v3
			sums[j] += (u0 + u1) + (u2 + u3)
			squares[j] += (u0*v0 + u1*v1) + (u2*v2 + u3*v3)
		}
	}
	for ; from < to; from++ {
		weight := of.weight(from)
		for j, v := range X.RawRowView(from) {
			v -= shift[j]
			u := weight * v
			sums[j] += u
			squares[j] += u * v
		}
	}
}

// storeMany sets the sums for many samples. With vector instructions L-BFGS mostly waits for
// memory, so it begins with a float32 copy of the samples. That is a slightly different
// problem: its gradient over n is usually off by less than 10⁻⁷, a tenth of the smallest Tol
// with which it is used. Coordinate descent makes few passes over all columns, and Newton's passes take longer
// than computing the samples, so both compute them from X as needed.
func (p *problem) storeMany() bool {
	n, e := p.n, len(p.l2)
	switch {
	case p.Solver == CoordinateDescent, p.Solver == Newton && !p.likelihood() && outerPays(n, p.loss):
		p.sums = p.computed()
		return true
	case roughly && p.Solver == LBFGS && p.L2 > 0 && p.Tol >= 1e-6 && p.total < 1e30*p.least: // z² ≤ Σ vᵢ / min vᵢ is within float32's range
		rough := rows.Large[float32](n * e)
		p.sums, p.exact = blocks[float32]{plain{nil, p.loss}, p.loss, n, e, e, inOrder(rough, e)}, p.computed()
		return p.all(func(i int) {
			z := rough[i*e:][:e]
			simd.Standardize(z[:e-1], p.X.RawRowView(i), p.mean, p.perScale)
			z[e-1] = 1
		})
	}
	Z := rows.NewDense(n, e)
	*p = *p.over(Z, p.labels)
	return p.all(func(i int) {
		z := Z.RawRowView(i)
		simd.Standardize(z[:e-1], p.X.RawRowView(i), p.mean, p.perScale)
		z[e-1] = 1
	})
}

// all calls do for each sample; several goroutines do so at once. It returns false if the
// context was done before the end.
func (p *problem) all(do func(i int)) bool {
	return work.Divide(p.n, 1024).Do(func(_, from, to int) error {
		for i := from; i < to; i++ {
			do(i)
		}
		return p.ctx.Err()
	}) == nil
}

// computed returns the sums over samples that are computed from X as needed.
func (p *problem) computed() blocks[float64] {
	e := len(p.l2)
	return blocks[float64]{plain{nil, p.loss}, p.loss, p.n, e, e, p.standardised()}
}

// standardised returns a reader that computes rows of the problem from those of X. They are
// valid until its next call.
func (p *problem) standardised() func() func(from, rows int) []float64 {
	e := len(p.mean) + 1
	return func() func(from, rows int) []float64 {
		z := make([]float64, blockOf(e)*e)
		return func(from, rows int) []float64 {
			for i := range rows {
				row := z[i*e:][:e]
				simd.Standardize(row[:e-1], p.X.RawRowView(from+i), p.mean, p.perScale)
				row[e-1] = 1
			}
			return z
		}
	}
}

// inOrder returns a reader that returns the rows of z from one on, and prefetches as many
// rows after them.
func inOrder[T simd.Float](z []T, stride int) func() func(from, rows int) []T {
	read := func(from, rows int) []T {
		some := z[from*stride:]
		simd.Prefetch(some[min(rows*stride, len(some)):min(2*rows*stride, len(some))])
		return some
	}
	return func() func(from, rows int) []T { return read }
}
