package logistic

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

// units convert between the samples as given and those of the problem, which are less the
// mean, over the scale.
type units struct {
	mean, scale []float64 // of the columns of X
	perScale    []float64 // 1/scale, or 0 for a constant column
}

func newUnits(d int) units {
	u := units{mean: make([]float64, d), scale: make([]float64, d), perScale: make([]float64, d)}
	floats.AddConst(1, u.scale)
	return u
}

// original converts θ to the weights and biases for samples as given. A constant column has
// the weight 0: its θ has no effect, and may be a rounding error.
func (u units) original(theta []float64) (W [][]float64, B []float64) {
	d := len(u.mean)
	for k := 0; k < len(theta); k += d + 1 {
		w := make([]float64, d)
		for j, s := range u.scale {
			if u.perScale[j] > 0 {
				w[j] = theta[k+j] / s
			}
		}
		W = append(W, w)
		B = append(B, theta[k+d]-floats.Dot(w, u.mean))
	}
	return W, B
}

// standard inverts original. The weights of constant columns become 0, and b takes their
// share.
func (u units) standard(W [][]float64, B []float64) (theta []float64) {
	for k, w := range W {
		for j, v := range w {
			if u.perScale[j] == 0 {
				v = 0
			}
			theta = append(theta, v*u.scale[j])
		}
		theta = append(theta, B[k]+floats.Dot(w, u.mean))
	}
	return theta
}

// check returns an error if a scale is too small or too large. The weight of a column is a
// number of ordinary size, divided by its scale.
func (u units) check() error {
	for j, s := range u.scale {
		if !(s >= 1e-300 && s <= 1e300) {
			deviation := fmt.Sprintf("%.3g", s)
			if !(s <= 1e300) {
				deviation = "above 1e300" // it may be finite but overflow on the way
			}
			return fmt.Errorf("logistic: Regression: column %d of X has deviation %s, want one from 1e-300 to 1e300; scale it", j, deviation)
		}
	}
	return nil
}

// standardise sets units, the penalties and the sums. It returns false if the context was
// done before the end.
func (p *problem) standardise() bool {
	_, d := p.X.Dims()
	p.units = newUnits(d)
	constant, columns := make([]bool, d), make([]int, 0, d)
	if many(p.X) {
		var ok bool
		if columns, ok = p.measureMany(p.scale); !ok {
			return false
		}
	} else {
		for j := range d {
			columns = append(columns, j)
		}
	}
	if !p.measure(columns, p.scale, constant) {
		return false
	}
	for j := range d {
		p.lengthen(j)
		if !constant[j] {
			p.perScale[j] = 1 / p.scale[j]
		}
	}
	if many(p.X) {
		return p.storeMany()
	}
	Z := mat.NewDense(p.n, d+1, nil)
	*p = *p.over(Z, p.labels)
	return p.rows(p.n, func(i int) {
		z := Z.RawRowView(i)
		z[d] = 1
		for j, x := range p.X.RawRowView(i) {
			if z[j] = (x - p.mean[j]) / p.scale[j]; constant[j] {
				z[j] = 0
			}
		}
	})
}

// measure sets the weighted mean and deviation for the given columns, accurate to the last digits
// whatever their offset and unit. A column that varies only by rounding error is marked
// constant and gets the deviation 1. measure returns false if the context was done before
// the end.
func (p *problem) measure(columns []int, deviation []float64, constant []bool) bool {
	if len(columns) == 0 {
		return true
	}
	X, n, d := p.X, p.n, len(p.mean)
	for _, j := range columns {
		p.mean[j] = 0
	}
	before := make([]float64, d)
	for range 2 { // twice, as in newGaussians
		copy(before, p.mean)
		if !p.rows(n, func(i int) {
			x, share := X.RawRowView(i), p.weight(i)/p.total
			for _, j := range columns {
				p.mean[j] += float64(share * (x[j] - before[j]))
			}
		}) {
			return false
		}
	}
	most, squares := make([]float64, d), make([]float64, d)
	low, high := slices.Repeat([]float64{math.Inf(1)}, d), slices.Repeat([]float64{math.Inf(-1)}, d)
	ok := p.rows(n, func(i int) {
		x := X.RawRowView(i)
		for _, j := range columns {
			most[j] = math.Max(most[j], math.Abs(x[j]-p.mean[j]))
			low[j], high[j] = math.Min(low[j], x[j]), math.Max(high[j], x[j])
		}
	}) && p.rows(n, func(i int) {
		x, v := X.RawRowView(i), p.weight(i)
		for _, j := range columns {
			z := (x[j] - p.mean[j]) / most[j]
			squares[j] += float64(z*z) * v / p.total
		}
	})
	for _, j := range columns {
		deviation[j] = most[j] * math.Sqrt(squares[j])
		// The mean has rounding errors of its own, so it can't tell.
		size := math.Max(math.Abs(low[j]), math.Abs(high[j]))
		if constant[j] = high[j]-low[j] <= 8*rows.Epsilon*size; constant[j] {
			deviation[j] = 1
		}
	}
	return ok
}

// lengthen enlarges scale[j] by the prior's share of the curvature, so that all weights
// have the same curvature n/4 at θ = 0, and sets the penalties. Squares of scales may
// overflow, so it forms none.
func (p *problem) lengthen(j int) {
	n := p.total
	root := math.Sqrt(p.L2)
	p.scale[j] = math.Hypot(p.scale[j], 2*root/math.Sqrt(n))
	p.l2[j] = (root / p.scale[j]) * (root / p.scale[j])
	// The derivative of the loss with respect to a weight is at most n = Σ vᵢ, since the
	// column has variance 1 or less and the derivative with respect to a score is at most
	// vᵢ. Beyond n the weight is 0 in any case.
	p.l1[j] = math.Min(p.L1/p.scale[j], 2*n)
}
