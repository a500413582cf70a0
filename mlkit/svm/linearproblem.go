package svm

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// linearProblem is the primal and the dual problem of the linear kernel. Samples of weight 0
// are absent.
type linearProblem struct {
	X       *mat.Dense
	y       []float64
	bound   []float64 // Cᵢ > 0
	present []int     // the rows of the caller's X that those of X are; nil means all
	given   int       // the number of rows of the caller's X
	loss    Loss
	bias    mlkit.Bias
	sums    sums
	signed  []float64 // αᵢyᵢ in dual
}

// newLinearProblem returns the problem of the rows of X whose bound is not 0.
func newLinearProblem(X *mat.Dense, y []int, bound []float64, loss Loss, bias mlkit.Bias) *linearProblem {
	present := rows.Present(bound)
	p := &linearProblem{
		X: rows.Select(X, present), bound: rows.Pick(bound, present), present: present, given: len(y),
		loss: loss, bias: bias,
	}
	for _, v := range rows.Pick(y, present) {
		p.y = append(p.y, float64(v))
	}
	p.signed = make([]float64, len(p.y))
	if p.sums = (plainSums{p.X}); p.many() {
		p.sums = fastSums{plainSums{p.X}}
	}
	return p
}

// ofRows gives the multipliers of m their places among the rows of the caller's X.
func (p *linearProblem) ofRows(m *LinearModel, err error) (*LinearModel, error) {
	if m != nil {
		m.Alpha = rows.Restore(m.Alpha, p.present, p.given)
	}
	return m, err
}

// tooLong returns the error for sample i, whose square overflows.
func (p *linearProblem) tooLong(i int, square float64) error {
	row := rows.Number(i, p.present)
	return fmt.Errorf("svm: k(X[%d], X[%d]) = %v, want a finite number; scale X to smaller numbers", row, row, square)
}

// primal returns ½‖w‖² (+ ½b² if b is penalised) + Σ Cᵢξᵢ, or Σ Cᵢξᵢ² for squared slacks,
// where scores holds w·xᵢ + b.
func (p *linearProblem) primal(w []float64, b float64, scores []float64) float64 {
	sum := 0.0
	for i, s := range scores {
		ξ := max(0, 1-p.y[i]*s)
		if p.loss == SquaredHinge {
			ξ *= ξ
		}
		sum += p.bound[i] * ξ
	}
	if p.bias == mlkit.PenalizedBias {
		sum += b * b / 2
	}
	return floats.Dot(w, w)/2 + sum
}

// dual makes α feasible for the dual problem, in place. It returns w = Σ αᵢyᵢxᵢ and the
// value
//
//	Σ αᵢ - ½‖Σ αᵢyᵢxᵢ‖² (- ½(Σ αᵢyᵢ)² if b is penalised) (- Σ αᵢ²/(4Cᵢ) for squared slacks)
//
// It clips α to its bounds. If b is free, it then scales down the multipliers of one
// class until Σ αᵢyᵢ = 0.
func (p *linearProblem) dual(alpha []float64) (w []float64, value float64) {
	var sum [2]float64
	class := func(i int) int { return int(1+p.y[i]) / 2 }
	for i := range alpha {
		alpha[i] = max(0, alpha[i])
		if p.loss == Hinge {
			alpha[i] = min(alpha[i], p.bound[i])
		}
		sum[class(i)] += alpha[i]
	}
	shrink := [2]float64{1, 1}
	if p.bias == mlkit.FreeBias {
		for c := range shrink {
			if sum[c] > sum[1-c] {
				shrink[c] = sum[1-c] / sum[c]
			}
		}
	}
	balance := 0.0
	for i := range alpha {
		a := alpha[i] * shrink[class(i)]
		alpha[i], p.signed[i] = a, a*p.y[i]
		value += a
		balance += p.signed[i]
		if p.loss == SquaredHinge && a > 0 {
			value -= a * (a / p.bound[i]) / 4
		}
	}
	w = p.sums.combination(p.signed)
	if p.bias == mlkit.PenalizedBias {
		value -= balance * balance / 2
	}
	return w, value - floats.Dot(w, w)/2
}

// bestBias returns the b that minimises Σ Cᵢ max(0, 1 - yᵢ(sᵢ + b)), where sᵢ = w·xᵢ. The
// sum is piecewise linear in b, with corners at yᵢ - sᵢ where the slope grows by Cᵢ. So b
// is a weighted median of the corners, or the midpoint of a piece of slope 0.
func (p *linearProblem) bestBias(scores []float64) float64 {
	type corner struct{ b, c float64 }
	corners := make([]corner, 0, len(scores))
	slope, total := 0.0, 0.0
	for i, s := range scores {
		corners = append(corners, corner{p.y[i] - s, p.bound[i]})
		total += p.bound[i]
		if p.y[i] > 0 {
			slope -= p.bound[i]
		}
	}
	slices.SortFunc(corners, func(u, v corner) int { return cmp.Compare(u.b, v.b) })
	for k, c := range corners {
		slope += c.c
		if math.Abs(slope) <= 1e-12*total && k+1 < len(corners) {
			return c.b/2 + corners[k+1].b/2
		}
		if slope > 0 {
			return c.b
		}
	}
	return corners[len(corners)-1].b
}

// add returns scores with b added to each.
func add(b float64, scores []float64) []float64 {
	sum := slices.Clone(scores)
	floats.AddConst(b, sum)
	return sum
}
