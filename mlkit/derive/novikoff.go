package derive

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// NovikoffOnARun derives the bound on the perceptron's mistakes step by step on a run.
// Each step has one number per mistake, so both inequalities show at every mistake
// (EE-559, "To prove the convergence"; CMU, "Perceptron Algorithm: Analysis"; Yuille,
// section 4). γ is EE-559's, the width of the strip between the classes, which is twice
// CMU's.
//
// Yuille's section 4 has two slips. It expands ‖a + x - (β²/m)â‖² with -2(a - (β²/m)â)·x,
// but the sign is + (step 19), which is what makes a·x < 0 useful. It states â·x > m, but
// only ≥ holds, and suffices.
func NovikoffOnARun() Derivation[PerceptronRun] {
	return Derivation[PerceptronRun]{
		Title:   "Novikoff's theorem on a run",
		Source:  "EE-559, 3a, the convergence of the perceptron; CMU, Perceptron Algorithm: Analysis; Yuille, section 4; the run is Theodoridis, example 3.2",
		Draw:    drawPerceptronRun,
		Valid:   PerceptronRun.valid,
		Example: examplePerceptronRun,
		Given:   PerceptronRun.given,
		Notes: `$k=0,1,\dots$ counts the mistakes before; $w^*$ has length 1, $\hat a$ any length, $m=\min y(\hat a\cdot x)$, $\beta=R$. ` +
			`Erratum: Yuille (section 4) has $-2(a_t-\frac{\beta^2}m\hat a)\cdot x_t$ in the expansion of the square; the sign is $+$.`,
		Steps: concat(novikoffBelow(), novikoffAbove(), novikoffTogether(), yuilleSteps()),
	}
}

// novikoffBelow shows that w·w* grows by at least γ/2 with each mistake.
func novikoffBelow() []Step[PerceptronRun] {
	return []Step[PerceptronRun]{
		start(`w^{k+1}\cdot w^*`, "first inequality: w turns towards $w^*$",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 { return floats.Dot(m.After, r.star()) })
			}),
		equal(`(w^k+y_{n_k}x_{n_k})\cdot w^*`, "the update",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 {
					return floats.Dot(plus(m.Before, float64(m.Y), m.X), r.star())
				})
			}),
		equal(`w^k\cdot w^*+y_{n_k}(x_{n_k}\cdot w^*)`, "multiply out",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 {
					return floats.Dot(m.Before, r.star()) + float64(m.Y)*floats.Dot(m.X, r.star())
				})
			}),
		atLeast(`w^k\cdot w^*+\gamma/2`, "the margin of every sample is at least γ/2",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 {
					return floats.Dot(m.Before, r.star()) + r.halfGamma()
				})
			}),
		atLeast(`(k+1)\gamma/2`, "the same for all mistakes before, from $w^0=0$",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(k int, _ PerceptronMistake) float64 { return float64(k+1) * r.halfGamma() })
			}),
	}
}

// novikoffAbove shows that ‖w‖² grows by at most R² with each mistake.
func novikoffAbove() []Step[PerceptronRun] {
	return []Step[PerceptronRun]{
		start(`\Vert w^{k+1}\Vert^2`, "second inequality: w does not grow fast",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 { return norm2(m.After) })
			}),
		equal(`(w^k+y_{n_k}x_{n_k})\cdot(w^k+y_{n_k}x_{n_k})`, "the update",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 { return norm2(plus(m.Before, float64(m.Y), m.X)) })
			}),
		equal(`w^k\cdot w^k+2y_{n_k}w^k\cdot x_{n_k}+\Vert x_{n_k}\Vert^2`, "multiply out",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 {
					return norm2(m.Before) + 2*float64(m.Y)*floats.Dot(m.Before, m.X) + norm2(m.X)
				})
			}),
		atMost(`\Vert w^k\Vert^2+R^2`, `it was a mistake, $y_{n_k}w^k\cdot x_{n_k}\le0$, and $\Vert x_{n_k}\Vert\le R$`,
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 { return norm2(m.Before) + square(r.R) })
			}),
		atMost(`(k+1)R^2`, "the same for all mistakes before",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(k int, _ PerceptronMistake) float64 { return float64(k+1) * square(r.R) })
			}),
	}
}

// novikoffTogether combines both inequalities, after k = 1, 2, … mistakes.
func novikoffTogether() []Step[PerceptronRun] {
	return []Step[PerceptronRun]{
		start(`k^2\gamma^2/4`, "together, after k = 1, 2, … mistakes",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(k int, _ PerceptronMistake) float64 { return square(float64(k+1) * r.halfGamma()) })
			}),
		atMost(`(w^k\cdot w^*)^2/\Vert w^*\Vert^2`, `first inequality; $\Vert w^*\Vert=1$`,
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 {
					return square(floats.Dot(m.After, r.star())) / norm2(r.star())
				})
			}),
		atMost(`\Vert w^k\Vert^2`, "Cauchy and Schwarz",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 { return norm2(m.After) })
			}),
		atMost(`kR^2`, "second inequality",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(k int, _ PerceptronMistake) float64 { return float64(k+1) * square(r.R) })
			}),

		start(`k`, "divide by $k\\gamma^2/4$: all the mistakes",
			Scalar(func(r PerceptronRun) float64 { return float64(len(r.Mistakes)) })),
		atMost(`4R^2/\gamma^2`, "EE-559; $(R/\\gamma)^2$ where γ is half the width (CMU)",
			Scalar(func(r PerceptronRun) float64 { return 4 * square(r.R) / square(2*r.halfGamma()) })),
		equal(`\frac{\beta^2}{m^2}\Vert\hat a\Vert^2`, "Yuille, where â has any length",
			Scalar(func(r PerceptronRun) float64 { return square(r.R) / square(r.M) * norm2(r.AHat) })),
	}
}

// yuilleSteps proves the theorem by the distance of a from a multiple of â, with negative
// samples replaced by their opposites.
func yuilleSteps() []Step[PerceptronRun] {
	return []Step[PerceptronRun]{
		start(`\Bigl\Vert a_{t+1}-\frac{\beta^2}m\hat a\Bigr\Vert^2`, `Yuille's proof: the distance from $\frac{\beta^2}m\hat a$; $yx$ is written $x$`,
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 { return norm2(r.apart(m.After)) })
			}),
		equal(`\Bigl\Vert a_t-\frac{\beta^2}m\hat a\Bigr\Vert^2+\Vert x_t\Vert^2+2\Bigl(a_t-\frac{\beta^2}m\hat a\Bigr)\cdot x_t`, `$a_{t+1}=a_t+x_t$; the slide has $-2$`,
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 {
					return norm2(r.apart(m.Before)) + norm2(m.X) + 2*float64(m.Y)*floats.Dot(r.apart(m.Before), m.X)
				})
			}).beside(PerceptronRun.start),
		atMost(`\Bigl\Vert a_t-\frac{\beta^2}m\hat a\Bigr\Vert^2+\beta^2-2\frac{\beta^2m}m`, `$\Vert x_t\Vert\le\beta$, $a_t\cdot x_t\le0$, $\hat a\cdot x_t\ge m$`,
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 {
					return norm2(r.apart(m.Before)) + square(r.R) - 2*square(r.R)*r.M/r.M
				})
			}).beside(PerceptronRun.start),
		equal(`\Bigl\Vert a_t-\frac{\beta^2}m\hat a\Bigr\Vert^2-\beta^2`, "each mistake brings it nearer by at least β²",
			func(r PerceptronRun) []float64 {
				return r.perMistake(func(_ int, m PerceptronMistake) float64 { return norm2(r.apart(m.Before)) - square(r.R) })
			}).beside(PerceptronRun.start),

		start(`k\beta^2`, "over the whole run",
			Scalar(func(r PerceptronRun) float64 { return float64(len(r.Mistakes)) * square(r.R) })),
		atMost(`\Bigl\Vert a_0-\frac{\beta^2}m\hat a\Bigr\Vert^2-\Bigl\Vert a_k-\frac{\beta^2}m\hat a\Bigr\Vert^2`, "add up",
			Scalar(func(r PerceptronRun) float64 {
				first, last := r.Mistakes[0], r.Mistakes[len(r.Mistakes)-1]
				return norm2(r.apart(first.Before)) - norm2(r.apart(last.After))
			})).beside(PerceptronRun.start),
		atMost(`\frac{\beta^4}{m^2}\Vert\hat a\Vert^2`, "$a_0=0$, and a square is not negative; divide by β²",
			Scalar(PerceptronRun.start)),
	}
}

// start returns (β⁴/m²)‖â‖², the squared distance of w = 0 from (β²/m)â.
func (r PerceptronRun) start() float64 { return math.Pow(r.R, 4) / square(r.M) * norm2(r.AHat) }

// apart returns a - (β²/m)â.
func (r PerceptronRun) apart(a []float64) []float64 { return plus(a, -square(r.R)/r.M, r.AHat) }
