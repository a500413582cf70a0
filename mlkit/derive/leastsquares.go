package derive

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// LeastSquares is a least squares problem with arbitrary weights, apart from its
// solution.
type LeastSquares struct {
	X *mat.Dense // N×l, N ≥ l, of rank l; a constant feature needs its own column
	Y []float64  // the desired responses, N
	W []float64  // arbitrary weights, l
}

// NormalEquations derives the normal equations from the sum of error squares, and from
// them the pseudoinverse (Theodoridis, "Sum of Error Squares Estimation" and
// "Pseudoinverse Matrix").
//
// The slides have three slips. Under "Mean Square Error Estimation" the gradient is
// 2E[x(y - xᵀw)], without the minus sign of steps 1 to 3, which does no harm where it is
// set to 0. One line has Σ xᵢᵀxᵢ, a number, instead of the matrix Σ xᵢxᵢᵀ. The example's
// solution, [-3.13, 0.24, 1.34], breaks step 5; the correct one is [-3.218, 0.241,
// 1.431]. Markdown shows this example.
func NormalEquations() Derivation[LeastSquares] {
	return Derivation[LeastSquares]{
		Title:   "From the normal equations to the pseudoinverse",
		Source:  "Theodoridis, chapter 3, Sum of Error Squares Estimation; the example's ten points",
		Draw:    drawLeastSquares,
		Valid:   LeastSquares.valid,
		Example: exampleLeastSquares,
		Given:   LeastSquares.given,
		Notes: `Errata of the slides: $[-3.13, 0.24, 1.34]$ does not solve the equations of the example; the gradient of $J$ in the form of expectations lacks its minus, ` +
			`$\partial J/\partial w=-2E[x(y-x^Tw)]$; and the $\sum_i x_i^Tx_i$ of one line is $\sum_i x_ix_i^T$.`,
		Steps: []Step[LeastSquares]{
			start(`\frac{\partial J(w)}{\partial w}=\frac{\partial}{\partial w}\sum_{i=1}^N(y_i-w^Tx_i)^2`, "computed by differences, at any w",
				func(q LeastSquares) []float64 { return difference(q.cost, q.W, 1) }),
			equal(`-2\sum_{i=1}^Nx_i(y_i-x_i^Tw)`, "chain rule",
				func(q LeastSquares) []float64 { return scaled(-2, combination(q.residuals(q.W), q.X)) }).beside(LeastSquares.size),
			equal(`2(X^TXw-X^Ty)`, `$X^TX=\sum_ix_ix_i^T$, $X^Ty=\sum_ix_iy_i$`,
				func(q LeastSquares) []float64 {
					return scaled(2, plus(times(q.gram(), q.W), -1, times(q.X.T(), q.Y)))
				}).beside(LeastSquares.size),

			start(`\sum_{i=1}^Nx_iy_i=X^Ty`, "the gradient is 0 at the minimum:",
				func(q LeastSquares) []float64 { return combination(q.Y, q.X) }),
			equal(`\Bigl(\sum_{i=1}^Nx_ix_i^T\Bigr)\hat w`, `the normal equations, $\hat w$ found by QR`,
				func(q LeastSquares) []float64 {
					w := q.solve()
					return combination(times(q.X, w), q.X)
				}),
			equal(`X^TX\hat w`, "in matrices",
				func(q LeastSquares) []float64 { return times(q.gram(), q.solve()) }),

			start(`\hat w`, "solve the normal equations",
				func(q LeastSquares) []float64 { return q.solve() }),
			equal(`(X^TX)^{-1}X^Ty`, "X has rank l, so $X^TX$ can be inverted",
				func(q LeastSquares) []float64 { return times(inverse(q.gram()), times(q.X.T(), q.Y)) }),
			equal(`X^{\#}y`, `$X^{\#}=(X^TX)^{-1}X^T$, here $VS^{-1}U^T$ from the singular values $X=USV^T$`,
				func(q LeastSquares) []float64 { return times(pseudoinverse(q.X), q.Y) }),

			start(`J(w)`, "that it is a minimum: at any w",
				Scalar(func(q LeastSquares) float64 { return q.cost(q.W) })),
			equal(`J(\hat w)+\Vert X(w-\hat w)\Vert^2`, `$X^T(y-X\hat w)=0$: Pythagoras`,
				Scalar(func(q LeastSquares) float64 {
					w := q.solve()
					return q.cost(w) + norm2(times(q.X, plus(q.W, -1, w)))
				})),
			atLeast(`J(\hat w)`, "a square is not negative",
				Scalar(func(q LeastSquares) float64 { return q.cost(q.solve()) })),

			start(`X^{\#}=(X^TX)^{-1}X^T`, "N = l: take the first l rows for X",
				func(q LeastSquares) []float64 {
					X := q.square()
					return elements(product(inverse(product(X.T(), X)), X.T()))
				}),
			equal(`X^{-1}X^{-T}X^T`, `$(X^TX)^{-1}=X^{-1}X^{-T}$`,
				func(q LeastSquares) []float64 {
					X := q.square()
					return elements(product(product(inverse(X), inverse(X.T())), X.T()))
				}),
			equal(`X^{-1}`, `$X^{-T}X^T=I$`,
				func(q LeastSquares) []float64 { return elements(inverse(q.square())) }),
		},
	}
}

// residuals returns yᵢ - wᵀxᵢ.
func (q LeastSquares) residuals(w []float64) []float64 { return plus(q.Y, -1, times(q.X, w)) }

// cost returns J(w), the sum of the squares of the residuals.
func (q LeastSquares) cost(w []float64) float64 { return norm2(q.residuals(w)) }

// size returns the size of the terms that the gradient of J adds up.
func (q LeastSquares) size() float64 {
	return mat.Trace(q.gram())*(1+floats.Norm(q.W, math.Inf(1))) + norm2(q.Y)
}

// gram returns XᵀX.
func (q LeastSquares) gram() *mat.Dense { return product(q.X.T(), q.X) }

// solve returns the w that minimises J by a QR decomposition, independently of the normal
// equations. It returns NaNs if X does not have rank l.
func (q LeastSquares) solve() []float64 {
	_, l := q.X.Dims()
	var qr mat.QR
	qr.Factorize(q.X)
	var w mat.VecDense
	if err := qr.SolveVecTo(&w, false, mat.NewVecDense(len(q.Y), q.Y)); err != nil {
		return each(l, func(int) float64 { return math.NaN() })
	}
	return w.RawVector().Data
}

// square returns the first l rows of X.
func (q LeastSquares) square() *mat.Dense {
	_, l := q.X.Dims()
	return mat.DenseCopyOf(q.X.Slice(0, l, 0, l))
}

// product returns AB.
func product(A, B mat.Matrix) *mat.Dense {
	var p mat.Dense
	p.Mul(A, B)
	return &p
}

// inverse returns A⁻¹, or a matrix of NaNs if A is close to singular.
func inverse(A mat.Matrix) *mat.Dense {
	var inv mat.Dense
	if err := inv.Inverse(A); err != nil {
		n, _ := A.Dims()
		return mat.NewDense(n, n, each(n*n, func(int) float64 { return math.NaN() }))
	}
	return &inv
}

// pseudoinverse returns VS⁻¹Uᵀ for X = USVᵀ of full column rank, or NaNs if the
// decomposition fails.
func pseudoinverse(X *mat.Dense) *mat.Dense {
	n, l := X.Dims()
	var svd mat.SVD
	if !svd.Factorize(X, mat.SVDThin) {
		return mat.NewDense(l, n, each(l*n, func(int) float64 { return math.NaN() }))
	}
	var U, V mat.Dense
	svd.UTo(&U)
	svd.VTo(&V)
	for j, s := range svd.Values(nil) {
		for i := range l {
			V.Set(i, j, V.At(i, j)/s)
		}
	}
	return product(&V, U.T())
}

// elements returns the elements of A in row-major order.
func elements(A *mat.Dense) []float64 { return mat.DenseCopyOf(A).RawMatrix().Data }

func (q LeastSquares) given() string {
	n, l := q.X.Dims()
	return fmt.Sprintf(`For N = %d samples in l = %d dimensions, $X^TX=%s$, $X^Ty=%s$, and, for w, the arbitrary $w=%s$:`,
		n, l, matrixTeX(q.gram()), tuple(combination(q.Y, q.X)), tuple(q.W))
}

// drawLeastSquares draws a problem with one to four unknowns. The first l rows are well
// conditioned: 2I plus a perturbation.
func drawLeastSquares(rng *rand.Rand) LeastSquares {
	l := 1 + rng.IntN(4)
	n := l + rng.IntN(8)
	X := mat.NewDense(n, l, nil)
	for i := range n {
		for j := range l {
			X.Set(i, j, uniform(rng, -1, 1)/2)
		}
	}
	for j := range l {
		X.Set(j, j, X.At(j, j)+2)
	}
	return LeastSquares{X: X, Y: normal(rng, n), W: normal(rng, l)}
}

// exampleLeastSquares returns the slides' example: the ten points with the bias as the
// last column, responses +1 for ω₁ and -1 for ω₂, and the solution printed on the slide
// as the arbitrary w.
func exampleLeastSquares() LeastSquares {
	X := mat.NewDense(10, 3, []float64{
		0.4, 0.5, 1, 0.6, 0.5, 1, 0.1, 0.4, 1, 0.2, 0.7, 1, 0.3, 0.3, 1,
		0.4, 0.6, 1, 0.6, 0.2, 1, 0.7, 0.4, 1, 0.8, 0.6, 1, 0.7, 0.5, 1,
	})
	y := make([]float64, 10)
	floats.AddConst(1, y[:5])
	floats.AddConst(-1, y[5:])
	return LeastSquares{X: X, Y: y, W: []float64{-3.13, 0.24, 1.34}}
}
