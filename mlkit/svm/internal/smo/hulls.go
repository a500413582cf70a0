package smo

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/work"
)

// Overlap tells why there is no hard margin. If the convex hulls of the classes meet, Beta
// is the proof. If float64 is too coarse to tell, it is nil.
type Overlap struct {
	// Beta ≥ 0 sums to 1 over each class: the points Σ βᵢφ(xᵢ) of the two hulls are Apart
	// or less from each other. It is 1 at two equal samples with different labels, I and
	// J; otherwise these are -1.
	Beta        []float64
	Apart       float64
	I, J        int
	Spread2     float64 // the square of the distance over which the samples are spread
	Uncertainty float64 // by how much rounding may change squared distances
}

// errOverflow is returned by overlap if the scores overflow.
var errOverflow = errors.New("svm: overflow")

// overlap decides whether a hyperplane separates the classes in the feature space.
// Otherwise the dual of the hard margin is unbounded. It returns nil if one does, or if
// MaxIter steps do not decide.
//
// It approaches the nearest points Σ βᵢφ(xᵢ) of the convex hulls of the two classes, with
// β ≥ 0 and Σ β = 1 over each class. Its steps are like those of Optimise, but within one
// class (S. S. Keerthi, S. K. Shevade, C. Bhattacharyya, K. R. K. Murthy, "A fast
// iterative nearest point algorithm for support vector machine classifier design", 2000).
// With w the difference of the two points, the classes are separated as soon as min
// w·φ(xᵢ) over y = +1 exceeds max w·φ(xᵢ) over y = -1.
//
// The hulls meet if ‖w‖ is below 10⁻⁶ of the spread of the samples, or below rounding
// error of at most 10⁻⁵ of it. With larger rounding errors, where kernel values of
// different samples nearly agree or underflow, only two equal samples are a proof.
func (f *Fit) overlap(ctx work.Ender) (*Overlap, error) {
	p := &hulls{Dual: &f.Dual, rows: f.exact, β: make([]float64, len(f.Y)), h: make([]float64, len(f.Y))}
	spread2, err := p.start(ctx)
	if err != nil {
		return nil, err
	}
	// Rounding of a sum of n products, about 2⁻⁵² of the largest, plus underflow.
	rounding := 64*0x1p-52*f.Largest() + 0x1p-1022
	for range f.MaxIter {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		plus, minus := p.worst(+1), p.worst(-1)
		if plus.to < 0 || minus.to < 0 {
			return nil, errOverflow
		}
		if p.h[plus.to]-p.h[minus.to] > rounding {
			return nil, nil
		}
		// ‖w‖² = Σ βᵢyᵢ w·φ(xᵢ)
		norm2 := 0.0
		for i, β := range p.β {
			norm2 += β * f.Y[i] * p.h[i]
		}
		if norm2 <= max(1e-12*spread2, rounding) {
			return f.meet(p.β, norm2, rounding, spread2), nil
		}
		if minus.gap > plus.gap {
			plus = minus
		}
		if err := p.step(ctx, plus); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// meet returns the Overlap for two points Σ βᵢφ(xᵢ) of the hulls at the squared distance
// norm2, known up to rounding.
func (f *Fit) meet(β []float64, norm2, rounding, spread2 float64) *Overlap {
	o := &Overlap{I: -1, J: -1, Spread2: spread2, Uncertainty: rounding}
	if rounding <= 1e-10*spread2 {
		if rounding > 1e-12*spread2 {
			norm2 = max(norm2, rounding)
		}
		o.Beta, o.Apart = β, math.Sqrt(max(0, norm2))
		return o
	}
	if o.I, o.J = f.twins(); o.I >= 0 {
		o.Beta = make([]float64, len(β))
		o.Beta[o.I], o.Beta[o.J] = 1, 1
	}
	return o
}

// twins returns two equal samples with different labels, or -1, -1.
func (f *Fit) twins() (int, int) {
	order := make([]int, len(f.Y))
	for i := range order {
		order[i] = i
	}
	compare := func(i, j int) int { return slices.Compare(f.Samples.Row(i), f.Samples.Row(j)) }
	slices.SortStableFunc(order, compare)
	for first, k := 0, 1; k < len(order); k++ {
		if compare(order[first], order[k]) != 0 {
			first = k
		} else if f.Y[order[first]] != f.Y[order[k]] {
			return order[first], order[k]
		}
	}
	return -1, -1
}

// hulls is the state of overlap.
type hulls struct {
	*Dual
	rows *exact
	β    []float64
	h    []float64 // w·φ(xᵢ), with w = Σ βᵢyᵢφ(xᵢ)
}

// pair is the worst violation in one class: weight at a row with large yᵢw·φ(xᵢ) could
// move to row to, where it is least. gap is the difference.
type pair struct {
	to  int
	gap float64
}

// start puts all weight on the first row of each class. It returns the square of the
// largest distance from one of these two to any row.
func (p *hulls) start(ctx work.Ender) (spread2 float64, err error) {
	for _, sign := range []float64{+1, -1} {
		for i, y := range p.Y {
			if y != sign {
				continue
			}
			row, err := p.rows.Row(ctx, i)
			if err != nil {
				return 0, err
			}
			p.β[i] = 1
			floats.AddScaled(p.h, sign, row)
			for t, v := range row {
				spread2 = max(spread2, p.K[i]+p.K[t]-2*v)
			}
			break
		}
	}
	return spread2, nil
}

// worst returns the row of a class with the least yᵢhᵢ, and the gap to the largest yᵢhᵢ
// of a row with weight. The row is -1 if sums have overflowed.
func (p *hulls) worst(sign float64) pair {
	to, least, most := -1, math.Inf(1), math.Inf(-1)
	for i, y := range p.Y {
		if y != sign {
			continue
		}
		v := y * p.h[i]
		if v < least {
			to, least = i, v
		}
		if p.β[i] > 0 {
			most = max(most, v)
		}
	}
	return pair{to, most - least}
}

// step moves weight to row w.to from the row of its class that reduces ‖w‖² most.
func (p *hulls) step(ctx work.Ender, w pair) error {
	i, sign := w.to, p.Y[w.to]
	Ki, err := p.rows.Row(ctx, i)
	if err != nil {
		return err
	}
	j, most := i, 0.0
	for t, y := range p.Y {
		b := sign * (p.h[t] - p.h[i])
		if y != sign || p.β[t] == 0 || b <= 0 {
			continue
		}
		if gain := b * (b / p.curvature(i, t, Ki[t])); gain > most {
			j, most = t, gain
		}
	}
	Kj, err := p.rows.Row(ctx, j)
	if err != nil {
		return err
	}
	δ := min(p.β[j], sign*(p.h[j]-p.h[i])/p.curvature(i, j, Ki[j]))
	p.β[i] += δ
	p.β[j] -= δ
	floats.AddScaled(p.h, sign*δ, Ki)
	floats.AddScaled(p.h, -sign*δ, Kj)
	return nil
}
