// Package linear is the problem of the support vector machine with the linear kernel, and what
// its algorithms share: the values of the primal and the dual problem, the sums over the samples
// that these take (sums.go), and what a fit comes to (solution.go).
package linear

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

// Problem is the primal and the dual problem of n samples with d features, with the hinge loss
// or its square. Rows of weight 0 of the caller's X are absent.
type Problem struct {
	X       *mat.Dense // n×d
	Y       []float64  // labels yᵢ, -1 or +1
	C       []float64  // Cᵢ > 0
	Squared bool       // whether slacks are squared
	Bias    mlkit.Bias

	present []int     // the rows of the caller's X that those of X are; nil means all
	given   int       // the number of rows of the caller's X
	signed  []float64 // αᵢyᵢ in Dual
}

// New returns the problem of the rows of X whose C is not 0.
func New(X *mat.Dense, y []int, C []float64, squared bool, bias mlkit.Bias) *Problem {
	present := rows.Present(C)
	p := &Problem{
		X: rows.Select(X, present), C: rows.Pick(C, present), Squared: squared, Bias: bias,
		present: present, given: len(y),
	}
	for _, v := range rows.Pick(y, present) {
		p.Y = append(p.Y, float64(v))
	}
	p.signed = make([]float64, len(p.Y))
	return p
}

// Pick returns the multipliers of the samples, given those of the rows of the caller's X.
// Restore does the opposite.
func (p *Problem) Pick(alpha []float64) []float64 { return rows.Pick(alpha, p.present) }

func (p *Problem) Restore(alpha []float64) []float64 {
	return rows.Restore(alpha, p.present, p.given)
}

// TooLong returns the error for sample i, whose square overflows.
func (p *Problem) TooLong(i int, square float64) error {
	row := rows.Number(i, p.present)
	return fmt.Errorf("svm: k(X[%d], X[%d]) = %v, want a finite number; scale X to smaller numbers", row, row, square)
}

// Primal returns ½‖w‖² (+ ½b² if b is penalised) + Σ Cᵢξᵢ, or Σ Cᵢξᵢ² for squared slacks,
// where scores holds w·xᵢ + b.
func (p *Problem) Primal(w []float64, b float64, scores []float64) float64 {
	sum := 0.0
	for i, s := range scores {
		ξ := max(0, 1-p.Y[i]*s)
		if p.Squared {
			ξ *= ξ
		}
		sum += p.C[i] * ξ
	}
	if p.Bias == mlkit.PenalizedBias {
		sum += b * b / 2
	}
	return floats.Dot(w, w)/2 + sum
}

// Dual makes α feasible for the dual problem, in place. It returns w = Σ αᵢyᵢxᵢ and the
// value
//
//	Σ αᵢ - ½‖Σ αᵢyᵢxᵢ‖² (- ½(Σ αᵢyᵢ)² if b is penalised) (- Σ αᵢ²/(4Cᵢ) for squared slacks)
//
// It clips α to its bounds. If b is free, it then scales down the multipliers of one
// class until Σ αᵢyᵢ = 0.
func (p *Problem) Dual(alpha []float64) (w []float64, value float64) {
	var sum [2]float64
	class := func(i int) int { return int(1+p.Y[i]) / 2 }
	for i := range alpha {
		alpha[i] = max(0, alpha[i])
		if !p.Squared {
			alpha[i] = min(alpha[i], p.C[i])
		}
		sum[class(i)] += alpha[i]
	}
	shrink := [2]float64{1, 1}
	if p.Bias == mlkit.FreeBias {
		for c := range shrink {
			if sum[c] > sum[1-c] {
				shrink[c] = sum[1-c] / sum[c]
			}
		}
	}
	balance := 0.0
	for i := range alpha {
		a := alpha[i] * shrink[class(i)]
		alpha[i], p.signed[i] = a, a*p.Y[i]
		value += a
		balance += p.signed[i]
		if p.Squared && a > 0 {
			value -= a * (a / p.C[i]) / 4
		}
	}
	w = p.Combination(p.signed)
	if p.Bias == mlkit.PenalizedBias {
		value -= balance * balance / 2
	}
	return w, value - floats.Dot(w, w)/2
}

// BestBias returns the b that minimises Σ Cᵢ max(0, 1 - yᵢ(sᵢ + b)), where sᵢ = w·xᵢ. The
// sum is piecewise linear in b, with corners at yᵢ - sᵢ where the slope grows by Cᵢ. So b
// is a weighted median of the corners, or the midpoint of a piece of slope 0.
func (p *Problem) BestBias(scores []float64) float64 {
	type corner struct{ b, c float64 }
	corners := make([]corner, 0, len(scores))
	slope, total := 0.0, 0.0
	for i, s := range scores {
		corners = append(corners, corner{p.Y[i] - s, p.C[i]})
		total += p.C[i]
		if p.Y[i] > 0 {
			slope -= p.C[i]
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

// Add returns scores with b added to each.
func Add(b float64, scores []float64) []float64 {
	sum := slices.Clone(scores)
	floats.AddConst(b, sum)
	return sum
}
