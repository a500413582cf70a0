package derive

import "gonum.org/v1/gonum/floats"

// PrimalToDual derives the dual of the support vector machine with slack variables from
// its primal (Yuille, sections 9 to 13; Theodoridis, "Non-Separable classes"; Cornell,
// section 2, without slacks). It has the Lagrangian and its derivatives, the dual, weak
// duality, complementary slackness, and the equality of primal and dual that follows from
// it.
//
// The lectures have several slips. Yuille's section 12 bounds α by τ. The bound is γ, as
// in steps 16 to 18, since τ is a separate multiplier, 0 where the slack is positive.
// Section 13 begins "with dual formulation" but starts from the primal. Theodoridis'
// Lagrangian for separable classes lacks the -1 in its bracket, without which the Σ λ of
// the dual would be lost (step 32). Cornell's equation 3 has αᵢxₖ instead of αᵢαₖ, and
// its slab of "thickness 1/‖β‖" is 2/‖β‖ thick.
func PrimalToDual() Derivation[SoftMargin] {
	return Derivation[SoftMargin]{
		Title:   "From the primal to the dual of the soft margin",
		Source:  "Yuille, sections 9 to 13; Theodoridis, chapter 3, Non-Separable classes; Cornell, section 2",
		Draw:    drawSoftMargin,
		Valid:   SoftMargin.valid,
		Example: exampleSoftMargin,
		Given:   SoftMargin.given,
		Notes: `Hats mark the solution, $\alpha'$ is any point of the dual, $\alpha$, $\tau$, $a$, $b$, $z$ are any. ` +
			`Erratum: Yuille (section 12) prints $0\le\alpha_\mu\le\tau$; the bound is $\gamma$. ` +
			`Theodoridis' $L(w,w_0,\lambda)$ for separable classes lacks the $-1$ of its constraint; Cornell's $L_D$ has $\alpha_ix_k$ for $\alpha_i\alpha_k$.`,
		Steps: concat(lagrangianSteps(), dualSteps(), slacknessSteps(), separableSteps()),
	}
}

func concat[Q any](chains ...[]Step[Q]) []Step[Q] {
	var all []Step[Q]
	for _, c := range chains {
		all = append(all, c...)
	}
	return all
}

// lagrangianSteps rearranges L_p and differentiates it.
func lagrangianSteps() []Step[SoftMargin] {
	return []Step[SoftMargin]{
		start(`L_p=\tfrac12a\cdot a+\gamma\sum_\mu z_\mu-\sum_\mu\alpha_\mu\{y_\mu(x_\mu\cdot a+b)-(1-z_\mu)\}-\sum_\mu\tau_\mu z_\mu`,
			"the primal with a multiplier for each constraint", Scalar(func(q SoftMargin) float64 {
				return q.lagrangian(q.A, q.B, q.Z, q.Alpha, q.Tau)
			})),
		equal(`-\tfrac12a\cdot a+\sum_\mu\alpha_\mu+a\cdot\{a-\sum_\mu\alpha_\mu y_\mu x_\mu\}+\sum_\mu z_\mu\{\gamma-\tau_\mu-\alpha_\mu\}-b\sum_\mu\alpha_\mu y_\mu`,
			"collect what multiplies a, z and b (section 13)", Scalar(func(q SoftMargin) float64 {
				return q.rearranged(q.A, q.B, q.Z, q.Alpha, q.Tau)
			})).beside(SoftMargin.size),

		start(`\frac{\partial L_p}{\partial a}`, "computed by differences",
			func(q SoftMargin) []float64 {
				return difference(func(a []float64) float64 { return q.lagrangian(a, q.B, q.Z, q.Alpha, q.Tau) }, q.A, 1)
			}),
		equal(`a-\sum_\mu\alpha_\mu y_\mu x_\mu`, `0 at $\hat a=\sum_\mu\alpha_\mu y_\mu x_\mu$`,
			func(q SoftMargin) []float64 { return plus(q.A, -1, q.plane(q.Alpha)) }).beside(SoftMargin.size),

		start(`\frac{\partial L_p}{\partial b}`, "computed by differences",
			func(q SoftMargin) []float64 {
				return difference(func(b []float64) float64 { return q.lagrangian(q.A, b[0], q.Z, q.Alpha, q.Tau) }, []float64{q.B}, 1)
			}),
		equal(`-\sum_\mu\alpha_\mu y_\mu`, `0 where $\sum_\mu\alpha_\mu y_\mu=0$`,
			func(q SoftMargin) []float64 { return []float64{-floats.Sum(q.signed(q.Alpha))} }).beside(SoftMargin.size),

		start(`\frac{\partial L_p}{\partial z_\mu}`, "computed by differences",
			func(q SoftMargin) []float64 {
				return difference(func(z []float64) float64 { return q.lagrangian(q.A, q.B, z, q.Alpha, q.Tau) }, q.Z, 1)
			}),
		equal(`\gamma-\tau_\mu-\alpha_\mu`, `0 where $\alpha_\mu=\gamma-\tau_\mu$`,
			func(q SoftMargin) []float64 { return plus(q.tau(q.Alpha), -1, q.Tau) }).beside(SoftMargin.size),
	}
}

// dualSteps substitutes the conditions into L_p and shows that the dual is at most the
// primal.
func dualSteps() []Step[SoftMargin] {
	return []Step[SoftMargin]{
		start(`L_p\bigl(\textstyle\sum_\mu\alpha'_\mu y_\mu x_\mu,b,z;\alpha',\gamma-\alpha'\bigr)`,
			`put in the three conditions; $\sum_\mu\alpha'_\mu y_\mu=0$, b and z are any`, Scalar(func(q SoftMargin) float64 {
				return q.lagrangian(q.plane(q.Dual), q.B, q.Z, q.Dual, q.tau(q.Dual))
			})),
		equal(`-\tfrac12a'\cdot a'+\sum_\mu\alpha'_\mu`, `the braces of step 2 are 0; $a'=\sum_\mu\alpha'_\mu y_\mu x_\mu$`,
			Scalar(func(q SoftMargin) float64 { return -norm2(q.plane(q.Dual))/2 + floats.Sum(q.Dual) })).beside(SoftMargin.size),
		equal(`\sum_\mu\alpha'_\mu-\tfrac12\sum_{\mu,\nu}\alpha'_\mu\alpha'_\nu y_\mu y_\nu\,x_\mu\cdot x_\nu`, "the dual, to be maximised",
			Scalar(func(q SoftMargin) float64 { return q.dual(q.Dual) })).beside(SoftMargin.size),

		start(`\sum_\mu\alpha'_\mu-\tfrac12\sum_{\mu,\nu}\alpha'_\mu\alpha'_\nu y_\mu y_\nu\,x_\mu\cdot x_\nu`, "the dual at any of its points",
			Scalar(func(q SoftMargin) float64 { return q.dual(q.Dual) })),
		equal(`L_p(a,b,z;\alpha',\gamma-\alpha')-\tfrac12\Vert a-a'\Vert^2`, `$L_p$ is a parabola in a with its minimum at $a'$`,
			Scalar(func(q SoftMargin) float64 {
				return q.lagrangian(q.A, q.B, q.Z, q.Dual, q.tau(q.Dual)) - norm2(plus(q.A, -1, q.plane(q.Dual)))/2
			})).beside(SoftMargin.size),
		atMost(`L_p(a,b,z;\alpha',\gamma-\alpha')`, "a square is not negative",
			Scalar(func(q SoftMargin) float64 { return q.lagrangian(q.A, q.B, q.Z, q.Dual, q.tau(q.Dual)) })),
		atMost(`\tfrac12a\cdot a+\gamma\sum_\mu z_\mu`, `multipliers and satisfied constraints are not negative: the dual is never above the primal`,
			Scalar(func(q SoftMargin) float64 { return q.primal(q.A, q.Z) })),
	}
}

// slacknessSteps shows which equalities hold at the solution.
func slacknessSteps() []Step[SoftMargin] {
	return []Step[SoftMargin]{
		start(`\hat\alpha_\mu`, "the box of the dual",
			func(q SoftMargin) []float64 { return q.AlphaHat }),
		equal(`\gamma-\hat\tau_\mu`, `$\partial L_p/\partial z_\mu=0$`,
			func(q SoftMargin) []float64 {
				return each(len(q.TauHat), func(i int) float64 { return q.Gamma - q.TauHat[i] })
			}),
		atMost(`\gamma`, `$\hat\tau_\mu\ge0$; the bound is $\gamma$, not $\tau$`,
			func(q SoftMargin) []float64 { return each(len(q.Y), func(int) float64 { return q.Gamma }) }),

		start(`\hat\alpha_\mu y_\mu(x_\mu\cdot\hat a+\hat b)`, `complementary slackness, $\hat\alpha_\mu\{y_\mu(x_\mu\cdot\hat a+\hat b)-1+\hat z_\mu\}=0$:`,
			func(q SoftMargin) []float64 {
				return each(len(q.Y), func(i int) float64 { return q.AlphaHat[i] * q.functional(i, q.AHat, q.BHat) })
			}),
		equal(`\hat\alpha_\mu(1-\hat z_\mu)`, `either $\hat\alpha_\mu=0$ or the sample is where its slack puts it`,
			func(q SoftMargin) []float64 {
				return each(len(q.Y), func(i int) float64 { return q.AlphaHat[i] * (1 - q.ZHat[i]) })
			}).beside(SoftMargin.price),

		start(`\gamma\hat z_\mu`, `and $\hat\tau_\mu\hat z_\mu=(\gamma-\hat\alpha_\mu)\hat z_\mu=0$:`,
			func(q SoftMargin) []float64 { return scaled(q.Gamma, q.ZHat) }),
		equal(`\hat\alpha_\mu\hat z_\mu`, `a slack is used only where $\hat\alpha_\mu=\gamma$`,
			func(q SoftMargin) []float64 {
				return each(len(q.Y), func(i int) float64 { return q.AlphaHat[i] * q.ZHat[i] })
			}).beside(SoftMargin.price),

		start(`\hat a\cdot\hat a`, "that primal and dual meet",
			Scalar(func(q SoftMargin) float64 { return norm2(q.AHat) })),
		equal(`\sum_\mu\hat\alpha_\mu y_\mu(x_\mu\cdot\hat a+\hat b)`, `$\hat a=\sum_\mu\hat\alpha_\mu y_\mu x_\mu$, and $\hat b\sum_\mu\hat\alpha_\mu y_\mu=0$`,
			Scalar(func(q SoftMargin) float64 {
				return sum(len(q.Y), func(i int) float64 { return q.AlphaHat[i] * q.functional(i, q.AHat, q.BHat) })
			})),
		equal(`\sum_\mu\hat\alpha_\mu-\gamma\sum_\mu\hat z_\mu`, "both complementary slacknesses",
			Scalar(func(q SoftMargin) float64 { return floats.Sum(q.AlphaHat) - q.Gamma*floats.Sum(q.ZHat) })),

		start(`\tfrac12a\cdot a+\gamma\sum_\mu z_\mu`, "any plane with slacks that satisfy the constraints",
			Scalar(func(q SoftMargin) float64 { return q.primal(q.A, q.Z) })),
		atLeast(`\tfrac12\hat a\cdot\hat a+\gamma\sum_\mu\hat z_\mu`, "the solution is the minimum",
			Scalar(func(q SoftMargin) float64 { return q.primal(q.AHat, q.ZHat) })),
		equal(`\sum_\mu\hat\alpha_\mu-\tfrac12\sum_{\mu,\nu}\hat\alpha_\mu\hat\alpha_\nu y_\mu y_\nu\,x_\mu\cdot x_\nu`, "the steps before, and step 10: no gap",
			Scalar(func(q SoftMargin) float64 { return q.dual(q.AlphaHat) })),
		atLeast(`\sum_\mu\alpha'_\mu-\tfrac12\sum_{\mu,\nu}\alpha'_\mu\alpha'_\nu y_\mu y_\nu\,x_\mu\cdot x_\nu`, "the maximum of the dual",
			Scalar(func(q SoftMargin) float64 { return q.dual(q.Dual) })),
	}
}

// separableSteps leaves out the slacks, like Cornell, and like Theodoridis for separable
// classes.
func separableSteps() []Step[SoftMargin] {
	return []Step[SoftMargin]{
		start(`L_p(a,b,0;\alpha,\tau)`, "separable classes: no slack",
			Scalar(func(q SoftMargin) float64 {
				return q.lagrangian(q.A, q.B, make([]float64, len(q.Y)), q.Alpha, q.Tau)
			})),
		equal(`\tfrac12\Vert\beta\Vert^2-\sum_i\alpha_i[y_i(x_i^T\beta+\beta_0)-1]`, `Cornell's $L_p$, $\beta=a$, $\beta_0=b$`,
			Scalar(func(q SoftMargin) float64 {
				return norm2(q.A)/2 - sum(len(q.Y), func(i int) float64 { return q.Alpha[i] * (q.functional(i, q.A, q.B) - 1) })
			})).beside(SoftMargin.size),
		equal(`\tfrac12w^Tw-\sum_i\lambda_i[y_i(w^Tx_i+w_0)]+\sum_i\lambda_i`, `Theodoridis' $L$, with the $\sum_i\lambda_i$ that the slide lacks`,
			Scalar(func(q SoftMargin) float64 {
				return norm2(q.A)/2 - sum(len(q.Y), func(i int) float64 { return q.Alpha[i] * q.functional(i, q.A, q.B) }) + floats.Sum(q.Alpha)
			})).beside(SoftMargin.size),
	}
}
