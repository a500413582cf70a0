package derive

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// UnequalCovariances derives what remains of LDAToLogistic if the covariances differ: the
// posterior is σ of a polynomial of degree 2, and the boundary is a quadric. If the
// covariances are equal, the terms of degree 2 vanish.
func UnequalCovariances() Derivation[Gaussians] {
	return Derivation[Gaussians]{
		Title:   "What stays when the covariances differ",
		Source:  "EE-559, 3a, Probabilistic interpretation of linear classifiers, without the homoscedasticity",
		Draw:    func(rng *rand.Rand) Gaussians { return drawGaussians(rng, false, false) },
		Valid:   Gaussians.valid,
		Example: func() Gaussians { return exampleGaussians(4) },
		Given:   Gaussians.given,
		Notes:   "$xAx^T$ is what one Σ for both classes saves: $D(D+1)/2$ parameters of the boundary.",
		Steps: []Step[Gaussians]{
			start(`\mathbb P(Y=1\mid X=x)`, "Bayes", Scalar(Gaussians.posterior)),
			equal(`\sigma\bigl(\log\mu_{X\mid Y=1}(x)-\log\mu_{X\mid Y=0}(x)+a\bigr)`, `$a=\log\mathbb P(Y=1)-\log\mathbb P(Y=0)$`,
				Scalar(func(g Gaussians) float64 { return sigma(g.logDensity(1) - g.logDensity(0) + g.a()) })),
			equal(`\sigma(xAx^T+w\cdot x+b)`, "with the A, w, b of the next lines",
				Scalar(func(g Gaussians) float64 { return sigma(g.quadric(g.X)) })),

			start(`\log\mu_{X\mid Y=1}(x)-\log\mu_{X\mid Y=0}(x)+a`, `the argument of $\sigma$`,
				Scalar(func(g Gaussians) float64 { return g.logDensity(1) - g.logDensity(0) + g.a() })),
			equal(`\begin{aligned}[t]&-\tfrac12(x-m_1)\Sigma_1^{-1}(x-m_1)^T+\tfrac12(x-m_0)\Sigma_0^{-1}(x-m_0)^T\\&\quad+\tfrac12\log\frac{\lvert\Sigma_0\rvert}{\lvert\Sigma_1\rvert}+a\end{aligned}`,
				`the factors $1/\sqrt{(2\pi)^D\lvert\Sigma_y\rvert}$ leave their ratio`,
				Scalar(func(g Gaussians) float64 {
					u, v := plus(g.X, -1, g.M[1]), plus(g.X, -1, g.M[0])
					return -g.form(1, u, u)/2 + g.form(0, v, v)/2 + (g.logDet[0]-g.logDet[1])/2 + g.a()
				})).beside(Gaussians.size),
			equal(`\begin{aligned}[t]&\tfrac12x(\Sigma_0^{-1}-\Sigma_1^{-1})x^T+(m_1\Sigma_1^{-1}-m_0\Sigma_0^{-1})x^T\\&\quad+\tfrac12(m_0\Sigma_0^{-1}m_0^T-m_1\Sigma_1^{-1}m_1^T)+\tfrac12\log\frac{\lvert\Sigma_0\rvert}{\lvert\Sigma_1\rvert}+a\end{aligned}`,
				"multiply out; the terms of degree 2 stay",
				Scalar(func(g Gaussians) float64 {
					x, m0, m1 := g.X, g.M[0], g.M[1]
					return (g.form(0, x, x)-g.form(1, x, x))/2 + g.form(1, m1, x) - g.form(0, m0, x) +
						(g.form(0, m0, m0)-g.form(1, m1, m1))/2 + (g.logDet[0]-g.logDet[1])/2 + g.a()
				})).beside(Gaussians.size),
			equal(`xAx^T+w\cdot x+b`, `$A=\tfrac12(\Sigma_0^{-1}-\Sigma_1^{-1})$, $w=m_1\Sigma_1^{-1}-m_0\Sigma_0^{-1}$, $b$ the rest`,
				Scalar(func(g Gaussians) float64 { return g.quadric(g.X) })).beside(Gaussians.size),

			start(`\bigl[xAx^T+w\cdot x+b\bigr]_{\Sigma_0=\Sigma_1=\Sigma}`, `put one covariance, $\Sigma_1$, for both`,
				Scalar(func(g Gaussians) float64 {
					g.S[0], g.inv[0], g.logDet[0] = g.S[1], g.inv[1], g.logDet[1]
					return g.quadric(g.X)
				})),
			equal(`(m_1-m_0)\Sigma^{-1}x^T+\tfrac12(m_0\Sigma^{-1}m_0^T-m_1\Sigma^{-1}m_1^T)+a`, "A = 0: LDA again",
				Scalar(func(g Gaussians) float64 {
					w, b := g.plane()
					return floats.Dot(w, g.X) + b
				})).beside(Gaussians.size),
		},
	}
}

// EqualMeans derives what happens with two Gaussians that "have the same means but
// different covariances", which Cornell (section 2) says LDA assumes: no hyperplane
// separates the classes. The log-odds are the same at x and at its mirror image in the
// mean, which is impossible for w·x + b unless w = 0. EE-559 has it right: the same
// covariance, different means.
func EqualMeans() Derivation[Gaussians] {
	return Derivation[Gaussians]{
		Title:   "Erratum: the same means but different covariances",
		Source:  "Cornell, CS 5785, lecture 15, section 2, on LDA",
		Draw:    func(rng *rand.Rand) Gaussians { return drawGaussians(rng, false, true) },
		Valid:   Gaussians.valid,
		Example: exampleEqualMeans,
		Given:   Gaussians.given,
		Notes:   "A linear boundary needs what LDA does assume: the same covariance but different means.",
		Steps: []Step[Gaussians]{
			start(`\log\frac{\mathbb P(Y=1\mid X=x)}{\mathbb P(Y=0\mid X=x)}`, "the log-odds, with Bayes",
				Scalar(func(g Gaussians) float64 { return g.logDensity(1) - g.logDensity(0) + g.a() })),
			equal(`xAx^T+w\cdot x+b`, `$A=\tfrac12(\Sigma_0^{-1}-\Sigma_1^{-1})$, as when the covariances differ`,
				Scalar(func(g Gaussians) float64 { return g.quadric(g.X) })).beside(Gaussians.size),
			equal(`(x-m)A(x-m)^T+\tfrac12\log\frac{\lvert\Sigma_0\rvert}{\lvert\Sigma_1\rvert}+a`,
				`$w=m(\Sigma_1^{-1}-\Sigma_0^{-1})=-2mA$, since $m_0=m_1=m$`,
				Scalar(func(g Gaussians) float64 { return g.aboutMean(g.X) })).beside(Gaussians.size),
			equal(`(x'-m)A(x'-m)^T+\tfrac12\log\frac{\lvert\Sigma_0\rvert}{\lvert\Sigma_1\rvert}+a`,
				`$x'=2m-x$, the mirror image: the two sides of $m$ are alike in every direction`,
				Scalar(func(g Gaussians) float64 { return g.aboutMean(g.mirror()) })).beside(Gaussians.size),
			equal(`\log\frac{\mathbb P(Y=1\mid X=x')}{\mathbb P(Y=0\mid X=x')}`, "Bayes again: the classes are not on two sides of a hyperplane",
				Scalar(func(g Gaussians) float64 {
					g.X = g.mirror()
					return g.logDensity(1) - g.logDensity(0) + g.a()
				})).beside(Gaussians.size),
		},
	}
}

// size returns the size of the terms that the log-odds add up.
func (g Gaussians) size() float64 {
	return math.Abs(g.logDensity(0)) + math.Abs(g.logDensity(1)) + math.Abs(g.a())
}

// quadric returns xAxᵀ + w·x + b for the two covariances.
func (g Gaussians) quadric(x []float64) float64 {
	var A mat.Dense
	A.Sub(g.inv[0], g.inv[1])
	A.Scale(0.5, &A)
	m0, m1 := g.M[0], g.M[1]
	w := plus(times(g.inv[1], m1), -1, times(g.inv[0], m0))
	b := (g.form(0, m0, m0)-g.form(1, m1, m1))/2 + (g.logDet[0]-g.logDet[1])/2 + g.a()
	return floats.Dot(x, times(&A, x)) + floats.Dot(w, x) + b
}

// aboutMean returns the log-odds at x of two populations with the same mean m₁.
func (g Gaussians) aboutMean(x []float64) float64 {
	u := plus(x, -1, g.M[1])
	return (g.form(0, u, u)-g.form(1, u, u))/2 + (g.logDet[0]-g.logDet[1])/2 + g.a()
}

// mirror returns 2m₁ - x.
func (g Gaussians) mirror() []float64 { return plus(scaled(2, g.M[1]), -1, g.X) }

// exampleEqualMeans returns exampleGaussians(4) with both means at m₀.
func exampleEqualMeans() Gaussians {
	g := exampleGaussians(4)
	g.X, g.M[1] = []float64{2, 2}, g.M[0]
	return g
}
