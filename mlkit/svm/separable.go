package svm

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/early"
)

// separable decides whether a hyperplane separates the classes in the space of the
// kernel, before a hard margin is looked for: else the dual has no maximum. It
// returns "" if one does, or if MaxIter steps do not tell, and else the reason why
// none does, with s.proof, or why float64 does not tell, without.
//
// It goes for the nearest points of the convex hulls of the classes, Σ βᵢφ(xᵢ) over
// each class, with β ≥ 0 and Σ β = 1 in each, by steps like those of smo, within one
// class each (S. S. Keerthi, S. K. Shevade, C. Bhattacharyya, K. R. K. Murthy, "A fast
// iterative nearest point algorithm for support vector machine classifier design",
// 2000). With w the difference of the two points the classes are separated as soon as
// min w·φ(xᵢ) over y = +1 is above max w·φ(xᵢ) over y = -1. They are not if the hulls
// meet: here, if ‖w‖ is below 10⁻⁶ of the spread of the samples, or lost in rounding that
// is below 10⁻⁵ of it. If rounding is more than that, where k of different samples
// is nearly the same or underflows, only two equal samples are a proof.
func (s *smo) separable(ctx early.Ender) (reason string, err error) {
	p := &hulls{smo: s, β: make([]float64, len(s.y)), h: make([]float64, len(s.y))}
	spread2, err := p.start(ctx)
	if err != nil {
		return "", err
	}
	// A sum of n products is rounded by some 2⁻⁵² of the largest, and by what underflows.
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

// inseparable sets the proof that no hyperplane separates the classes, if there is one, and
// returns the reason: two points Σ βᵢφ(xᵢ) of the hulls are at the squared distance norm2,
// known up to rounding.
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

// twins returns two rows that are one point with both labels, or -1, -1.
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

// pair is what is worst in one class: weight at a row where yᵢw·φ(xᵢ) is large that
// could be at the row to, where it is least.
type pair struct {
	to  int
	gap float64
}

// start puts all weight on the first row of each class and returns the square of
// the largest distance from the first of these to a row.
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

// worst returns the row with the least yᵢhᵢ of a class, and how far above it the
// largest with weight is. The row is -1 if sums have overflowed.
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

// step moves weight to a row from the one of its class with which ‖w‖² falls most.
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
