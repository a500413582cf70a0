package svm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/abandon"
)

// separable decides whether a hyperplane separates the classes in the space of the
// kernel, before a hard margin is looked for: else the dual has no maximum. It
// returns "" if one does, or if MaxIter steps do not tell, and else the reason why
// none does.
//
// It goes for the nearest points of the convex hulls of the classes, Σ βᵢφ(xᵢ) over
// each class, with β ≥ 0 and Σ β = 1 in each, by steps like those of smo, within one
// class each (S. S. Keerthi, S. K. Shevade, C. Bhattacharyya, K. R. K. Murthy, "A fast
// iterative nearest point algorithm for support vector machine classifier design",
// 2000). With w the difference of the two points the classes are separated as soon as
// min w·φ(xᵢ) over y = +1 is above max w·φ(xᵢ) over y = -1. They are not if the hulls
// meet: here, if ‖w‖ is below 10⁻⁶ of the spread of the samples or lost in rounding.
func (s *smo) separable(ctx abandon.Ender) (reason string, err error) {
	p := &hulls{smo: s, β: make([]float64, len(s.y)), h: make([]float64, len(s.y))}
	spread2, err := p.start(ctx)
	if err != nil {
		return "", err
	}
	rounding := 64 * 0x1p-52 * floats.Max(s.diag)
	for range s.limit {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		plus, minus := p.worst(+1), p.worst(-1)
		if p.h[plus.to]-p.h[minus.to] > rounding {
			return "", nil
		}
		// ‖w‖² = Σ βᵢyᵢ w·φ(xᵢ)
		norm2 := 0.0
		for i, β := range p.β {
			norm2 += β * s.y[i] * p.h[i]
		}
		if norm2 <= max(1e-12*spread2, rounding) {
			return fmt.Sprintf("the convex hulls of the classes meet in the space of the kernel: two of their points are %.2g apart, where the samples are spread over %.2g; give C a finite value", math.Sqrt(max(0, norm2)), math.Sqrt(spread2)), nil
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
func (p *hulls) start(ctx abandon.Ender) (spread2 float64, err error) {
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
// largest with weight is.
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
func (p *hulls) step(ctx abandon.Ender, w pair) error {
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
