package kernelized

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// finish sets the model of a, and judges it. lacking bounds what a leaves out.
//
// The scores of 64 samples tell what the model leaves of the equations. If there are more, one
// counts as often as the sum of the weights passes a multiple of its 64th part there. b is the
// mean of what Σ αⱼk(xᵢ, xⱼ) leaves:
//
//	b = ȳ + (yᵢ - ȳ) - λαᵢ/sᵢ - Σ αⱼk(xᵢ, xⱼ)
func (e *equations) finish(ctx context.Context, a *answer, lacking float64) error {
	const some = 64
	m := e.constant()
	mean := m.B
	m.Coef, m.B, m.X = floats.MulTo(make([]float64, len(a.beta)), a.beta, e.roots), 0, copyOf(e.X)
	var left, counts []float64
	sum, total, passed := 0.0, floats.Sum(e.weights), 0.0
	for i, s := range e.weights {
		sum += s
		count := s
		if len(e.weights) > some {
			count = math.Round(some*(sum/total)) - passed
		}
		if count == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		passed += count
		counts = append(counts, count)
		left = append(left, (a.t[i]-e.lambda*a.beta[i])/e.roots[i]-m.Score(e.X.RawRowView(i)))
	}
	if e.free {
		b := floats.Dot(left, counts) / passed
		floats.AddConst(-b, left)
		m.B = mean + b
	}
	for k, count := range counts {
		left[k] *= math.Sqrt(count / passed * total)
	}
	a.check = check.Answer{
		Left:   math.Hypot(floats.Norm(a.left, 2), floats.Norm(left, 2)) + e.rounding(m.Coef) + lacking,
		Error:  e.error(a),
		Varies: floats.Norm(e.t, 2),
		Size:   floats.Norm(floats.MulTo(make([]float64, len(e.y)), e.y, e.roots), 2),
	}
	m.Shift, a.model = e.shift, m
	return nil
}

// error returns √(Σ sᵢ(yᵢ - f(xᵢ))² + λ‖w‖²) with ‖w‖² = β·Aβ.
func (e *equations) error(a *answer) float64 {
	unit := floats.Norm(e.t, 2) // so that no square overflows
	if unit == 0 {
		return 0
	}
	squares := 0.0
	for i, β := range a.beta {
		ridge := e.lambda * (β / unit)
		fitted := (a.t[i]-a.left[i])/unit - ridge // (Aβ)ᵢ
		off := e.t[i]/unit - fitted
		squares += off*off + ridge*fitted
	}
	return unit * math.Sqrt(max(0, squares))
}

// rounding returns how uncertain the scores are, in the measure of check.Left, since each
// k(xᵢ, x) is rounded, and so each term αᵢk(xᵢ, x).
func (e *equations) rounding(alpha []float64) float64 {
	terms := floats.MulTo(make([]float64, len(alpha)), alpha, e.sizes)
	return 4 * rows.Epsilon * math.Sqrt(e.spread) * floats.Norm(terms, 2)
}

// vanishes returns the error of an answer that is wrong.
func (e *equations) vanishes(a *answer) error {
	total := math.Sqrt(floats.Sum(e.weights))
	// If λ is large, α is about S(y - ȳ)/λ.
	alpha := floats.MulTo(make([]float64, len(e.t)), e.t, e.roots)
	enough := math.Pow(10, math.Ceil(math.Log10(max(e.rounding(alpha)/a.check.Most(), 2*e.lambda))))
	return &mlkit.NotConvergedError{
		Algorithm: "kernelized: Ridge", Residual: a.check.Left / total, Model: a.model,
		Reason: fmt.Sprintf("Lambda = %v vanishes in the rounding of k, which is up to %.2g on the samples: the scores are uncertain by %.2g, where y varies by %.2g; standardise the columns of X, or raise Lambda to %.0g",
			e.lambda, floats.Max(e.sizes)*floats.Max(e.sizes), a.check.Left/total, a.check.Varies/total, enough),
	}
}
