package logistic

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// Nearly collinear columns make the Hessian singular to rounding, since it is quadratic in
// them: columns that differ by 10⁻⁸ of their deviation have a second derivative of 10⁻¹⁶ of
// the others in the direction of their difference. Without a penalty the problem is the same
// in any basis of the columns. With the singular values Z = UΣVᵀ and r of them above
// rounding,
//
//	Zθ = √n U θ',  θ = √n VΣ⁻¹θ',  θ' = ΣVᵀθ/√n,
//
// √n U has orthogonal columns of variance 1, and only the weights of the samples can make its
// Hessian singular. Of the many θ for columns that are dependent, this one is the shortest.

// basis is a basis of the d+1 columns.
type basis struct {
	from, to *mat.Dense // (d+1)×r: √n VΣ⁻¹ and VΣ/√n
}

// theta returns the θ of a θ', for each of the classes.
func (b *basis) theta(inBasis []float64) []float64 { return times(b.from, inBasis) }

// inverse returns the θ' of a θ.
func (b *basis) inverse(theta []float64) []float64 { return times(b.to.T(), theta) }

// times returns the product of M with the part of θ of each class.
func times(M mat.Matrix, theta []float64) []float64 {
	r, c := M.Dims()
	product := make([]float64, len(theta)/c*r)
	for k := range len(theta) / c {
		mat.NewVecDense(r, product[k*r:][:r]).MulVec(M, mat.NewVecDense(c, theta[k*c:][:c]))
	}
	return product
}

// orthonormal returns the problem in a basis of orthogonal columns; nil if the singular
// values don't converge. Nothing must be penalised.
func (p *problem) orthonormal() (q *problem, err error) {
	n, e := p.Z.Dims()
	var svd mat.SVD
	ok := false
	if err := work.Run(p.ctx, func() {
		R := mat.DenseCopyOf(p.Z)
		if n > e {
			var qr mat.QR
			qr.Factorize(p.Z)
			R = mat.NewDense(e, e, nil)
			var whole mat.Dense
			qr.RTo(&whole)
			R.Copy(whole.Slice(0, e, 0, e))
		}
		ok = svd.Factorize(R, mat.SVDThin)
	}); err != nil || !ok {
		return nil, err
	}
	var V mat.Dense
	svd.VTo(&V)
	values, root := svd.Values(nil), math.Sqrt(float64(n))
	r := 0
	for r < len(values) && values[r] > p.roundingOf(&V, r)*root {
		r++
	}
	b := &basis{mat.NewDense(e, r, nil), mat.NewDense(e, r, nil)}
	for j := range e {
		for a := range r {
			b.from.Set(j, a, V.At(j, a)*root/values[a])
			b.to.Set(j, a, V.At(j, a)*values[a]/root)
		}
	}
	U := mat.NewDense(n, r, nil)
	if err := work.Run(p.ctx, func() { U.Mul(p.Z, b.from) }); err != nil {
		return nil, err
	}
	q = p.over(U, p.labels)
	q.l1, q.l2, q.basis = make([]float64, r), make([]float64, r), b
	return q, nil
}

// roundingOf returns the deviation that rounding errors in X can give the combination of
// columns with the weights in column a of V. Those of a column are a few units in the last
// place of its numbers.
func (u units) roundingOf(V *mat.Dense, a int) (deviation float64) {
	e, _ := V.Dims()
	for j := range e {
		size := 1.0
		if j < e-1 {
			size += math.Abs(u.mean[j]) / u.scale[j]
		}
		deviation += 64 * rows.Epsilon * size * math.Abs(V.At(j, a))
	}
	return deviation
}

// newtonInBasis goes on with Newton's method in an orthogonal basis.
func (p *problem) newtonInBasis(run *state) error {
	q, err := p.orthonormal()
	if err != nil {
		return err
	}
	inBasis := *run
	inBasis.theta = q.basis.inverse(run.theta)
	cause := q.newton(&inBasis)
	inBasis.theta = q.basis.theta(inBasis.theta)
	*run = inBasis
	if s := (*separation)(nil); errors.As(cause, &s) {
		s.theta = q.basis.theta(s.theta)
	}
	return cause
}

// solve solves Hs = -g, and reports whether H is regular. If it is singular, solve returns nil
// or, if asked for, the shortest solution in unknowns scaled to a diagonal of 1.
func solve(H *mat.SymDense, g []float64, shortest bool) (s []float64, regular bool) {
	D := len(g)
	scale := make([]float64, D)
	for a := range scale {
		scale[a] = 1
		if h := H.At(a, a); h > 0 {
			scale[a] = 1 / math.Sqrt(h)
		}
	}
	S, step := mat.NewSymDense(D, nil), mat.NewVecDense(D, nil)
	for a, v := range g {
		for b := a; b < D; b++ {
			S.SetSym(a, b, H.At(a, b)*scale[a]*scale[b])
		}
		step.SetVec(a, -v*scale[a])
	}
	const limit = 1e13
	var chol mat.Cholesky
	if regular = chol.Factorize(S) && chol.Cond() < limit; regular {
		_ = chol.SolveVecTo(step, step) // the condition number was checked
	} else if !shortest {
		return nil, false
	} else {
		regular = true
		throughEigen(S, step, func(value, largest float64) float64 {
			if value <= largest/limit {
				regular = false
				return 0
			}
			return 1 / value
		})
	}
	s = step.RawVector().Data
	floats.Mul(s, scale)
	return s, regular
}

// throughEigen replaces v by Q f(Λ) Qᵀ v, where S = QΛQᵀ. It passes f the largest
// eigenvalue too.
func throughEigen(S *mat.SymDense, v *mat.VecDense, f func(value, largest float64) float64) {
	var eig mat.EigenSym
	if !eig.Factorize(S, true) {
		v.Zero() // does not happen with finite numbers
		return
	}
	var Q mat.Dense
	eig.VectorsTo(&Q)
	values := eig.Values(nil)
	var c mat.VecDense
	c.MulVec(Q.T(), v)
	for a, value := range values {
		c.SetVec(a, c.AtVec(a)*f(value, values[len(values)-1]))
	}
	v.MulVec(&Q, &c)
}

// fixFlat makes H definite in directions in which nothing changes: it fixes the weights of
// constant columns, and the shift of many classes.
func (p *problem) fixFlat(H *mat.SymDense) {
	for a := range H.SymmetricDim() {
		if j := a % len(p.l2); H.At(a, a) == 0 && p.basis == nil && j < len(p.perScale) && p.perScale[j] == 0 {
			H.SetSym(a, a, p.total)
		}
	}
	if p.K > 1 {
		p.fixShift(H, p.K)
	}
}

// fixShift makes H definite where shifting a weight of all K classes alike changes nothing, or
// nearly nothing because L2 is small. It adds c/K in all K² places of that weight, where c is
// the mean of its diagonal elements. The gradient has no component in this direction, so the
// Newton step stays the same.
func (p penalties) fixShift(H *mat.SymDense, K int) {
	e := len(p.l2)
	for j := range e {
		mean := 0.0
		for k := range K {
			mean += H.At(k*e+j, k*e+j) / float64(K)
		}
		if p.l2[j] > 1e-8*mean || p.l1[j] > 0 {
			continue
		}
		for k := range K {
			for l := k; l < K; l++ {
				H.SetSym(k*e+j, l*e+j, H.At(k*e+j, l*e+j)+mean/float64(K))
			}
		}
	}
}
