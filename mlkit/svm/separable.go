package svm

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/early"
)

// separable decides whether a hyperplane separates the classes in the feature space.
// Otherwise the dual of the hard margin is unbounded. It returns "" if one does, or if
// MaxIter steps do not decide. If none does, it returns the reason and sets s.proof. If
// float64 is too coarse to decide, it returns the reason without a proof.
//
// It approaches the nearest points Σ βᵢφ(xᵢ) of the convex hulls of the two classes, with
// β ≥ 0 and Σ β = 1 over each class. Its steps are like those of smo, but within one
// class (S. S. Keerthi, S. K. Shevade, C. Bhattacharyya, K. R. K. Murthy, "A fast
// iterative nearest point algorithm for support vector machine classifier design", 2000).
// With w the difference of the two points, the classes are separated as soon as min
// w·φ(xᵢ) over y = +1 exceeds max w·φ(xᵢ) over y = -1.
//
// The hulls meet if ‖w‖ is below 10⁻⁶ of the spread of the samples, or below rounding
// error of at most 10⁻⁵ of it. With larger rounding errors, where kernel values of
// different samples nearly agree or underflow, only two equal samples are a proof.
func (s *smo) separable(ctx early.Ender) (reason string, err error) {
	p := &hulls{smo: s, β: make([]float64, len(s.y)), h: make([]float64, len(s.y))}
	spread2, err := p.start(ctx)
	if err != nil {
		return "", err
	}
	// Rounding of a sum of n products, about 2⁻⁵² of the largest, plus underflow.
	rounding := 64*0x1p-52*largestSize(s.diag) + 0x1p-1022
	for range s.limit {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		plus, minus := p.worst(+1), p.worst(-1)
		if plus.to < 0 || minus.to < 0 {
			return "", errOverflow
		}
		if p.h[plus.to]-p.h[minus.to] > rounding {
			return "", nil
		}
		// ‖w‖² = Σ βᵢyᵢ w·φ(xᵢ)
		norm2 := 0.0
		for i, β := range p.β {
			norm2 += β * s.y[i] * p.h[i]
		}
		if norm2 <= max(1e-12*spread2, rounding) {
			return s.inseparable(p.β, norm2, rounding, spread2), nil
		}
		if minus.gap > plus.gap {
			plus = minus
		}
		if err := p.step(ctx, plus); err != nil {
			return "", err
		}
	}
	return "", nil
}

// inseparable returns the reason why no hyperplane separates the classes, or why float64
// cannot tell; in the first case it sets s.proof. The two points Σ βᵢφ(xᵢ) of the hulls
// have the squared distance norm2, known up to rounding.
func (s *smo) inseparable(β []float64, norm2, rounding, spread2 float64) string {
	if rounding <= 1e-10*spread2 {
		s.proof = β
		apart := math.Sqrt(max(0, norm2))
		if rounding > 1e-12*spread2 {
			apart = math.Sqrt(max(norm2, rounding))
		}
		return fmt.Sprintf("the convex hulls of the classes meet in the space of the kernel: two of their points are %.2g apart, where the samples are spread over %.2g; give C a finite value", apart, math.Sqrt(spread2))
	}
	if i, j := s.twins(); i >= 0 {
		s.proof = make([]float64, len(β))
		s.proof[i], s.proof[j] = 1, 1
		return fmt.Sprintf("X[%d] and X[%d] are the same point with both labels; give C a finite value", i, j)
	}
	return fmt.Sprintf("float64 does not tell the classes apart in the space of the kernel: the squares of distances there are up to %.2g, and rounding makes them uncertain by %.2g; %s, or give C a finite value", spread2, rounding, s.rescale())
}

// twins returns two equal rows with different labels, or -1, -1.
func (s *smo) twins() (int, int) {
	order := make([]int, 0, len(s.y))
	for i := range s.y {
		if s.bound[i] > 0 {
			order = append(order, i)
		}
	}
	compare := func(i, j int) int { return slices.Compare(s.X.row(i), s.X.row(j)) }
	slices.SortStableFunc(order, compare)
	for first, k := 0, 1; k < len(order); k++ {
		if compare(order[first], order[k]) != 0 {
			first = k
		} else if s.y[order[first]] != s.y[order[k]] {
			return order[first], order[k]
		}
	}
	return -1, -1
}

// largestSize returns the largest absolute value.
func largestSize(v []float64) float64 { return floats.Norm(v, math.Inf(1)) }

// hulls is the state of separable.
type hulls struct {
	smo *smo
	β   []float64
	h   []float64 // w·φ(xᵢ), with w = Σ βᵢyᵢφ(xᵢ)
}

// pair is the worst violation in one class: weight at a row with large yᵢw·φ(xᵢ) could
// move to row to, where it is least. gap is the difference.
type pair struct {
	to  int
	gap float64
}

// start puts all weight on the first row of each class. It returns the square of the
// largest distance from one of these two to any row.
func (p *hulls) start(ctx early.Ender) (spread2 float64, err error) {
	for _, sign := range []float64{+1, -1} {
		for i, y := range p.smo.y {
			if y != sign || p.smo.bound[i] == 0 {
				continue
			}
			row, err := p.smo.rows.row(ctx, i)
			if err != nil {
				return 0, err
			}
			p.β[i] = 1
			floats.AddScaled(p.h, sign, row)
			for t, v := range row {
				spread2 = max(spread2, p.smo.diag[i]+p.smo.diag[t]-2*v)
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
	for i, y := range p.smo.y {
		if y != sign || p.smo.bound[i] == 0 {
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
func (p *hulls) step(ctx early.Ender, w pair) error {
	i, sign := w.to, p.smo.y[w.to]
	Ki, err := p.smo.rows.row(ctx, i)
	if err != nil {
		return err
	}
	j, most := i, 0.0
	for t, y := range p.smo.y {
		b := sign * (p.h[t] - p.h[i])
		if y != sign || p.β[t] == 0 || b <= 0 {
			continue
		}
		if gain := b * (b / p.smo.curvature(i, t, Ki[t])); gain > most {
			j, most = t, gain
		}
	}
	Kj, err := p.smo.rows.row(ctx, j)
	if err != nil {
		return err
	}
	δ := min(p.β[j], sign*(p.h[j]-p.h[i])/p.smo.curvature(i, j, Ki[j]))
	p.β[i] += δ
	p.β[j] -= δ
	floats.AddScaled(p.h, sign*δ, Ki)
	floats.AddScaled(p.h, -sign*δ, Kj)
	return nil
}
