package derive

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// HingeFromSlacks derives the hinge loss from the slack variables (Yuille, section 15).
// The smallest slack that satisfies its constraints is max{0, 1 - y(x·a + b)}. The primal
// with that slack is EE-559's criterion with λ = 1/(2γN).
//
// The lecture has two slips. Section 15 twice writes the slack as 1 - y(x·a), without the
// b that it has in two other places. It also writes the constraint as y(x·a + b) - 1 > 0,
// where section 9 has ≥.
func HingeFromSlacks() Derivation[SoftMargin] {
	return Derivation[SoftMargin]{
		Title:  "From slack variables to the hinge loss",
		Source: "Yuille, section 15; EE-559, 3a, the criterion of support vector machines",
		Draw:   drawSoftMargin,
		Valid:  SoftMargin.validHinge,
		Example: func() SoftMargin {
			q := exampleSoftMargin()
			q.B = 0.25
			q.Z = q.slacks(q.A, q.B)
			q.Z[0]++ // more than needed, so step 4 is not an equality
			return q
		},
		Given: SoftMargin.givenSamples,
		Notes: `Erratum: section 15 prints the slack as $1-y_\mu(x_\mu\cdot a)$ twice; the $b$ belongs there.`,
		Steps: []Step[SoftMargin]{
			start(`\min\{z_\mu:z_\mu\ge0,\ y_\mu(x_\mu\cdot a+b)\ge1-z_\mu\}`, "a slack costs, so it is as small as it may be; found by bisection",
				func(q SoftMargin) []float64 {
					return each(len(q.Y), func(i int) float64 { return leastSlack(q.functional(i, q.A, q.B)) })
				}),
			equal(`\max\{0,1-y_\mu(x_\mu\cdot a+b)\}`, "0 where the constraint holds without a slack, else what it lacks",
				func(q SoftMargin) []float64 { return q.slacks(q.A, q.B) }),

			start(`\tfrac12a\cdot a+\gamma\sum_\mu z_\mu`, "with any slacks that satisfy the constraints",
				Scalar(func(q SoftMargin) float64 { return q.primal(q.A, q.Z) })),
			atLeast(`L(a,b)=\tfrac12a\cdot a+\gamma\sum_\mu\max\{0,1-y_\mu(x_\mu\cdot a+b)\}`, "with the smallest: the slacks and their constraints are gone",
				Scalar(func(q SoftMargin) float64 { return q.primal(q.A, q.slacks(q.A, q.B)) })),
			equal(`\gamma N\Bigl\{\lambda\Vert w\Vert^2+\frac1N\sum_n\max(0,1-y_n(w\cdot x_n+b))\Bigr\}`, `EE-559's criterion times $\gamma N$: $w=a$, $\lambda=1/(2\gamma N)$`,
				Scalar(func(q SoftMargin) float64 {
					n := float64(len(q.Y))
					lambda := 1 / (2 * q.Gamma * n)
					return q.Gamma * n * (lambda*norm2(q.A) + floats.Sum(q.slacks(q.A, q.B))/n)
				})),

			start(`\frac{\partial L(a,b)}{\partial a}`, `computed by differences, where no $y_\mu(x_\mu\cdot a+b)$ is 1`,
				func(q SoftMargin) []float64 {
					return difference(func(a []float64) float64 { return q.primal(a, q.slacks(a, q.B)) }, q.A, q.hingeStep())
				}),
			equal(`a-\gamma\sum_{\mu:\,y_\mu(x_\mu\cdot a+b)\lt1}y_\mu x_\mu`, `only samples within the margin pull: $\alpha_\mu=\gamma$ there, 0 elsewhere`,
				func(q SoftMargin) []float64 {
					alpha := each(len(q.Y), func(i int) float64 {
						if q.functional(i, q.A, q.B) < 1 {
							return q.Gamma
						}
						return 0
					})
					return plus(q.A, -1, q.plane(alpha))
				}).beside(SoftMargin.size),
		},
	}
}

// leastSlack returns the smallest z ≥ 0 with m ≥ 1 - z, by bisection.
func leastSlack(m float64) float64 {
	lo, hi := 0.0, 2+math.Abs(m)
	if m >= 1-lo {
		return lo
	}
	for range 100 { // more halvings than a float64 has bits
		if mid := lo + (hi-lo)/2; m >= 1-mid {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// hingeStep returns a difference step so small that no sample crosses the margin of
// (A, B).
func (q SoftMargin) hingeStep() float64 {
	nearest, largest := math.Inf(1), 0.0
	for i := range q.Y {
		nearest = min(nearest, math.Abs(1-q.functional(i, q.A, q.B)))
		largest = max(largest, floats.Norm(q.X.RawRowView(i), math.Inf(1)))
	}
	return nearest / largest / 2
}
