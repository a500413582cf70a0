package leastsquares

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/work"
)

// tall solves a problem with at least as many rows as unknowns by Householder
// reflections.
func (p *problem) tall(ctx context.Context) (*fit, error) {
	R, err := p.reduce(ctx)
	if err != nil {
		return nil, err
	}
	q := p.c + p.d + p.M
	// The first row and column belong to the constant; without them the problem is
	// centred.
	T, C := part(R, p.c, p.c+p.d, p.c, p.c+p.d), part(R, p.c, p.c+p.d, p.c+p.d, q)
	for j := range p.d {
		column := T.ColView(j).(*mat.VecDense)
		if p.idle(j, mat.Norm(column, 2)) {
			column.Zero()
		}
	}
	f, ok := new(fit), false
	if err := work.Run(ctx, func() {
		if p.Lambda > 0 {
			T, C = p.addRidge(T, C)
		}
		f.V, f.rank, ok = p.solveTriangle(T, C)
	}); err != nil {
		return nil, err
	}
	if !ok {
		return nil, p.outOfRange()
	}
	f.rank += p.c
	return f, nil
}

// reduce returns the triangle R, (c+d+M)², with RᵀR = Σ rᵢrᵢᵀ over the rows
// rᵢ = √sᵢ(1, zᵢ, yᵢ), by Householder reflections, which preserve lengths. It appends a
// block of rows to the triangle of the rows so far and reflects them into it (Gene Golub
// and Charles Van Loan, "Matrix Computations", section 6.5, on updating a QR
// factorization). The triangle is 0 below its diagonal, so the Householder vectors are 0
// there too and leave it so.
func (p *problem) reduce(ctx context.Context) (*mat.Dense, error) {
	q := p.c + p.d + p.M
	size := max(256, q) // rows in a block
	stack := mat.NewDense(q+min(size, p.n), q, nil)
	reflect := reflector(stack)
	for first := 0; first < p.n; first += size {
		last := min(first+size, p.n)
		for i := first; i < last; i++ {
			p.extended(stack.RawRowView(q+i-first), i)
		}
		block := stack.Slice(0, q+last-first, 0, q).(*mat.Dense)
		if err := work.Run(ctx, func() { reflect(block) }); err != nil {
			return nil, err
		}
	}
	return part(stack, 0, q, 0, q), nil
}

// reflector returns a function that reflects the rows of a matrix no larger than A into a
// triangle, in place.
func reflector(A *mat.Dense) func(A *mat.Dense) {
	n, d := A.Dims()
	tau, optimal := make([]float64, min(n, d)), make([]float64, 1)
	lapack64.Geqrf(A.RawMatrix(), tau, optimal, -1)
	scratch := make([]float64, int(optimal[0]))
	return func(A *mat.Dense) { lapack64.Geqrf(A.RawMatrix(), tau, scratch, len(scratch)) }
}

// part returns a copy of rows i to j and columns k to l of A.
func part(A *mat.Dense, i, j, k, l int) *mat.Dense { return mat.DenseCopyOf(A.Slice(i, j, k, l)) }

// addRidge stacks the rows √λeⱼ of the ridge, with targets 0, on top of T and C, and
// returns the triangle and the targets of both. In this order T keeps its digits beside a
// much stronger ridge.
func (p *problem) addRidge(T, C *mat.Dense) (*mat.Dense, *mat.Dense) {
	work := mat.NewDense(2*p.d, p.d+p.M, nil)
	for j, unit := range p.unit {
		work.Set(j, j, math.Sqrt(p.Lambda)*unit)
	}
	work.Slice(p.d, 2*p.d, 0, p.d).(*mat.Dense).Copy(T)
	work.Slice(p.d, 2*p.d, p.d, p.d+p.M).(*mat.Dense).Copy(C)
	reflector(work)(work)
	return part(work, 0, p.d, 0, p.d), part(work, 0, p.d, p.d, p.d+p.M)
}

// solveTriangle solves TV = C for an upper triangle T, in place, with its columns scaled
// to length 1. If T is singular, V is the least squares solution with the shortest
// weights.
func (p *problem) solveTriangle(T, C *mat.Dense) (V *mat.Dense, rank int, ok bool) {
	lengths := unitColumns(T)
	if !allFinite(T) || !allFinite(C) {
		return nil, 0, false
	}
	raw := T.RawMatrix()
	triangle := blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: p.d, Data: raw.Data, Stride: raw.Stride}
	inverse := lapack64.Trcon(lapack.MaxColumnSum, triangle, make([]float64, 3*p.d), make([]int, p.d))
	// inverse estimates the reciprocal condition number in the 1-norm. The ratio of the
	// singular values is at least 1/d of it. The estimate is hardly ever wrong by a
	// factor of 10 (Nicholas Higham, "Accuracy and Stability of Numerical Algorithms",
	// 2002, section 15.3).
	if inverse > 10*float64(p.d)*p.tolerance() {
		blas64.Trsm(blas.Left, blas.NoTrans, 1, triangle, C.RawMatrix())
		p.unscale(C, lengths)
		return C, p.d, true
	}
	var svd mat.SVD
	if !svd.Factorize(T, mat.SVDThin) {
		return nil, 0, false
	}
	var left, right mat.Dense
	svd.UTo(&left)
	svd.VTo(&right)
	values := svd.Values(nil)
	for rank < p.d && values[rank] > p.tolerance()*values[0] {
		rank++
	}
	U := mat.NewDense(p.d, p.M, nil)
	if rank > 0 {
		s := spectrum{values: values[:rank], right: part(&right, 0, p.d, 0, rank), C: mat.NewDense(rank, p.M, nil)}
		s.C.Mul(left.Slice(0, p.d, 0, rank).T(), C)
		if rank == p.d {
			U = s.shortest()
		} else {
			U = s.shortestWeights(p.weightsOf(lengths), 0)
		}
	}
	p.unscale(U, lengths)
	return U, rank, true
}

// unitColumns scales the columns of A to length 1 and returns their lengths. Columns of 0
// stay as they are.
func unitColumns(A *mat.Dense) (lengths []float64) {
	_, d := A.Dims()
	lengths = make([]float64, d)
	for j := range d {
		column := A.ColView(j).(*mat.VecDense)
		if lengths[j] = mat.Norm(column, 2); lengths[j] > 0 {
			// 1/length may overflow, so divide.
			for i := range column.Len() {
				column.SetVec(i, column.AtVec(i)/lengths[j])
			}
		}
	}
	return lengths
}

// unscale turns the coefficients U of columns of length 1 into those of the columns
// before scaling, given their lengths. Columns of length 0 get coefficients of 0.
func (p *problem) unscale(U *mat.Dense, lengths []float64) {
	for j, length := range lengths {
		if length == 0 {
			clear(U.RawRowView(j))
			continue
		}
		for k, v := range U.RawRowView(j) {
			U.Set(j, k, v/length)
		}
	}
}

// weightsOf returns the factors that turn coefficients of columns of length 1 into
// weights of X: +Inf for a column of 0.
func (p *problem) weightsOf(lengths []float64) []float64 {
	return floats.DivTo(make([]float64, p.d), p.unit, lengths)
}
