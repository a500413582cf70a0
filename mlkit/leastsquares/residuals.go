package leastsquares

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/work"
)

// errors sets f.mean and f.squares, and G (d×M) to ZᵀSe for the errors e about their mean,
// with S = diag(s). It returns the norms of the columns √S·Z about their mean, and the
// context's error if ctx is done.
func (p *problem) errors(ctx context.Context, f *fit, G *mat.Dense) (norms []float64, err error) {
	columns := make([][]float64, p.M)
	for k := range columns {
		columns[k] = mat.Col(nil, k, f.V)
	}
	of := work.Divide(p.n, 1024)
	all := make([]*residuals, of.Count())
	if err := of.Do(func(part, from, to int) (err error) {
		all[part], err = p.residuals(ctx, columns, from, to)
		return err
	}); err != nil {
		return nil, err
	}
	r := all[0]
	for _, s := range all[1:] {
		r.add(s)
	}
	f.mean, f.squares = r.mean, r.squares
	for k, g := range r.gradient {
		floats.AddScaled(g, -f.mean[k], r.sums)
		G.SetCol(k, g)
	}
	norms = r.columns
	for j, sum := range r.sums {
		norms[j] = math.Sqrt(max(0, norms[j]-sum/p.total*sum))
	}
	return norms, nil
}

// residuals are sums over the residuals e of some samples, for each target.
type residuals struct {
	total         float64     // of the weights
	mean, squares []float64   // of e, and Σ s(e - mean)²; through the origin the mean is 0
	gradient      [][]float64 // Σ √se·z
	sums          []float64   // Σ √s·z; 0 through the origin
	columns       []float64   // Σ z²
}

// residuals returns those of the samples from inclusive, to exclusive. The columns are those
// of V.
func (p *problem) residuals(ctx context.Context, columns [][]float64, from, to int) (*residuals, error) {
	z, y := make([]float64, p.d), make([]float64, p.M)
	r := &residuals{mean: make([]float64, p.M), squares: make([]float64, p.M), gradient: make([][]float64, p.M), sums: make([]float64, p.d), columns: make([]float64, p.d)}
	for k := range columns {
		r.gradient[k] = make([]float64, p.d)
	}
	// Welford's update of mean and sum of squares (Donald Knuth, "The Art of Computer
	// Programming", volume 2, section 4.2.2), with weights (Donald West, "Updating mean and
	// variance estimates: an improved method", 1979).
	for i := from; i < to; i++ {
		if i%work.Chunk == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.row(z, i)
		p.targets(y, i)
		r.total += p.weights[i]
		for k, v := range columns {
			weighted := y[k] - floats.Dot(v, z) // √sᵢe
			e := weighted
			if !p.equal {
				e /= p.roots[i]
			}
			before := e - r.mean[k]
			if p.c == 1 {
				r.mean[k] += p.weights[i] * before / r.total
			}
			r.squares[k] += p.weights[i] * before * (e - r.mean[k])
			floats.AddScaled(r.gradient[k], weighted, z)
		}
		if p.c == 1 {
			floats.AddScaled(r.sums, p.roots[i], z)
		}
		for j, v := range z {
			r.columns[j] += v * v
		}
	}
	return r, nil
}

// add adds the sums over other samples (Tony Chan, Gene Golub and Randall LeVeque,
// "Algorithms for computing the sample variance", 1983, with weights): with δ the difference
// of the means, the sum of squares grows by δ²·s₁s₂/(s₁ + s₂).
func (r *residuals) add(s *residuals) {
	total := r.total + s.total
	for k, m := range s.mean {
		δ := m - r.mean[k]
		r.mean[k] += δ * (s.total / total)
		r.squares[k] += s.squares[k] + δ*δ*(s.total/total)*r.total
		floats.Add(r.gradient[k], s.gradient[k])
	}
	floats.Add(r.sums, s.sums)
	floats.Add(r.columns, s.columns)
	r.total = total
}
