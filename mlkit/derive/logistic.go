package derive

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// LogPosterior is a labelled set with a Gaussian prior on the weights of a logistic
// model, and two points (w, b), (w′, b′) at which the posterior is computed. N should be
// at most a few hundred, since some steps multiply N probabilities and their product must
// not underflow.
type LogPosterior struct {
	X  *mat.Dense // N×D
	Y  []int      // -1 or +1
	S  float64    // s > 0, the standard deviation of each weight's prior; b has a flat prior
	W  []float64  // w, D
	B  float64    // b
	W1 []float64  // w′, D
	B1 float64    // b′
}

// PosteriorToLogisticLoss derives the regularised logistic loss from the posterior of the
// weights with a Gaussian prior (EE-559, "logistic regression", from 1 - σ(x) = σ(-x) on;
// Yuille, end of section 15). The evidence μ_D(d) is the same for all weights, so it
// cancels when two are compared.
//
// Yuille has a slip: the normalisation Z is within the exponent, exp{y(a·x + b)/Z}. It
// should divide the exponential; the model is then σ of twice the score (steps 4 to 6).
func PosteriorToLogisticLoss() Derivation[LogPosterior] {
	return Derivation[LogPosterior]{
		Title:   "From the log posterior to the logistic loss",
		Source:  "EE-559, 3a, logistic regression; Yuille, section 15",
		Draw:    drawLogPosterior,
		Valid:   LogPosterior.valid,
		Example: exampleLogPosterior,
		Given:   LogPosterior.given,
		Notes: `The w and b of the largest posterior are those of the smallest $L$; $\lambda=1/s^2$, and $C=s^2$ where the loss is written $\frac12\Vert w\Vert^2+C\sum_n\log(1+e^{-y_nf(x_n)})$. ` +
			`Erratum: Yuille prints $\exp\{y(a\cdot x+b)/Z\}$; $Z$ divides the exponential.`,
		Steps: concat(sigmoidSteps(), posteriorSteps(), logisticGradientSteps()),
	}
}

// sigmoidSteps shows how a label of ±1 moves into σ.
func sigmoidSteps() []Step[LogPosterior] {
	return []Step[LogPosterior]{
		start(`1-\sigma(f(x_n))`, `the probability of $-1$; $f(x)=w\cdot x+b$, for each sample`,
			func(q LogPosterior) []float64 {
				return q.perSample(func(_ int, f float64) float64 { return 1 - sigma(f) })
			}),
		equal(`1-\frac1{1+e^{-f(x_n)}}`, "the definition of σ",
			func(q LogPosterior) []float64 {
				return q.perSample(func(_ int, f float64) float64 { return 1 - 1/(1+math.Exp(-f)) })
			}).beside(certainty),
		equal(`\sigma(-f(x_n))`, `multiply by $e^{f}/e^{f}$: $\mathbb P(Y=y\mid X=x)=\sigma(yf(x))$ for both labels`,
			func(q LogPosterior) []float64 {
				return q.perSample(func(_ int, f float64) float64 { return sigma(-f) })
			}).beside(certainty),

		start(`\frac{e^{y_nf(x_n)}}{Z}`, `Yuille's model, with $Z=e^{f(x_n)}+e^{-f(x_n)}$`,
			func(q LogPosterior) []float64 {
				return q.perSample(func(i int, f float64) float64 {
					return math.Exp(float64(q.Y[i])*f) / (math.Exp(f) + math.Exp(-f))
				})
			}),
		equal(`\frac{1}{1+e^{-2y_nf(x_n)}}`, "divide by the numerator",
			func(q LogPosterior) []float64 {
				return q.perSample(func(i int, f float64) float64 { return 1 / (1 + math.Exp(-2*float64(q.Y[i])*f)) })
			}),
		equal(`\sigma(2y_nf(x_n))`, "the same model with w and b twice as large",
			func(q LogPosterior) []float64 {
				return q.perSample(func(i int, f float64) float64 { return sigma(2 * float64(q.Y[i]) * f) })
			}),
	}
}

// posteriorSteps takes the logarithm of the ratio of two posteriors.
func posteriorSteps() []Step[LogPosterior] {
	return []Step[LogPosterior]{
		start(`\begin{aligned}[t]&\log\frac{\mu_{W,B}(w,b\mid\mathcal D=d)}{\mu_{W,B}(w',b'\mid\mathcal D=d)}\\&=\log\frac{\mu_{\mathcal D}(d\mid w,b)\,\mu_{W,B}(w,b)/\mu_{\mathcal D}(d)}{\mu_{\mathcal D}(d\mid w',b')\,\mu_{W,B}(w',b')/\mu_{\mathcal D}(d)}\end{aligned}`,
			"Bayes; $\\mu_{\\mathcal D}(d)$ cancels", Scalar(func(q LogPosterior) float64 {
				return math.Log(q.likelihood(q.W, q.B) * q.prior(q.W) / (q.likelihood(q.W1, q.B1) * q.prior(q.W1)))
			})),
		equal(`\begin{aligned}[t]&\log\mu_{\mathcal D}(d\mid w,b)-\log\mu_{\mathcal D}(d\mid w',b')\\&\quad+\log\mu_{W,B}(w,b)-\log\mu_{W,B}(w',b')\end{aligned}`, "the logarithm of a product",
			Scalar(func(q LogPosterior) float64 {
				return math.Log(q.likelihood(q.W, q.B)) - math.Log(q.likelihood(q.W1, q.B1)) + math.Log(q.prior(q.W)) - math.Log(q.prior(q.W1))
			})).beside(LogPosterior.size),
		equal(`\begin{aligned}[t]&\sum_n\log\sigma(y_nf(x_n))-\sum_n\log\sigma(y_nf'(x_n))\\&\quad+\log\mu_{W,B}(w,b)-\log\mu_{W,B}(w',b')\end{aligned}`, "the samples are independent",
			Scalar(func(q LogPosterior) float64 {
				return q.logLikelihood(q.W, q.B) - q.logLikelihood(q.W1, q.B1) + math.Log(q.prior(q.W)) - math.Log(q.prior(q.W1))
			})).beside(LogPosterior.size),
		equal(`\begin{aligned}[t]&\sum_n\log\sigma(y_nf(x_n))-\frac{\Vert w\Vert^2}{2s^2}\\&\quad-\Bigl(\sum_n\log\sigma(y_nf'(x_n))-\frac{\Vert w'\Vert^2}{2s^2}\Bigr)\end{aligned}`, `each weight is drawn from $\mathcal N(0,s^2)$; the factors $1/\sqrt{2\pi s^2}$ cancel`,
			Scalar(func(q LogPosterior) float64 {
				return q.logLikelihood(q.W, q.B) - norm2(q.W)/(2*square(q.S)) - (q.logLikelihood(q.W1, q.B1) - norm2(q.W1)/(2*square(q.S)))
			})).beside(LogPosterior.size),
		equal(`\begin{aligned}[t]&L(w',b')-L(w,b),\\&L(w,b)=\sum_n\log(1+e^{-y_nf(x_n)})+\frac\lambda2\Vert w\Vert^2\end{aligned}`, `$-\log\sigma(t)=\log(1+e^{-t})$, $\lambda=1/s^2$`,
			Scalar(func(q LogPosterior) float64 { return q.loss(q.W1, q.B1) - q.loss(q.W, q.B) })).beside(LogPosterior.size),
		equal(`\begin{aligned}[t]&\lambda\bigl(\tilde L(w',b')-\tilde L(w,b)\bigr),\\&\tilde L(w,b)=\tfrac12\Vert w\Vert^2+C\sum_n\log(1+e^{-y_nf(x_n)})\end{aligned}`, `$C=1/\lambda=s^2$: the form of LIBLINEAR`,
			Scalar(func(q LogPosterior) float64 {
				C := square(q.S)
				scaledLoss := func(w []float64, b float64) float64 { return norm2(w)/2 - C*q.logLikelihood(w, b) }
				return (scaledLoss(q.W1, q.B1) - scaledLoss(q.W, q.B)) / C
			})).beside(LogPosterior.size),
	}
}

// logisticGradientSteps differentiates the loss, by fourth-order differences, hence the
// tolerance.
func logisticGradientSteps() []Step[LogPosterior] {
	const tolerance = 1e-7
	return []Step[LogPosterior]{
		start(`\frac{\partial L(w,b)}{\partial w}`, "computed by differences",
			func(q LogPosterior) []float64 {
				return fd.Gradient(nil, func(w []float64) float64 { return q.loss(w, q.B) }, q.W, &fd.Settings{Formula: fourthOrder})
			}),
		equal(`-\sum_ny_n\,\sigma(-y_nf(x_n))\,x_n+\lambda w`, "each sample pulls by the probability of the other label: the perceptron, softly",
			func(q LogPosterior) []float64 {
				return plus(combination(q.pull(), q.X), 1/square(q.S), q.W)
			}).beside(LogPosterior.size).within(tolerance),

		start(`\frac{\partial L(w,b)}{\partial b}`, "computed by differences",
			func(q LogPosterior) []float64 {
				return fd.Gradient(nil, func(b []float64) float64 { return q.loss(q.W, b[0]) }, []float64{q.B}, &fd.Settings{Formula: fourthOrder})
			}),
		equal(`-\sum_ny_n\,\sigma(-y_nf(x_n))`, "b has no prior",
			func(q LogPosterior) []float64 { return []float64{floats.Sum(q.pull())} }).beside(LogPosterior.size).within(tolerance),
	}
}

// fourthOrder is the difference formula (f(-2h) - 8f(-h) + 8f(h) - f(2h))/12h with an
// error of order h⁴.
var fourthOrder = fd.Formula{
	Stencil:    []fd.Point{{Loc: -2, Coeff: 1. / 12}, {Loc: -1, Coeff: -8. / 12}, {Loc: 1, Coeff: 8. / 12}, {Loc: 2, Coeff: -1. / 12}},
	Derivative: 1,
	Step:       1e-3,
}

// perSample returns g(i, w·xᵢ + b) for every sample i.
func (q LogPosterior) perSample(g func(i int, f float64) float64) []float64 {
	return each(len(q.Y), func(i int) float64 { return g(i, floats.Dot(q.X.RawRowView(i), q.W)+q.B) })
}

// likelihood returns the product of the probabilities of the labels.
func (q LogPosterior) likelihood(w []float64, b float64) float64 {
	p := 1.0
	for i, y := range q.Y {
		p *= sigma(float64(y) * (floats.Dot(q.X.RawRowView(i), w) + b))
	}
	return p
}

// logLikelihood returns Σ log σ(y(w·x + b)).
func (q LogPosterior) logLikelihood(w []float64, b float64) float64 {
	return sum(len(q.Y), func(i int) float64 {
		return -math.Log1p(math.Exp(-float64(q.Y[i]) * (floats.Dot(q.X.RawRowView(i), w) + b)))
	})
}

// prior returns the density of the weights, from gonum's normal distribution.
func (q LogPosterior) prior(w []float64) float64 {
	p := 1.0
	for _, w := range w {
		p *= distuv.Normal{Mu: 0, Sigma: q.S}.Prob(w)
	}
	return p
}

// loss returns L(w, b).
func (q LogPosterior) loss(w []float64, b float64) float64 {
	return -q.logLikelihood(w, b) + norm2(w)/square(q.S)/2
}

// pull returns -yσ(-y(w·x + b)).
func (q LogPosterior) pull() []float64 {
	return q.perSample(func(i int, f float64) float64 {
		y := float64(q.Y[i])
		return -y * sigma(-y*f)
	})
}

// certainty returns 1, next to which 1 - σ(f) may be rounding error only.
func certainty(LogPosterior) float64 { return 1 }

// size returns the size of the terms that the log posterior and its gradient add up.
func (q LogPosterior) size() float64 {
	return q.loss(q.W, q.B) + q.loss(q.W1, q.B1)
}

func (q LogPosterior) given() string {
	return fmt.Sprintf(`For the samples $x=%s$, $y=%s$, one a row, $w=%s$, $b=%s$, beside $w'=%s$, $b'=%s$, and the prior's $s=%s$:`,
		matrixTeX(q.X), tuple(q.Y), tuple(q.W), numTeX(q.B), tuple(q.W1), numTeX(q.B1), numTeX(q.S))
}

func drawLogPosterior(rng *rand.Rand) LogPosterior {
	d, n := 1+rng.IntN(4), 1+rng.IntN(10)
	return LogPosterior{
		X: mat.NewDense(n, d, normal(rng, n*d)), Y: labels(rng, n), S: uniform(rng, 0.5, 2),
		W: normal(rng, d), B: rng.NormFloat64(), W1: normal(rng, d), B1: rng.NormFloat64(),
	}
}

// exampleLogPosterior returns three samples on the line, with w = 1, b = 0 and
// w′ = b′ = 0.
func exampleLogPosterior() LogPosterior {
	return LogPosterior{
		X: mat.NewDense(3, 1, []float64{2, -1, 0.5}), Y: []int{+1, -1, -1}, S: 1,
		W: []float64{1}, B: 0, W1: []float64{0}, B1: 0,
	}
}
