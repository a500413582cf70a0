package kernelized

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/axes"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/kernel"
)

// equations are those of kernel ridge regression,
//
//	Σⱼ k(xᵢ, xⱼ)αⱼ + λαᵢ/sᵢ + b = yᵢ,  Σ αᵢ = 0
//
// With the centred kernel k̃ and the weighted mean ȳ they are those of a symmetric positive
// definite matrix, and finite even for tiny weights:
//
//	(A + λI)β = t,  aᵢⱼ = √sᵢ k̃(xᵢ, xⱼ) √sⱼ,  tᵢ = √sᵢ(yᵢ - ȳ),  αᵢ = √sᵢβᵢ
//
// Without b, k̃ is k and ȳ is 0.
type equations struct {
	kernel     kernel.Kernel
	lambda     float64
	free       bool // whether there is a b
	X          *mat.Dense
	y, weights []float64 // one for each row of X, the weights positive

	shift  []float64 // subtracted from X
	A      *mat.SymDense
	roots  []float64 // √sᵢ
	t      []float64
	sizes  []float64 // √k(xᵢ, xᵢ) = ‖φ(xᵢ)‖; k rounds by ε‖φ(x)‖‖φ(z)‖
	spread float64   // Σ sᵢ k(xᵢ, xᵢ)
}

// answer is an approximate solution of the equations.
type answer struct {
	beta  []float64
	t     []float64 // the part of t that β fits
	left  []float64 // t - (A + λI)β
	model *RidgeModel

	// check.Left is a bound on √Σ sᵢ(f(xᵢ) - f*(xᵢ))², where f are the scores of the model
	// and f* those of the exact solution.
	check check.Answer
}

// constant returns the model that is b alone.
func (e *equations) constant() *RidgeModel {
	m := &RidgeModel{Expansion{Kernel: kernel.Any{Kernel: e.kernel}, X: Matrix{Cols: e.X.RawMatrix().Cols}}}
	if e.free {
		m.B = mean(e.y, e.weights)
	}
	return m
}

// differences returns y - ȳ.
func (e *equations) differences() []float64 {
	d := slices.Clone(e.y)
	floats.AddConst(-e.constant().B, d)
	return d
}

// solve returns the model. The error is the context's, that of a kernel without φ, or a
// *mlkit.NotConvergedError if rounding keeps the model from solving its equations.
func (e *equations) solve(ctx context.Context) (*RidgeModel, error) {
	if err := e.prepare(ctx); err != nil {
		return nil, err
	}
	a, err := e.byCholesky(ctx)
	if err != nil {
		return nil, err
	}
	if a == nil || !a.check.Right() {
		b, err := e.byEigenvalues(ctx)
		if err != nil {
			return nil, err
		}
		if a == nil || !(a.check.Left <= b.check.Left) {
			a = b
		}
	}
	if !a.check.Right() {
		return a.model, e.vanishes(a)
	}
	return a.model, nil
}

// prepare sets A and what belongs to it.
func (e *equations) prepare(ctx context.Context) (err error) {
	if e.free {
		if e.shift, err = nearby(ctx, e.kernel, e.X); err != nil {
			return err
		}
		if e.X, err = axes.Relative(ctx, e.X, e.shift); err != nil {
			return err
		}
	}
	if e.A, err = kernel.GramContext(ctx, e.kernel, e.X); err != nil {
		return err
	}
	n := len(e.y)
	e.roots, e.sizes, e.t = make([]float64, n), make([]float64, n), e.differences()
	for i, s := range e.weights {
		e.roots[i], e.sizes[i] = math.Sqrt(s), math.Sqrt(math.Abs(e.A.At(i, i)))
		e.spread += s * e.sizes[i] * e.sizes[i]
	}
	if !check.Finite(e.spread) {
		return errors.New("kernelized: Ridge: Σ sᵢ k(xᵢ, xᵢ) overflows, want smaller numbers; scale X, or the weights")
	}
	floats.Mul(e.t, e.roots)
	if e.free {
		c, err := kernel.NewWeightedCentering(ctx, e.A, e.weights)
		if err != nil {
			return err
		}
		if err := c.Center(ctx, e.A); err != nil {
			return err
		}
	}
	raw := e.A.RawSymmetric()
	for i, root := range e.roots {
		if err := ctx.Err(); err != nil {
			return err
		}
		row := raw.Data[i*raw.Stride+i : i*raw.Stride+n]
		floats.Mul(row, e.roots[i:])
		floats.Scale(root, row)
	}
	return nil
}

// byCholesky solves the equations by Cholesky's factorisation and iterative refinement
// (Nicholas Higham, "Accuracy and Stability of Numerical Algorithms", 2002, chapter 12):
// each step solves for what is left of the equations. The answer is nil if A + λI is not
// positive definite in rounding.
func (e *equations) byCholesky(ctx context.Context) (*answer, error) {
	U, ok, err := gram.NewFactor(ctx, e.A, e.lambda)
	if !ok || err != nil {
		return nil, err
	}
	a := &answer{beta: make([]float64, len(e.t)), t: e.t, left: e.t}
	for halved := true; halved; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		beta := slices.Clone(a.left)
		U.Solve(beta)
		floats.Add(beta, a.beta)
		e.recentre(beta)
		left := e.left(beta, e.t)
		before, now := floats.Norm(a.left, 2), floats.Norm(left, 2)
		if !(now < before) {
			break
		}
		halved = now < before/2
		a.beta, a.left = beta, left
	}
	return a, e.finish(ctx, a, 0)
}

// byEigenvalues solves the equations in the eigenvectors u of A, with the eigenvalues μ,
//
//	β = Σ (u·t)/(μ + λ) u
//
// and leaves out those with μ within rounding error. They are not 0 in rounding, so A + λI
// may not be positive definite. Their part of β is large if λ is small, and of no use: it
// fits nothing.
func (e *equations) byEigenvalues(ctx context.Context) (*answer, error) {
	values, vectors, err := eigen.Full(ctx, e.A)
	if err != nil {
		return nil, fmt.Errorf("kernelized: Ridge: the eigenvalues of K: %w", err)
	}
	n := len(values)
	if !kernel.KnownMercer(e.kernel) {
		if err := kernel.Definite(values[n-1], vectors[n-1], max(e.spread, values[0])); err != nil {
			return nil, fmt.Errorf("kernelized: Ridge: K + λI with λ = %v is not positive definite: %w; raise Lambda, or choose a Mercer kernel", e.lambda, err)
		}
	}
	noise := 4 * rows.Epsilon * max(e.spread, values[0])
	most := dimension(e.kernel, e.X, e.free)
	a, rank := &answer{beta: make([]float64, n), t: make([]float64, n)}, 0
	for rank < most && values[rank] > noise {
		share := floats.Dot(vectors[rank], e.t)
		floats.AddScaled(a.t, share, vectors[rank])
		floats.AddScaled(a.beta, share/(values[rank]+e.lambda), vectors[rank])
		rank++
	}
	e.recentre(a.beta)
	a.left = e.left(a.beta, a.t)
	// The exact solution fits μ/(μ + λ) of what is left out. If that is nothing, rounding has
	// only turned the span of the eigenvectors.
	lacking := noise / (noise + e.lambda) * floats.Distance(e.t, a.t, 2)
	switch {
	case most == 0:
		lacking = 0
	case rank == most:
		lacking = min(lacking, noise/values[rank-1]*floats.Norm(a.t, 2))
	}
	return a, e.finish(ctx, a, lacking)
}

// recentre makes Σ αᵢ = Σ √sᵢβᵢ zero to rounding, as it is in the exact solution: in the
// scores, Σ αᵢ meets the mean of k, which is large if the samples lie far from 0.
func (e *equations) recentre(beta []float64) {
	if e.free {
		floats.AddScaled(beta, -floats.Dot(beta, e.roots)/floats.Dot(e.roots, e.roots), e.roots)
	}
}

// left returns t - (A + λI)β.
func (e *equations) left(beta, t []float64) []float64 {
	left := make([]float64, len(beta))
	eigen.Times(e.A)(left, beta)
	for i, v := range left {
		left[i] = t[i] - v - e.lambda*beta[i]
	}
	return left
}
