package leastsquares

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"
)

// wideProducts is wide by the Gram matrix K = ZZᵀ of the rows, centred and in one unit
// for all columns. It solves (K + λI)α = y for V = Zᵀα, the shortest solution since it
// lies in the space of the rows. The fit is nil if K + λI is not well-conditioned.
func (p *problem) wideProducts(ctx context.Context) (*fit, error) {
	q := p.commonUnit()
	unit := q.unit[0]
	ridge := p.Lambda * unit * unit
	K, err := q.rowProducts(ctx)
	if err != nil {
		return nil, err
	}
	trace := mat.Trace(K)
	raw := K.RawSymmetric()
	for i := range p.n {
		if p.c == 1 {
			// Σ √sᵢ times the centred row i is 0, so K is singular along (√s₁, …, √sₙ).
			// The centred y has no component there, so any eigenvalue will do.
			floats.AddScaled(raw.Data[i*raw.Stride+i:i*raw.Stride+p.n], trace/float64(p.n)/p.total*p.roots[i], p.roots[i:])
		}
		raw.Data[i*raw.Stride+i] += ridge
	}
	factor, condition, err := factorise(ctx, K)
	if err != nil || !(condition <= goodCondition) {
		return nil, err
	}
	Y := mat.NewDense(p.n, p.M, nil)
	for i := range p.n {
		p.targets(Y.RawRowView(i), i)
	}
	q.subtractMeans(Y)
	alpha := mat.DenseCopyOf(Y)
	factor.solve(alpha)
	q.subtractMeans(alpha)
	f := &fit{rank: p.n} // with a bias, n - 1 for the centred rows and 1 for the constant column
	if math.Sqrt(ridge) > p.tolerance()*math.Sqrt(trace) {
		f.rank = p.c + p.d
	}
	if f.V, err = q.combine(ctx, alpha); err != nil {
		return nil, err
	}
	if condition > fineCondition {
		var step *mat.Dense
		if step, err = q.refine(ctx, factor, f.V, Y, alpha, ridge); err != nil {
			return nil, err
		}
		f.V.Add(f.V, step)
	} else {
		f.mean, f.squares = make([]float64, p.M), make([]float64, p.M)
		e := make([]float64, p.n)
		for k := range p.M {
			a := mat.Col(nil, k, alpha)
			simd.SymmetricMul(e, raw.Data, raw.Stride, a)
			for i, v := range e {
				left := Y.At(i, k) - (v - ridge*a[i])
				f.squares[k] += left * left
			}
		}
	}
	for j, u := range p.unit {
		floats.Scale(unit/u, f.V.RawRowView(j))
	}
	return f, nil
}

// fineCondition is the largest condition number with which a solution needs no
// refinement: it costs three digits of sixteen.
var fineCondition = 1e3

// refine returns the refinement step to be added to V = Zᵀα.
func (p *problem) refine(ctx context.Context, factor *choleskyFactor, V, Y, alpha *mat.Dense, ridge float64) (*mat.Dense, error) {
	z, left, columns := make([]float64, p.d), mat.DenseCopyOf(Y), make([][]float64, p.M)
	for k := range columns {
		columns[k] = mat.Col(nil, k, V)
	}
	for i := range p.n {
		if i%work.Chunk == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.row(z, i)
		for k, v := range columns {
			left.Set(i, k, left.At(i, k)-floats.Dot(v, z)-ridge*alpha.At(i, k))
		}
	}
	p.subtractMeans(left)
	factor.solve(left)
	p.subtractMeans(left)
	return p.combine(ctx, left)
}

// subtractMeans centres the columns of A, whose rows have their weights √sᵢ, unless through
// the origin: it projects them onto the complement of (√s₁, …, √sₙ).
func (p *problem) subtractMeans(A *mat.Dense) {
	if p.c == 0 {
		return
	}
	n, d := A.Dims()
	mean := make([]float64, d)
	for i := range n {
		floats.AddScaled(mean, p.roots[i]/p.total, A.RawRowView(i))
	}
	for i := range n {
		floats.AddScaled(A.RawRowView(i), -p.roots[i], mean)
	}
}

// rowProducts returns K = ZZᵀ of the rows, with their weights, less their mean (as they are,
// through the origin). With u = (√s₁, …, √sₙ) and m = Ku/Σsᵢ, centring subtracts muᵀ + umᵀ
// and adds uuᵀ(u·m)/Σsᵢ.
func (p *problem) rowProducts(ctx context.Context) (*mat.SymDense, error) {
	K, err := gram.OuterOfColumns(ctx, p.d, p.n, p.transpose)
	if err != nil || p.c == 0 {
		return K, err
	}
	mean, shares := make([]float64, p.n), make([]float64, p.n)
	floats.ScaleTo(shares, 1/p.total, p.roots)
	raw := K.RawSymmetric()
	simd.SymmetricMul(mean, raw.Data, raw.Stride, shares)
	all := floats.Sum(floats.MulTo(shares, mean, p.roots)) / p.total
	for i, m := range mean {
		row := raw.Data[i*raw.Stride+i : i*raw.Stride+p.n]
		floats.AddScaled(row, -p.roots[i], mean[i:])
		floats.AddScaled(row, all*p.roots[i]-m, p.roots[i:])
	}
	return K, nil
}

// transpose sets to[k·width+r] to the element of Z in row i+r and column from+k, for some rows and
// count columns.
func (p *problem) transpose(to []float64, width, i, rows, from, count int) {
	unit, origin := p.unit[from:from+count], p.origin[from:from+count]
	r := 0
	for ; r+4 <= rows; r += 4 { // four rows at a time: they are adjacent in a column
		a, b := p.X.RawRowView(i + r)[from:][:count], p.X.RawRowView(i + r + 1)[from:][:count]
		c, d := p.X.RawRowView(i + r + 2)[from:][:count], p.X.RawRowView(i + r + 3)[from:][:count]
		s := p.roots[i+r:][:4]
		for k, o := range origin {
			to, u := to[k*width+r:][:4], unit[k]
			to[0], to[1], to[2], to[3] = (a[k]*u-o)*s[0], (b[k]*u-o)*s[1], (c[k]*u-o)*s[2], (d[k]*u-o)*s[3]
		}
	}
	for ; r < rows; r++ {
		for k, v := range p.X.RawRowView(i + r)[from:][:count] {
			to[k*width+r] = (v*unit[k] - origin[k]) * p.roots[i+r]
		}
	}
}

// combine returns Zᵀα (d×M).
func (p *problem) combine(ctx context.Context, alpha *mat.Dense) (*mat.Dense, error) {
	z, columns := make([]float64, p.d), make([][]float64, p.M)
	for k := range columns {
		columns[k] = make([]float64, p.d)
	}
	for i := range p.n {
		if i%work.Chunk == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.row(z, i)
		for k, a := range alpha.RawRowView(i) {
			floats.AddScaled(columns[k], a, z)
		}
	}
	V := mat.NewDense(p.d, p.M, nil)
	for k, column := range columns {
		V.SetCol(k, column)
	}
	return V, nil
}
