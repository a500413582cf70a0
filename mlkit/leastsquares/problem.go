package leastsquares

import (
	"context"
	"math"
	"slices"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/simd"
	"marginalia/mlkit/internal/work"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// problem is a least squares problem with columns and targets centred, and
// columns in units of their range. So neither origins nor units cost digits:
//
//	zⱼ = xⱼ·unit[j] - origin[j],  w·x + b = v·z + β + mean  with  wⱼ = vⱼ·unit[j]
//
// The units are powers of 2, so scaling is exact. The means are only right to rounding
// error, so the solvers keep a constant column or centre again.
type problem struct {
	Regression
	data
	name string // of the algorithm, for errors
	n, d int
	c    int // 1 with a constant column, 0 through the origin

	total float64   // Σ sᵢ, the sum of the weights: n if all are 1
	roots []float64 // n numbers: √sᵢ
	equal bool      // whether all weights are 1

	unit, centre []float64 // d numbers
	origin       []float64 // d numbers: centre[j]·unit[j]
	far          []int     // the columns in which xⱼ - centre[j] can overflow
	largest      []float64 // d numbers: the largest √sᵢ·|xⱼ|·unit[j]
	sized        []bool    // d flags: false if the unit is a guess, for a column with one value
	means        []float64 // M numbers: weighted means of the targets; 0 through the origin
}

func (l Regression) problem(ctx context.Context, name string, s data) (*problem, error) {
	n, d := s.X.Dims()
	p := &problem{Regression: l, data: s, name: name, n: n, d: d, c: 1, total: floats.Sum(s.weights), roots: s.weights, equal: true}
	if l.Bias == mlkit.NoBias {
		p.c = 0
	}
	p.unit, p.centre, p.origin, p.largest = make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
	p.sized, p.means = make([]bool, d), make([]float64, s.M)
	if slices.ContainsFunc(s.weights, func(v float64) bool { return v != 1 }) {
		p.equal, p.roots = false, make([]float64, n)
		for i, v := range s.weights {
			p.roots[i] = math.Sqrt(v)
		}
	}
	low, high, err := p.measure(ctx)
	if err != nil {
		return nil, err
	}
	if p.c == 0 {
		clear(p.centre)
		clear(p.means)
	}
	for j, m := range p.centre {
		// Halved, the differences don't overflow. A ridge acts like samples of size √λ in
		// each column.
		half := max(high[j]/2-m/2, m/2-low[j]/2)
		if half > math.MaxFloat64/2 {
			p.far = append(p.far, j)
		}
		size := max(half, math.Sqrt(l.Lambda/p.total))
		p.unit[j], p.sized[j] = powerOf2(size), size > 0
		p.origin[j] = m * p.unit[j]
		p.largest[j] = max(high[j]*p.unit[j], -low[j]*p.unit[j])
	}
	if !p.equal {
		p.weighLargest()
	}
	return p, nil
}

// measure returns the least and the greatest element of each column, and sets the weighted
// means of the columns, which are the centres, and of the targets.
func (p *problem) measure(ctx context.Context) (low, high []float64, err error) {
	low, high = mat.Row(nil, 0, p.X), mat.Row(nil, 0, p.X)
	of := work.Divide(p.n, 1024)
	type measures struct{ low, high, centre, means []float64 }
	all := make([]measures, of.Count())
	err = of.Do(func(part, from, to int) error {
		m := measures{slices.Clone(low), slices.Clone(high), make([]float64, p.d), make([]float64, p.M)}
		share, y := 1/p.total, make([]float64, p.M)
		for i := from; i < to; i++ {
			if i%work.Chunk == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if !p.equal {
				share = p.weights[i] / p.total
			}
			x := p.X.RawRowView(i)
			mean, low, high := m.centre[:len(x)], m.low[:len(x)], m.high[:len(x)]
			for j, v := range x {
				mean[j] += v * share
				if v < low[j] {
					low[j] = v
				}
				if v > high[j] {
					high[j] = v
				}
			}
			p.target(y, i)
			floats.AddScaled(m.means, share, y)
		}
		all[part] = m
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for _, m := range all {
		floats.Add(p.centre, m.centre)
		floats.Add(p.means, m.means)
		for j := range low {
			low[j], high[j] = min(low[j], m.low[j]), max(high[j], m.high[j])
		}
	}
	return low, high, nil
}

// weighLargest sets p.largest for weights that are not all 1.
func (p *problem) weighLargest() {
	clear(p.largest)
	for i, root := range p.roots {
		for j, v := range p.X.RawRowView(i) {
			p.largest[j] = max(p.largest[j], root*math.Abs(v)*p.unit[j])
		}
	}
}

// powerOf2 returns the power of 2 that scales size ≥ 0 into [½, 1), or as near to it as a
// float64 with a finite inverse can; 1 for size 0.
func powerOf2(size float64) float64 {
	if size == 0 {
		return 1
	}
	_, exponent := math.Frexp(size)
	return math.Ldexp(1, max(-1020, min(1020, -exponent)))
}

// commonUnit returns the problem with one unit for all columns.
func (p *problem) commonUnit() *problem {
	q := *p
	smallest := math.Inf(1)
	for j, u := range p.unit {
		if p.sized[j] {
			smallest = min(smallest, u)
		}
	}
	if math.IsInf(smallest, 1) {
		smallest = 1
	}
	q.unit, q.origin, q.largest = make([]float64, p.d), make([]float64, p.d), make([]float64, p.d)
	for j, u := range p.unit {
		f := smallest / u
		q.unit[j], q.origin[j], q.largest[j] = smallest, f*p.origin[j], f*p.largest[j]
	}
	return &q
}

// row sets dst, of length d, to √sᵢzᵢ.
func (p *problem) row(dst []float64, i int) {
	x := p.X.RawRowView(i)
	simd.Standardize(dst, x, p.centre, p.unit)
	for _, j := range p.far {
		dst[j] = x[j]*p.unit[j] - p.origin[j]
	}
	p.weigh(dst, i)
}

// targets sets dst, of length M, to the targets of row i less their means, times √sᵢ.
func (p *problem) targets(dst []float64, i int) {
	p.target(dst, i)
	floats.Sub(dst, p.means)
	p.weigh(dst, i)
}

// weigh multiplies dst, which belongs to row i, by √sᵢ.
func (p *problem) weigh(dst []float64, i int) {
	if !p.equal {
		floats.Scale(p.roots[i], dst)
	}
}

// extended sets dst, of length c + d + M, to √sᵢ(1, zᵢ, yᵢ); through the origin without the
// 1.
func (p *problem) extended(dst []float64, i int) {
	if p.c == 1 {
		dst[0] = p.roots[i]
	}
	p.row(dst[p.c:p.c+p.d], i)
	p.targets(dst[p.c+p.d:], i)
}

// idle reports whether column j varies only by rounding error of its elements or, through
// the origin, is 0. norm is the square root of its sum of squares about the mean.
func (p *problem) idle(j int, norm float64) bool {
	return norm == 0 || p.c == 1 && norm <= 4*rows.Epsilon*p.largest[j]*math.Sqrt(float64(p.n))
}

// tolerance returns the threshold for singular values, relative to the largest.
func (p *problem) tolerance() float64 {
	if p.RankTol > 0 {
		return p.RankTol
	}
	return float64(max(p.n, p.d)) * rows.Epsilon
}

// fit is the result of a solver.
type fit struct {
	V             *mat.Dense // d×M
	rank          int        // including the constant column
	mean, squares []float64  // of the errors y - Vz: their weighted mean (0 through the origin) and sum of squares about it; nil if not yet known
}

// finish sets W, B, the rank and the mean squared errors of s, and judges them.
func (p *problem) finish(ctx context.Context, s *solution, f *fit) error {
	var norms []float64
	G := mat.NewDense(p.d, p.M, nil)
	if f.squares == nil {
		var err error
		if norms, err = p.errors(ctx, f, G); err != nil {
			return err
		}
	}
	varies, size := p.spread()
	s.rank, s.mse = f.rank, make([]float64, p.M)
	for k := range p.M {
		v := mat.Col(nil, k, f.V)
		a := check.Answer{Error: math.Sqrt(f.squares[k]), Varies: varies[k], Size: size[k]}
		for j, norm := range norms {
			root := math.Sqrt(p.Lambda) * p.unit[j]
			a.Error = math.Hypot(a.Error, root*v[j])
			// How far the scores would go to the minimum along this column alone. One that
			// varies by rounding only has no part in them.
			if size := math.Hypot(norm, root); !p.idle(j, norm) {
				a.Left = max(a.Left, math.Abs(G.At(j, k)/size-root/size*root*v[j])*(norm/size))
			}
		}
		a.Left -= p.tolerance() * math.Sqrt(float64(p.d)) * a.Varies // singular values left out
		if check.Finite(a.Error) && !a.Right() {
			s.left = max(s.left, max(a.Left, a.Error-a.Varies)/math.Sqrt(p.total))
		}
		s.mse[k] = f.squares[k] / p.total
		s.W[k] = make([]float64, p.d)
		floats.MulTo(s.W[k], v, p.unit)
		if p.c == 1 {
			s.B[k] = p.means[k] + (f.mean[k] - floats.Dot(v, p.origin))
		}
	}
	return nil
}

// spread returns √Σ sᵢ(yᵢ - ȳ)² and √Σ sᵢyᵢ² of each target; through the origin ȳ is 0.
func (p *problem) spread() (varies, size []float64) {
	varies, size = make([]float64, p.M), make([]float64, p.M)
	y := make([]float64, p.M)
	for i := range p.n {
		p.targets(y, i)
		for k, v := range y {
			varies[k] = math.Hypot(varies[k], v) // the squares may overflow, or underflow
		}
	}
	for k, v := range varies {
		size[k] = math.Hypot(v, math.Sqrt(p.total)*p.means[k])
	}
	return varies, size
}
