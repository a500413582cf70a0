package leastsquares

import (
	"context"
	"math"
	"slices"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/simd"

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
	low, high := mat.Row(nil, 0, s.X), mat.Row(nil, 0, s.X)
	share, y := 1/p.total, make([]float64, s.M)
	for i := range n {
		if i%early.Chunk == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !p.equal {
			share = s.weights[i] / p.total
		}
		x := s.X.RawRowView(i)
		mean, low, high := p.centre[:len(x)], low[:len(x)], high[:len(x)]
		for j, v := range x {
			mean[j] += v * share
			if v < low[j] {
				low[j] = v
			}
			if v > high[j] {
				high[j] = v
			}
		}
		s.target(y, i)
		floats.AddScaled(p.means, share, y)
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
	simd.Standardise(dst, x, p.centre, p.unit)
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

// errors sets f.mean and f.squares. If G (d×M) is not nil, it also sets G to ZᵀSe for the
// errors e about their mean, with S = diag(s). It returns the context's error if ctx is done.
func (p *problem) errors(ctx context.Context, f *fit, G *mat.Dense) error {
	z, y := make([]float64, p.d), make([]float64, p.M)
	columns, gradient := make([][]float64, p.M), make([][]float64, p.M)
	for k := range columns {
		columns[k], gradient[k] = mat.Col(nil, k, f.V), make([]float64, p.d)
	}
	sums := make([]float64, p.d)
	// Welford's update of mean and sum of squares (Donald Knuth, "The Art of Computer
	// Programming", volume 2, section 4.2.2), with weights (Donald West, "Updating mean and
	// variance estimates: an improved method", 1979).
	total := 0.0
	f.mean, f.squares = make([]float64, p.M), make([]float64, p.M)
	for i := range p.n {
		if i%early.Chunk == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p.row(z, i)
		p.targets(y, i)
		total += p.weights[i]
		for k, v := range columns {
			weighted := y[k] - floats.Dot(v, z) // √sᵢe
			e := weighted
			if !p.equal {
				e /= p.roots[i]
			}
			before := e - f.mean[k]
			if p.c == 1 {
				f.mean[k] += p.weights[i] * before / total
			}
			f.squares[k] += p.weights[i] * before * (e - f.mean[k])
			if G != nil {
				floats.AddScaled(gradient[k], weighted, z)
			}
		}
		if G != nil && p.c == 1 {
			floats.AddScaled(sums, p.roots[i], z)
		}
	}
	for k, g := range gradient {
		if G != nil {
			floats.AddScaled(g, -f.mean[k], sums)
			G.SetCol(k, g)
		}
	}
	return nil
}

// finish sets W, B, the rank and the mean squared errors of s.
func (p *problem) finish(ctx context.Context, s *solution, f *fit) error {
	if f.squares == nil {
		if err := p.errors(ctx, f, nil); err != nil {
			return err
		}
	}
	s.rank, s.mse = f.rank, f.squares
	for k := range p.M {
		v := mat.Col(nil, k, f.V)
		s.mse[k] /= p.total
		s.W[k] = make([]float64, p.d)
		floats.MulTo(s.W[k], v, p.unit)
		if p.c == 1 {
			s.B[k] = p.means[k] + (f.mean[k] - floats.Dot(v, p.origin))
		}
	}
	return nil
}
