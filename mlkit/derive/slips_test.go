package derive

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// Putting a lecture's slip or a typical sign error into a derivation makes Check name the
// step.
func TestSlips(t *testing.T) {
	t.Run("LDA", func(t *testing.T) {
		// EE-559's b with its two terms exchanged.
		caught(t, LDAToLogistic(), 8, Scalar(func(g Gaussians) float64 {
			m0, m1 := g.M[0], g.M[1]
			return sigma(g.form(1, plus(m1, -1, m0), g.X) + (g.form(1, m1, m1)-g.form(1, m0, m0))/2 + g.a())
		}))
		// The prior odds inverted.
		caught(t, LDAToLogistic(), 4, Scalar(func(g Gaussians) float64 {
			return sigma(g.logDensity(1) - g.logDensity(0) - g.a())
		}))
	})
	t.Run("Cornell: the same means but different covariances", func(t *testing.T) {
		// LDA's derivation breaks where the factors should cancel, whether or not the
		// means are the same.
		d := LDAToLogistic()
		d.Draw = EqualMeans().Draw
		stopsAt(t, d, 6)
		d.Draw = UnequalCovariances().Draw
		stopsAt(t, d, 6)
		// The same covariance but different means, which the sentence should say, does
		// not break it: TestLecturesHold. But the mirror image needs the same means.
		e := EqualMeans()
		e.Draw = UnequalCovariances().Draw
		stopsAt(t, e, 3)
	})
	t.Run("QDA without the determinants", func(t *testing.T) {
		caught(t, UnequalCovariances(), 5, Scalar(func(g Gaussians) float64 {
			u, v := plus(g.X, -1, g.M[1]), plus(g.X, -1, g.M[0])
			return -g.form(1, u, u)/2 + g.form(0, v, v)/2 + g.a()
		}))
	})
	t.Run("Theodoridis: the gradient without its minus", func(t *testing.T) {
		caught(t, NormalEquations(), 2, func(q LeastSquares) []float64 {
			return scaled(2, combination(q.residuals(q.W), q.X))
		})
	})
	t.Run("Theodoridis: sum of x'x for that of xx'", func(t *testing.T) {
		caught(t, NormalEquations(), 5, func(q LeastSquares) []float64 {
			return scaled(sum(len(q.Y), func(i int) float64 { return norm2(q.X.RawRowView(i)) }), q.solve())
		})
	})
	t.Run("Theodoridis: the solution of the example", func(t *testing.T) {
		// The slide's solution is the W of the example.
		q := exampleLeastSquares()
		d := replaced(NormalEquations(), 5, func(q LeastSquares) []float64 { return combination(times(q.X, q.W), q.X) })
		d.Draw = func(*rand.Rand) LeastSquares { return q }
		stopsAt(t, d, 5)
	})
	t.Run("Yuille 12: alpha bounded by tau", func(t *testing.T) {
		caught(t, PrimalToDual(), 18, func(q SoftMargin) []float64 { return q.TauHat })
	})
	t.Run("Yuille 13: signs of the brackets", func(t *testing.T) {
		caught(t, PrimalToDual(), 2, Scalar(func(q SoftMargin) float64 {
			return q.rearranged(q.A, q.B, q.Z, q.Alpha, q.Tau) + norm2(q.A) // +½a·a
		}))
		caught(t, PrimalToDual(), 2, Scalar(func(q SoftMargin) float64 {
			return q.rearranged(q.A, -q.B, q.Z, q.Alpha, q.Tau)
		}))
		caught(t, PrimalToDual(), 8, func(q SoftMargin) []float64 { return plus(q.tau(q.Alpha), +1, q.Tau) })
		caught(t, PrimalToDual(), 11, Scalar(func(q SoftMargin) float64 { // ½ lost
			return q.dual(q.Dual) - norm2(q.plane(q.Dual))/2
		}))
		caught(t, PrimalToDual(), 20, func(q SoftMargin) []float64 {
			return each(len(q.Y), func(i int) float64 { return q.AlphaHat[i] * (1 + q.ZHat[i]) })
		})
	})
	t.Run("Theodoridis: the Lagrangian without -1", func(t *testing.T) {
		caught(t, PrimalToDual(), 32, Scalar(func(q SoftMargin) float64 {
			return norm2(q.A)/2 - sum(len(q.Y), func(i int) float64 { return q.Alpha[i] * q.functional(i, q.A, q.B) })
		}))
	})
	t.Run("Yuille 15: the slack without b", func(t *testing.T) {
		caught(t, HingeFromSlacks(), 2, func(q SoftMargin) []float64 { return q.slacks(q.A, 0) })
	})
	t.Run("lambda without its 2", func(t *testing.T) {
		caught(t, HingeFromSlacks(), 5, Scalar(func(q SoftMargin) float64 {
			return norm2(q.A) + q.Gamma*floats.Sum(q.slacks(q.A, q.B))
		}))
	})
	t.Run("delta of the other sign", func(t *testing.T) {
		caught(t, PerceptronAsGradient(), 6, func(q PerceptronCost) []float64 { return scaled(-1, q.gradient()) })
		caught(t, PerceptronAsGradient(), 11, func(q PerceptronCost) []float64 {
			return plus(q.W, q.Rho, q.X.RawRowView(q.firstWrong())) // regardless of the class
		})
	})
	t.Run("gamma for half of it", func(t *testing.T) {
		caught(t, NovikoffOnARun(), 4, func(r PerceptronRun) []float64 {
			return r.perMistake(func(_ int, m PerceptronMistake) float64 {
				return floats.Dot(m.Before, r.star()) + 2*r.halfGamma()
			})
		})
	})
	t.Run("Yuille 4: the sign in the square", func(t *testing.T) {
		caught(t, NovikoffOnARun(), 19, func(r PerceptronRun) []float64 {
			return r.perMistake(func(_ int, m PerceptronMistake) float64 {
				return norm2(r.apart(m.Before)) + norm2(m.X) - 2*float64(m.Y)*floats.Dot(r.apart(m.Before), m.X)
			})
		})
	})
	t.Run("not a perceptron", func(t *testing.T) {
		// A step without a mistake: w grows by more than R² allows.
		d := NovikoffOnARun()
		d.Draw = func(rng *rand.Rand) PerceptronRun {
			r := drawPerceptronRun(rng)
			m := r.Mistakes[0]
			r.Mistakes = []PerceptronMistake{m, {X: m.X, Y: m.Y, Before: m.After, After: plus(m.After, float64(m.Y), m.X)}}
			return r
		}
		stopsAt(t, d, 9)
	})
	t.Run("Yuille 15: Z in the exponent", func(t *testing.T) {
		caught(t, PosteriorToLogisticLoss(), 6, func(q LogPosterior) []float64 {
			return q.perSample(func(i int, f float64) float64 { return sigma(float64(q.Y[i]) * f) })
		})
	})
	t.Run("the prior of the other sign", func(t *testing.T) {
		caught(t, PosteriorToLogisticLoss(), 10, Scalar(func(q LogPosterior) float64 {
			return q.logLikelihood(q.W, q.B) + norm2(q.W)/(2*square(q.S)) - (q.logLikelihood(q.W1, q.B1) + norm2(q.W1)/(2*square(q.S)))
		}))
		caught(t, PosteriorToLogisticLoss(), 14, func(q LogPosterior) []float64 { // λ = s²
			return plus(combination(q.pull(), q.X), square(q.S), q.W)
		})
	})
}

// replaced returns d with the value of one step replaced.
func replaced[Q any](d Derivation[Q], number int, value func(q Q) []float64) Derivation[Q] {
	d.Steps = slices.Clone(d.Steps)
	d.Steps[number-1].Value = value
	return d
}

// caught fails unless Check names the step whose value was replaced by wrong.
func caught[Q any](t *testing.T, d Derivation[Q], number int, wrong func(q Q) []float64) {
	t.Helper()
	stopsAt(t, replaced(d, number, wrong), number)
}

// stopsAt fails unless step number is the first of d that does not hold.
func stopsAt[Q any](t *testing.T, d Derivation[Q], number int) {
	t.Helper()
	_, err := d.Check(100, 5)
	var e *StepError
	if !errors.As(err, &e) {
		t.Errorf("%s: %v, want a *StepError at step %d", d.Title, err, number)
	} else if e.Number != number {
		t.Errorf("%s: step %d is named, want %d: %v", d.Title, e.Number, number, err)
	}
}
