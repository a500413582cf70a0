package derive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// PerceptronCost is a labelled set with weights, at which the perceptron's cost is
// differentiated, and a rate.
type PerceptronCost struct {
	X   *mat.Dense // N×l, extended by a column of ones
	Y   []int      // +1 for ω₁, -1 for ω₂
	W   []float64  // w(t), l; no sample may be on its hyperplane
	Rho float64    // ρ_t > 0
}

// PerceptronAsGradient derives the perceptron rule as gradient descent on the cost J(w)
// (Theodoridis, "The Perceptron Algorithm"; Cornell, section 1.1, where J is called D). J
// is linear wherever no sample is on the hyperplane, so derivatives computed by
// differences are exact there. With a sample on the hyperplane there is no derivative,
// and Check returns an error.
func PerceptronAsGradient() Derivation[PerceptronCost] {
	return Derivation[PerceptronCost]{
		Title:   "The rule of the perceptron is gradient descent",
		Source:  "Theodoridis, chapter 3, The Perceptron Algorithm; the four points of example 3.2; Cornell, section 1.1",
		Draw:    drawPerceptronCost,
		Valid:   PerceptronCost.valid,
		Example: examplePerceptronCost,
		Given:   PerceptronCost.given,
		Notes:   `$Y$ is the set of the samples that w classifies wrongly; $\delta_x=-1$ for those of $\omega_1$, $+1$ for those of $\omega_2$. $J$ is piecewise linear, and differentiable where no sample is on the hyperplane.`,
		Steps: []Step[PerceptronCost]{
			start(`J(w)=\sum_{x\in Y}\delta_xw^Tx`, "the cost, over the samples on the wrong side",
				Scalar(func(q PerceptronCost) float64 { return q.cost(q.W) })),
			equal(`-\sum_{i\in\mathcal M}y_i(x_i^T\beta+\beta_0)`, `Cornell's $D(\beta,\beta_0)$: $\delta_{x_i}=-y_i$, and $\mathcal M$ is $Y$`,
				Scalar(func(q PerceptronCost) float64 {
					l := len(q.W) - 1
					return -sum(len(q.Y), func(i int) float64 {
						f := floats.Dot(q.X.RawRowView(i)[:l], q.W[:l]) + q.X.At(i, l)*q.W[l]
						if q.wrong(i, q.W) {
							return float64(q.Y[i]) * f
						}
						return 0
					})
				})),
			equal(`\sum_i\max\{0,-y_iw^Tx_i\}`, "the others have a positive $y_iw^Tx_i$",
				Scalar(func(q PerceptronCost) float64 {
					return sum(len(q.Y), func(i int) float64 { return max(0, -float64(q.Y[i])*q.score(i, q.W)) })
				})),
			atLeast(`0`, "and 0 only if Y is empty",
				Scalar(func(PerceptronCost) float64 { return 0 })),

			start(`\frac{\partial J(w)}{\partial w}`, "computed by differences so small that no sample changes sides",
				func(q PerceptronCost) []float64 { return difference(q.cost, q.W, q.step()) }),
			equal(`\sum_{x\in Y}\delta_xx`, "Y stays as it is near w",
				PerceptronCost.gradient),

			start(`w(t)-\rho_t\frac{\partial J(w)}{\partial w}`, "gradient descent",
				func(q PerceptronCost) []float64 {
					return plus(q.W, -q.Rho, difference(q.cost, q.W, q.step()))
				}),
			equal(`w(t)-\rho_t\sum_{x\in Y}\delta_xx`, "the perceptron, all samples at once",
				func(q PerceptronCost) []float64 { return plus(q.W, -q.Rho, q.gradient()) }),
			equal(`w(t)+\rho_t\sum_{i\in\mathcal M}y_ix_i`, `$\delta_{x_i}=-y_i$: towards the samples of $\omega_1$, away from those of $\omega_2$`,
				func(q PerceptronCost) []float64 {
					w := slices.Clone(q.W)
					for i, y := range q.Y {
						if q.wrong(i, q.W) {
							floats.AddScaled(w, q.Rho*float64(y), q.X.RawRowView(i))
						}
					}
					return w
				}),

			start(`w(t)-\rho\frac{\partial}{\partial w}\max\{0,-y_{(t)}w^Tx_{(t)}\}`, "one sample at a time: the first of Y",
				func(q PerceptronCost) []float64 {
					i := q.firstWrong()
					if i < 0 {
						return q.W
					}
					one := func(w []float64) float64 { return max(0, -float64(q.Y[i])*q.score(i, w)) }
					return plus(q.W, -q.Rho, difference(one, q.W, q.step()))
				}),
			equal(`\begin{cases}w(t)+\rho x_{(t)},&x_{(t)}\in\omega_1\\w(t)-\rho x_{(t)},&x_{(t)}\in\omega_2\end{cases}`, "reward and punishment",
				func(q PerceptronCost) []float64 {
					i := q.firstWrong()
					switch {
					case i < 0:
						return q.W
					case q.Y[i] > 0:
						return plus(q.W, q.Rho, q.X.RawRowView(i))
					}
					return plus(q.W, -q.Rho, q.X.RawRowView(i))
				}),

			start(`J\Bigl(w-\eta\frac{\partial J}{\partial w}\Bigr)`, `$\eta$ so small that no sample changes sides`,
				Scalar(func(q PerceptronCost) float64 { return q.cost(plus(q.W, -q.eta(), q.gradient())) })),
			equal(`J(w)-\eta\Bigl\Vert\frac{\partial J}{\partial w}\Bigr\Vert^2`, "J is linear there",
				Scalar(func(q PerceptronCost) float64 { return q.cost(q.W) - q.eta()*norm2(q.gradient()) })),
			atMost(`J(w)`, "the step goes downhill",
				Scalar(func(q PerceptronCost) float64 { return q.cost(q.W) })),
		},
	}
}

// score returns wᵀxᵢ.
func (q PerceptronCost) score(i int, w []float64) float64 { return floats.Dot(w, q.X.RawRowView(i)) }

// wrong reports whether w misclassifies sample i.
func (q PerceptronCost) wrong(i int, w []float64) bool { return float64(q.Y[i])*q.score(i, w) < 0 }

// firstWrong returns the first sample that W misclassifies, or -1.
func (q PerceptronCost) firstWrong() int {
	for i := range q.Y {
		if q.wrong(i, q.W) {
			return i
		}
	}
	return -1
}

// delta returns δ of sample i, or 0 if w classifies it correctly.
func (q PerceptronCost) delta(i int, w []float64) float64 {
	switch {
	case !q.wrong(i, w):
		return 0
	case q.Y[i] > 0:
		return -1
	}
	return +1
}

// cost returns J(w).
func (q PerceptronCost) cost(w []float64) float64 {
	return sum(len(q.Y), func(i int) float64 { return q.delta(i, w) * q.score(i, w) })
}

// gradient returns Σ δx over the samples that W misclassifies.
func (q PerceptronCost) gradient() []float64 {
	return combination(each(len(q.Y), func(i int) float64 { return q.delta(i, q.W) }), q.X)
}

// room returns half the smallest |wᵀx| over the largest change(i). If change(i) is how
// much adding v to w changes the score of sample i, then adding less than room times v
// leaves all samples on their sides.
func (q PerceptronCost) room(change func(i int) float64) float64 {
	least, largest := math.Inf(1), 0.0
	for i := range q.Y {
		least = min(least, math.Abs(q.score(i, q.W)))
		largest = max(largest, change(i))
	}
	if largest == 0 {
		return 1
	}
	return least / largest / 2
}

// step returns a difference step that leaves all samples on their sides.
func (q PerceptronCost) step() float64 {
	return q.room(func(i int) float64 { return floats.Norm(q.X.RawRowView(i), math.Inf(1)) })
}

// eta returns a step along the gradient that leaves all samples on their sides.
func (q PerceptronCost) eta() float64 {
	g := q.gradient()
	return q.room(func(i int) float64 { return math.Abs(q.score(i, g)) })
}

func (q PerceptronCost) given() string {
	return fmt.Sprintf(`For the extended samples $x=%s$, one a row, $y=%s$ ($+1$ for $\omega_1$), $w=%s$, $\rho=%s$:`,
		matrixTeX(q.X), tuple(q.Y), tuple(q.W), numTeX(q.Rho))
}

// drawPerceptronCost draws samples and weights with at least one sample on the wrong side
// and none so close to the hyperplane that rounding matters.
func drawPerceptronCost(rng *rand.Rand) PerceptronCost {
	l, n := 2+rng.IntN(3), 2+rng.IntN(10)
	q := PerceptronCost{X: mat.NewDense(n, l, normal(rng, n*l)), Y: labels(rng, n), W: normal(rng, l), Rho: uniform(rng, 0.1, 2)}
	for i := range n {
		q.X.Set(i, l-1, 1)
	}
	if q.firstWrong() < 0 || q.step() < 1e-4 {
		return drawPerceptronCost(rng)
	}
	return q
}

// examplePerceptronCost returns the four points of Theodoridis, example 3.2, with weights
// that misclassify three of them; one step corrects all.
func examplePerceptronCost() PerceptronCost {
	return PerceptronCost{
		X:   mat.NewDense(4, 3, []float64{-1, 0, 1, 0, 1, 1, 0, -1, 1, 1, 0, 1}),
		Y:   []int{+1, +1, -1, -1},
		W:   []float64{1, 0, -0.5},
		Rho: 1,
	}
}
