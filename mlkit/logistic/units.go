package logistic

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/simd"
)

// standardise sets mean, scale, the penalties and Z, the samples less the mean over the
// scale. It returns false, and leaves scale at 0, if the context was done before the end.
func (p *problem) standardise() bool {
	n, d := p.X.Dims()
	scale, constant := make([]float64, d), make([]bool, d)
	columns, many := make([]int, 0, d), many(p.X)
	if many {
		var ok bool
		if columns, ok = p.measureMany(scale); !ok {
			return false
		}
	} else {
		for j := range d {
			columns = append(columns, j)
		}
	}
	if !p.measure(columns, scale, constant) {
		return false
	}
	for j := range d {
		p.lengthen(scale, j)
		if !constant[j] {
			p.perScale[j] = 1 / scale[j]
		}
	}
	if many && p.Solver == LBFGS && p.L2 > 0 && p.Tol >= 1e-6 {
		p.rough = make([]float32, n*(d+1))
	} else if many && p.Solver == CoordinateDescent {
		p.exact = true // few passes go over all columns; they read X
	} else {
		p.Z = mat.NewDense(n, d+1, nil)
	}
	var ok bool
	switch {
	case p.rough != nil:
		ok = p.rows(n, func(i int) {
			z := p.rough[i*(d+1):][:d+1]
			simd.Standardise(z[:d], p.X.RawRowView(i), p.mean, p.perScale)
			z[d] = 1
		})
	case p.exact:
		ok = true
	case many:
		ok = p.rows(n, func(i int) {
			simd.Standardise(p.Z.RawRowView(i)[:d], p.X.RawRowView(i), p.mean, p.perScale)
			p.Z.Set(i, d, 1)
		})
	default:
		ok = p.rows(n, func(i int) {
			z := p.Z.RawRowView(i)
			z[d] = 1
			for j, x := range p.X.RawRowView(i) {
				if z[j] = (x - p.mean[j]) / scale[j]; constant[j] {
					z[j] = 0
				}
			}
		})
	}
	if ok {
		copy(p.scale, scale)
	}
	return ok
}

// measure sets mean and deviation for the given columns, accurate to the last digits
// whatever their offset and unit. A column that varies only by rounding error is marked
// constant and gets the deviation 1. measure returns false if the context was done before
// the end.
func (p *problem) measure(columns []int, deviation []float64, constant []bool) bool {
	if len(columns) == 0 {
		return true
	}
	X, d := p.X, len(p.mean)
	n, _ := X.Dims()
	for _, j := range columns {
		p.mean[j] = 0
	}
	before := make([]float64, d)
	for range 2 { // twice, as in newGaussians
		copy(before, p.mean)
		if !p.rows(n, func(i int) {
			x := X.RawRowView(i)
			for _, j := range columns {
				p.mean[j] += float64(1 / float64(n) * (x[j] - before[j]))
			}
		}) {
			return false
		}
	}
	most, size, squares := make([]float64, d), make([]float64, d), make([]float64, d)
	ok := p.rows(n, func(i int) {
		x := X.RawRowView(i)
		for _, j := range columns {
			most[j] = math.Max(most[j], math.Abs(x[j]-p.mean[j]))
			size[j] = math.Max(size[j], math.Abs(x[j]))
		}
	}) && p.rows(n, func(i int) {
		x := X.RawRowView(i)
		for _, j := range columns {
			z := (x[j] - p.mean[j]) / most[j]
			squares[j] += float64(z*z) / float64(n)
		}
	})
	for _, j := range columns {
		deviation[j] = most[j] * math.Sqrt(squares[j])
		if constant[j] = most[j] <= 4*rows.Epsilon*size[j]; constant[j] {
			deviation[j] = 1
		}
	}
	return ok
}

// lengthen enlarges scale[j] by the prior's share of the curvature, so that all weights
// have the same curvature n/4 at θ = 0, and sets the penalties. Squares of scales may
// overflow, so it forms none.
func (p *problem) lengthen(scale []float64, j int) {
	n, _ := p.X.Dims()
	root := math.Sqrt(p.L2)
	scale[j] = math.Hypot(scale[j], 2*root/math.Sqrt(float64(n)))
	p.l2[j] = (root / scale[j]) * (root / scale[j])
	// The derivative of the loss with respect to a weight is at most n, since the column
	// has variance 1 or less and the derivative with respect to a score is at most 1.
	// Beyond n the weight is 0 in any case.
	p.l1[j] = math.Min(p.L1/scale[j], 2*float64(n))
}

// measureMany sets mean and deviation for the columns of a large X, in one pass. They are
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
				for j, v := range X.RawRowView(i) {
					v -= shift[j]
					sums[j] += v
					squares[j] += v * v
				}
			}
			return
		}
		sums, squares, shift := sums[:d], squares[:d], shift[:d]
		x := raw.Data[4*i*raw.Stride:]
		x0, x1, x2, x3 := x[:d], x[raw.Stride:][:d], x[2*raw.Stride:][:d], x[3*raw.Stride:][:d]
		for j, s := range shift {
			v0, v1, v2, v3 := x0[j]-s, x1[j]-s, x2[j]-s, x3[j]-s
			sums[j] += (v0 + v1) + (v2 + v3)
			squares[j] += (v0*v0 + v1*v1) + (v2*v2 + v3*v3)
		}
	})
	for j, s := range sums {
		s /= float64(n)
		square := squares[j] / float64(n)
		variance := square - s*s
		mean[j], deviation[j] = shift[j]+s, math.Sqrt(variance)
		if !(variance > 1e-3*square && variance > 1e-20*mean[j]*mean[j] && variance > 1e-200 && variance < 1e200) {
			doubtful = append(doubtful, j)
		}
	}
	return doubtful, ok
}

// standardised returns a function that computes rows of Z from those of X. Its result is
// valid until the next call.
func (p *problem) standardised() func(from, rows int) []float64 {
	e := len(p.mean) + 1
	z := make([]float64, blockOf(e)*e)
	return func(from, rows int) []float64 {
		for i := range rows {
			row := z[i*e:][:e]
			simd.Standardise(row[:e-1], p.X.RawRowView(from+i), p.mean, p.perScale)
			row[e-1] = 1
		}
		return z
	}
}
