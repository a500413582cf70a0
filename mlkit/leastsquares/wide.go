package leastsquares

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// wide solves a problem with fewer rows than unknowns, by Householder reflections Zᵀ = QR
// and the singular values of R (n×n).
func (p *problem) wide(ctx context.Context) (*fit, error) {
	Z, C, err := p.centred(ctx)
	if err != nil {
		return nil, err
	}
	f, ok := new(fit), false
	if err := work.Run(ctx, func() { f.V, f.rank, ok = p.solveWide(Z, C) }); err != nil {
		return nil, err
	}
	if !ok {
		return nil, p.outOfRange()
	}
	f.rank += p.c
	return f, nil
}

// centred returns the samples √s·z and their targets, centred if there is a bias.
func (p *problem) centred(ctx context.Context) (Z, Y *mat.Dense, err error) {
	Z, Y = rows.NewDense(p.n, p.d), mat.NewDense(p.n, p.M, nil)
	for i := range p.n {
		if i%work.Chunk == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		p.row(Z.RawRowView(i), i)
		p.targets(Y.RawRowView(i), i)
	}
	p.subtractMeans(Z)
	p.subtractMeans(Y)
	return Z, Y, nil
}

func (p *problem) solveWide(Z, C *mat.Dense) (V *mat.Dense, rank int, ok bool) {
	QR := mat.DenseCopyOf(Z.T())
	lengths := make([]float64, p.d)
	for j := range p.d {
		row := QR.RawRowView(j)
		if norm := floats.Norm(row, 2); p.idle(j, norm) {
			clear(row)
		} else {
			lengths[j] = norm
			floats.Scale(1/norm, row)
		}
	}
	tau, optimal := make([]float64, p.n), make([]float64, 1)
	lapack64.Geqrf(QR.RawMatrix(), tau, optimal, -1)
	lapack64.Geqrf(QR.RawMatrix(), tau, make([]float64, int(optimal[0])), int(optimal[0]))
	R := mat.NewDense(p.n, p.n, nil)
	for i := range p.n {
		copy(R.RawRowView(i)[i:], QR.RawRowView(i)[i:])
	}
	var svd mat.SVD
	if !allFinite(R) || !allFinite(C) || !svd.Factorize(R, mat.SVDThin) {
		return nil, 0, false
	}
	values := svd.Values(nil)
	for rank < p.n && values[rank] > p.tolerance()*values[0] {
		rank++
	}
	U := mat.NewDense(p.d, p.M, nil)
	if rank > 0 {
		// R = LΣNᵀ, so Z = RᵀQᵀ = NΣ(QL)ᵀ.
		var L, N mat.Dense
		svd.UTo(&L)
		svd.VTo(&N)
		s := spectrum{values: values[:rank], right: mat.NewDense(p.d, rank, nil), C: mat.NewDense(rank, p.M, nil)}
		s.right.Slice(0, p.n, 0, rank).(*mat.Dense).Copy(L.Slice(0, p.n, 0, rank))
		lapack64.Ormqr(blas.Left, blas.NoTrans, QR.RawMatrix(), tau, s.right.RawMatrix(), optimal, -1)
		lapack64.Ormqr(blas.Left, blas.NoTrans, QR.RawMatrix(), tau, s.right.RawMatrix(), make([]float64, int(optimal[0])), int(optimal[0]))
		s.C.Mul(N.Slice(0, p.n, 0, rank).T(), C)
		for j, length := range lengths {
			if length == 0 {
				clear(s.right.RawRowView(j))
			}
		}
		factor, ridge := p.weightsOf(lengths), p.Lambda
		if math.Sqrt(ridge)*largestFinite(factor) <= p.tolerance()*values[0] {
			ridge = 0 // negligible beside Z
		}
		U = s.shortestWeights(factor, ridge)
		if ridge > 0 {
			rank = p.d
		}
	} else if p.Lambda > 0 {
		rank = p.d
	}
	p.unscale(U, lengths)
	return U, rank, true
}

func largestFinite(v []float64) float64 {
	largest := 0.0
	for _, x := range v {
		if x <= math.MaxFloat64 {
			largest = max(largest, x)
		}
	}
	return largest
}
