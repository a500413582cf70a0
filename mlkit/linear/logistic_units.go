package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
)

// standardise sets mean, scale, the penalties, and Z to the samples less the mean
// over the scale. It reports whether it came to the end before the context was done,
// and leaves scale at 0 if not.
func (p *logisticProblem) standardise() bool {
	X := p.X
	n, d := X.Dims()
	scale, zero := make([]float64, d), make([]bool, d)
	many := n >= manyRows && p.measureMany(X, p.mean, scale)
	if many && p.Solver == LBFGS && p.L2 > 0 && p.Tol >= 1e-6 && p.Trace == nil {
		p.rough = make([]float32, n*(d+1))
	} else {
		p.Z = mat.NewDense(n, d+1, nil)
	}
	if many {
		return p.divideMany(scale)
	}
	clear(p.mean)
	for range 2 { // twice, as in newGaussians
		ok := p.rows(n, func(i int) { floats.SubTo(p.Z.RawRowView(i)[:d], X.RawRowView(i), p.mean) }) &&
			p.rows(n, func(i int) { floats.AddScaled(p.mean, 1/float64(n), p.Z.RawRowView(i)[:d]) })
		if !ok {
			return false
		}
	}
	most, size := make([]float64, d), make([]float64, d)
	squares := make([]float64, d)
	ok := p.rows(n, func(i int) {
		z := p.Z.RawRowView(i)
		z[d] = 1
		for j, x := range X.RawRowView(i) {
			z[j] = x - p.mean[j]
			most[j] = math.Max(most[j], math.Abs(z[j]))
			size[j] = math.Max(size[j], math.Abs(x))
		}
	}) && p.rows(n, func(i int) {
		for j, z := range p.Z.RawRowView(i)[:d] {
			squares[j] += (z / most[j]) * (z / most[j]) / float64(n)
		}
	})
	if !ok {
		return false
	}
	for j := range d {
		scale[j] = most[j] * math.Sqrt(squares[j])
		if zero[j] = most[j] <= 4*epsilon*size[j]; zero[j] {
			scale[j] = 1
		}
		p.lengthen(scale, j)
	}
	ok = p.rows(n, func(i int) {
		z := p.Z.RawRowView(i)[:d]
		for j := range z {
			z[j] /= scale[j]
			if zero[j] {
				z[j] = 0
			}
		}
	})
	if ok {
		copy(p.scale, scale)
	}
	return ok
}

// lengthen makes a scale longer by what the prior adds to the curvature n/4 at θ = 0,
// so that all weights have it in common, and sets the penalties.
func (p *logisticProblem) lengthen(scale []float64, j int) {
	n, _ := p.X.Dims()
	scale[j] *= math.Sqrt(1 + 4*p.L2/scale[j]/scale[j]/float64(n))
	p.l2[j], p.l1[j] = p.L2/scale[j]/scale[j], p.L1/scale[j]
}

// measureMany sets mean and deviation to those of the columns of many rows, in one pass.
// They serve to choose units alone, in which every problem is the same, so the last digits
// do not matter; it returns false if more than those might be wrong, and then they are
// worth nothing.
func (p *logisticProblem) measureMany(X *mat.Dense, mean, deviation []float64) bool {
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
	ok := p.rows((n+3)/4, func(i int) {
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
	if !ok {
		return false
	}
	for j, s := range sums {
		s /= float64(n)
		square := squares[j] / float64(n)
		variance := square - s*s
		mean[j], deviation[j] = shift[j]+s, math.Sqrt(variance)
		if !(variance > 1e-3*square && variance > 1e-20*mean[j]*mean[j] && variance > 1e-200 && variance < 1e200) {
			return false
		}
	}
	return true
}

// divideMany is the rest of standardise for many rows whose mean is known.
func (p *logisticProblem) divideMany(scale []float64) bool {
	for j := range scale {
		p.lengthen(scale, j)
	}
	copy(p.scale, scale)
	perScale := p.perScale()
	n, e := p.dims()
	d := e - 1
	for i := range n {
		if i%chunk == 0 && p.ctx.Err() != nil {
			clear(p.scale)
			return false
		}
		if p.rough != nil {
			simd.Standardise(p.rough[i*e:][:d], p.X.RawRowView(i), p.mean, perScale)
			p.rough[i*e+d] = 1
			continue
		}
		simd.Standardise(p.Z.RawRowView(i)[:d], p.X.RawRowView(i), p.mean, perScale)
		p.Z.Set(i, d, 1)
	}
	return true
}

// perScale returns 1/scale.
func (p *logisticProblem) perScale() []float64 {
	perScale := make([]float64, len(p.scale))
	for j, s := range p.scale {
		perScale[j] = 1 / s
	}
	return perScale
}

// standardised returns a function that returns some rows of Z from one on, made from
// those of X, until it is called again.
func (p *logisticProblem) standardised() func(from, rows int) []float64 {
	e := len(p.mean) + 1
	perScale, z := p.perScale(), make([]float64, block*e)
	return func(from, rows int) []float64 {
		for i := range rows {
			row := z[i*e:][:e]
			simd.Standardise(row[:e-1], p.X.RawRowView(from+i), p.mean, perScale)
			row[e-1] = 1
		}
		return z
	}
}
