package derive

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Gaussians holds two Gaussian class populations and a point x. The classes are 0 and 1,
// as in EE-559.
type Gaussians struct {
	X      []float64        // x, of length D
	M      [2][]float64     // the means m₀ and m₁
	S      [2]*mat.SymDense // the covariance matrices Σ₀ and Σ₁, D×D, positive definite
	P1     float64          // the prior P(Y = 1), between 0 and 1
	inv    [2]*mat.SymDense // Σ₀⁻¹ and Σ₁⁻¹
	logDet [2]float64       // log|Σ₀| and log|Σ₁|
}

// NewGaussians returns the two populations and the point. It returns an error if sizes do
// not match, a covariance is not positive definite, or the prior is not between 0 and 1.
// The slices and matrices are not copied.
func NewGaussians(x []float64, m [2][]float64, s [2]*mat.SymDense, p1 float64) (Gaussians, error) {
	g := Gaussians{X: x, M: m, S: s, P1: p1}
	if !(p1 > 0 && p1 < 1) {
		return Gaussians{}, fmt.Errorf("derive: p1 = %v, want a probability between 0 and 1", p1)
	}
	for k := range 2 {
		if len(x) == 0 || len(m[k]) != len(x) {
			return Gaussians{}, fmt.Errorf("derive: x has %d elements and m[%d] has %d, want equally many, at least one", len(x), k, len(m[k]))
		}
		if s[k] == nil || s[k].SymmetricDim() != len(x) {
			return Gaussians{}, fmt.Errorf("derive: s[%d] is not a %d×%d matrix, want one row for each element of x", k, len(x), len(x))
		}
		var c mat.Cholesky
		if !c.Factorize(s[k]) {
			return Gaussians{}, fmt.Errorf("derive: s[%d] is not positive definite, want a covariance matrix", k)
		}
		g.inv[k] = new(mat.SymDense)
		if err := c.InverseTo(g.inv[k]); err != nil {
			return Gaussians{}, fmt.Errorf("derive: s[%d] can't be inverted: %w", k, err)
		}
		g.logDet[k] = c.LogDet()
	}
	return g, nil
}

// LDAToLogistic derives that the posterior of two Gaussians with the same covariance
// matrix is σ(w·x + b) (EE-559, "Probabilistic interpretation of linear classifiers").
// Vectors are rows, as in EE-559.
//
// The covariance is S[1]. A different S[0] breaks step 6, where the factors of the two
// exponentials cancel.
func LDAToLogistic() Derivation[Gaussians] {
	return Derivation[Gaussians]{
		Title:   "The posterior of two Gaussians is a logistic function",
		Source:  "EE-559, 3a, Probabilistic interpretation of linear classifiers",
		Draw:    func(rng *rand.Rand) Gaussians { return drawGaussians(rng, true, false) },
		Valid:   Gaussians.valid,
		Example: func() Gaussians { return exampleGaussians(1) },
		Given:   Gaussians.given,
		Notes: "The homoscedasticity, one Σ for both classes, makes the terms $x\\Sigma^{-1}x^T$ vanish; the means are what differs. " +
			"Erratum: Cornell (section 2) says of LDA that the Gaussians “have the same means but different covariances”; means and covariances are exchanged.",
		Steps: []Step[Gaussians]{
			start(`\mathbb P(Y=1\mid X=x)=\frac{\mu_{X\mid Y=1}(x)\,\mathbb P(Y=1)}{\mu_X(x)}`,
				"Bayes", Scalar(Gaussians.posterior)),
			equal(`\frac{\mu_{X\mid Y=1}(x)\,\mathbb P(Y=1)}{\mu_{X\mid Y=0}(x)\,\mathbb P(Y=0)+\mu_{X\mid Y=1}(x)\,\mathbb P(Y=1)}`,
				"total probability", Scalar(func(g Gaussians) float64 {
					return g.density(1) * g.P1 / (g.density(0)*(1-g.P1) + g.density(1)*g.P1)
				})),
			equal(`\frac{1}{1+\frac{\mu_{X\mid Y=0}(x)\,\mathbb P(Y=0)}{\mu_{X\mid Y=1}(x)\,\mathbb P(Y=1)}}`,
				"divide by the numerator", Scalar(func(g Gaussians) float64 {
					return 1 / (1 + g.density(0)*(1-g.P1)/(g.density(1)*g.P1))
				})),
			equal(`\sigma\Bigl(\log\frac{\mu_{X\mid Y=1}(x)}{\mu_{X\mid Y=0}(x)}+\log\frac{\mathbb P(Y=1)}{\mathbb P(Y=0)}\Bigr)`,
				`$\sigma(t)=1/(1+e^{-t})$`, Scalar(func(g Gaussians) float64 {
					return sigma(math.Log(g.density(1)/g.density(0)) + math.Log(g.P1/(1-g.P1)))
				})),
			equal(`\sigma\bigl(\log\mu_{X\mid Y=1}(x)-\log\mu_{X\mid Y=0}(x)+a\bigr)`,
				`$a=\log\mathbb P(Y=1)-\log\mathbb P(Y=0)$`, Scalar(func(g Gaussians) float64 {
					return sigma(g.logDensity(1) - g.logDensity(0) + g.a())
				})),
			equal(`\sigma\bigl(-\tfrac12(x-m_1)\Sigma^{-1}(x-m_1)^T+\tfrac12(x-m_0)\Sigma^{-1}(x-m_0)^T+a\bigr)`,
				`the same $\Sigma$: the factors $1/\sqrt{(2\pi)^D\lvert\Sigma\rvert}$ cancel`, Scalar(func(g Gaussians) float64 {
					u, v := plus(g.X, -1, g.M[1]), plus(g.X, -1, g.M[0])
					return sigma(-g.form(1, u, u)/2 + g.form(1, v, v)/2 + g.a())
				})),
			equal(`\begin{aligned}[t]&\sigma\bigl(-\tfrac12x\Sigma^{-1}x^T+m_1\Sigma^{-1}x^T-\tfrac12m_1\Sigma^{-1}m_1^T\\&\quad+\tfrac12x\Sigma^{-1}x^T-m_0\Sigma^{-1}x^T+\tfrac12m_0\Sigma^{-1}m_0^T+a\bigr)\end{aligned}`,
				`multiply out; $\Sigma^{-1}$ is symmetric`, Scalar(func(g Gaussians) float64 {
					x, m0, m1 := g.X, g.M[0], g.M[1]
					return sigma(-g.form(1, x, x)/2 + g.form(1, m1, x) - g.form(1, m1, m1)/2 +
						g.form(1, x, x)/2 - g.form(1, m0, x) + g.form(1, m0, m0)/2 + g.a())
				})),
			equal(`\sigma\bigl((m_1-m_0)\Sigma^{-1}x^T+\tfrac12(m_0\Sigma^{-1}m_0^T-m_1\Sigma^{-1}m_1^T)+a\bigr)`,
				"the second-order terms vanish", Scalar(func(g Gaussians) float64 {
					m0, m1 := g.M[0], g.M[1]
					return sigma(g.form(1, plus(m1, -1, m0), g.X) + (g.form(1, m0, m0)-g.form(1, m1, m1))/2 + g.a())
				})),
			equal(`\sigma(w\cdot x+b)`,
				`$w=(m_1-m_0)\Sigma^{-1}$, $b=\tfrac12(m_0\Sigma^{-1}m_0^T-m_1\Sigma^{-1}m_1^T)+a$`, Scalar(func(g Gaussians) float64 {
					w, b := g.plane()
					return sigma(floats.Dot(w, g.X) + b)
				})),
		},
	}
}

// posterior returns P(Y=1|X=x). It computes each class density as a product of gonum's
// normal distributions along the axes of the ellipsoid, so it uses neither the formula
// that the steps are about nor its inverse and determinant.
func (g Gaussians) posterior() float64 {
	joint := [2]float64{1 - g.P1, g.P1}
	for k := range joint {
		var axes mat.EigenSym
		if !axes.Factorize(g.S[k], true) {
			return math.NaN()
		}
		var Q mat.Dense
		axes.VectorsTo(&Q)
		along := times(Q.T(), plus(g.X, -1, g.M[k]))
		for i, variance := range axes.Values(nil) {
			joint[k] *= distuv.Normal{Sigma: math.Sqrt(variance)}.Prob(along[i])
		}
	}
	return joint[1] / (joint[0] + joint[1])
}

// density returns the density of class k at x by EE-559's formula.
func (g Gaussians) density(k int) float64 {
	u := plus(g.X, -1, g.M[k])
	return math.Exp(-g.form(k, u, u)/2) / math.Sqrt(math.Pow(2*math.Pi, float64(len(g.X)))*mat.Det(g.S[k]))
}

// logDensity returns the logarithm of the density of class k at x.
func (g Gaussians) logDensity(k int) float64 {
	u := plus(g.X, -1, g.M[k])
	return -g.form(k, u, u)/2 - g.logDet[k]/2 - float64(len(g.X))*math.Log(2*math.Pi)/2
}

// form returns u Σₖ⁻¹ vᵀ.
func (g Gaussians) form(k int, u, v []float64) float64 { return floats.Dot(u, times(g.inv[k], v)) }

// a returns the logarithm of the prior odds.
func (g Gaussians) a() float64 { return math.Log(g.P1) - math.Log(1-g.P1) }

// plane returns the w and b of LDA with covariance Σ₁.
func (g Gaussians) plane() (w []float64, b float64) {
	w = times(g.inv[1], plus(g.M[1], -1, g.M[0]))
	return w, (g.form(1, g.M[0], g.M[0])-g.form(1, g.M[1], g.M[1]))/2 + g.a()
}

func (g Gaussians) given() string {
	s := fmt.Sprintf(`For $x=%s$, $m_0=%s$, $m_1=%s$, $\mathbb P(Y=1)=%s$, `,
		tuple(g.X), tuple(g.M[0]), tuple(g.M[1]), numTeX(g.P1))
	if mat.Equal(g.S[0], g.S[1]) {
		return s + fmt.Sprintf(`$\Sigma=%s$:`, matrixTeX(g.S[1]))
	}
	return s + fmt.Sprintf(`$\Sigma_0=%s$, $\Sigma_1=%s$:`, matrixTeX(g.S[0]), matrixTeX(g.S[1]))
}

// drawGaussians draws two populations in one to four dimensions, with a shared covariance
// or mean if asked for.
func drawGaussians(rng *rand.Rand, sameCovariance, sameMean bool) Gaussians {
	d := 1 + rng.IntN(4)
	for {
		m := [2][]float64{normal(rng, d), normal(rng, d)}
		s := [2]*mat.SymDense{covariance(rng, d), covariance(rng, d)}
		if sameCovariance {
			s[0] = s[1]
		}
		if sameMean {
			m[0] = m[1]
		}
		// Draw again if rounding made a covariance indefinite.
		if g, err := NewGaussians(normal(rng, d), m, s, uniform(rng, 0.1, 0.9)); err == nil {
			return g
		}
	}
}

// covariance returns a random positive definite matrix, AAᵀ/d + I/2.
func covariance(rng *rand.Rand, d int) *mat.SymDense {
	A := mat.NewDense(d, d, normal(rng, d*d))
	s := mat.NewSymDense(d, nil)
	s.SymOuterK(1/float64(d), A)
	for i := range d {
		s.SetSym(i, i, s.At(i, i)+0.5)
	}
	return s
}

// exampleGaussians returns two populations in the plane with small numbers: Σ₁ has
// determinant 1, and Σ₀ is ratio times Σ₁.
func exampleGaussians(ratio float64) Gaussians {
	s1 := mat.NewSymDense(2, []float64{2, 1, 1, 1})
	s0 := mat.NewSymDense(2, nil)
	s0.ScaleSym(ratio, s1)
	g, err := NewGaussians([]float64{1, 0}, [2][]float64{{0, 1}, {2, 1}}, [2]*mat.SymDense{s0, s1}, 0.25)
	if err != nil {
		panic(err) // the covariances above are positive definite
	}
	return g
}
