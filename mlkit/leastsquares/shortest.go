package leastsquares

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// spectrum is a least squares problem given by its nonzero singular values: U is a
// solution if diag(values)·rightᵀU = C.
type spectrum struct {
	values []float64  // r numbers
	right  *mat.Dense // d×r, with orthonormal columns
	C      *mat.Dense // r×M
}

// shortest returns the shortest solution, right·diag(1/values)·C.
func (s spectrum) shortest() *mat.Dense {
	var U mat.Dense
	U.Mul(s.right, s.projection())
	return &U
}

// projection returns diag(1/values)·C, which is rightᵀU for every solution U.
func (s spectrum) projection() *mat.Dense {
	P := mat.DenseCopyOf(s.C)
	for k, v := range s.values {
		row := P.RawRowView(k)
		for m := range row {
			row[m] /= v
		}
	}
	return P
}

// shortestWeights returns the solution U with the smallest Σ (factor[j]·Uⱼ)². With a
// ridge λ > 0 it returns the U that minimises
// ‖diag(values)·rightᵀU - C‖² + λ Σ (factor[j]·Uⱼ)². Where a factor is +Inf, Uⱼ is 0 and
// right has a row of 0.
//
// Let D = diag(least factor/factor), U = Dx and D·right = QR. The shortest x with
// rightᵀDx = P is x = Qt with Rᵀt = P. Sorting the rows of D·right by size and pivoting
// its columns keeps the digits of small rows beside large ones (Anthony Cox and Nicholas
// Higham, "Stability of Householder QR factorization for weighted least squares
// problems", 1998).
func (s spectrum) shortestWeights(factor []float64, ridge float64) *mat.Dense {
	d, r := s.right.Dims()
	_, M := s.C.Dims()
	least := floats.Min(factor)
	D, order := make([]float64, d), make([]int, d)
	for j, f := range factor {
		D[j], order[j] = least/f, j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(D[b], D[a]) })
	Q := mat.NewDense(d, r, nil)
	for i, j := range order {
		floats.ScaleTo(Q.RawRowView(i), D[j], s.right.RawRowView(j))
	}
	exchanged, tau, optimal := slices.Repeat([]int{-1}, r), make([]float64, r), make([]float64, 1)
	lapack64.Geqp3(Q.RawMatrix(), exchanged, tau, optimal, -1)
	lapack64.Geqp3(Q.RawMatrix(), exchanged, tau, make([]float64, int(optimal[0])), int(optimal[0]))
	raw := Q.RawMatrix()
	R := blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: r, Data: raw.Data, Stride: raw.Stride}
	// times returns DQt.
	times := func(t *mat.Dense) *mat.Dense {
		x, U := mat.NewDense(d, M, nil), mat.NewDense(d, M, nil)
		x.Slice(0, r, 0, M).(*mat.Dense).Copy(t)
		lapack64.Ormqr(blas.Left, blas.NoTrans, raw, tau, x.RawMatrix(), optimal, -1)
		lapack64.Ormqr(blas.Left, blas.NoTrans, raw, tau, x.RawMatrix(), make([]float64, int(optimal[0])), int(optimal[0]))
		for i, j := range order {
			floats.ScaleTo(U.RawRowView(j), D[j], x.RawRowView(i))
		}
		return U
	}
	if ridge > 0 {
		return times(s.penalised(Q, exchanged, ridge*least*least))
	}
	P, U := s.projection(), mat.NewDense(d, M, nil)
	left := mat.DenseCopyOf(P)
	for range 2 { // the second time corrects the rounding error of the first
		t := mat.NewDense(r, M, nil)
		for i, k := range exchanged {
			copy(t.RawRowView(i), left.RawRowView(k))
		}
		blas64.Trsm(blas.Left, blas.Trans, 1, R, t.RawMatrix())
		U.Add(U, times(t))
		left.Mul(s.right.T(), U)
		left.Sub(P, left)
	}
	if !allFinite(U) || mat.Norm(left, 2) > 1e-12*mat.Norm(P, 2) {
		return s.shortest() // the units are too far apart for a float64 to hold their ratio
	}
	return U
}

// penalised returns the t (r×M) that minimises ‖diag(values)·ERᵀt - C‖² + λ‖t‖², for the
// triangle R in QR and the permutation E of its columns.
func (s spectrum) penalised(QR *mat.Dense, exchanged []int, ridge float64) *mat.Dense {
	r, M := s.C.Dims()
	work := mat.NewDense(2*r, r+M, nil)
	for i, k := range exchanged {
		work.Set(i, i, math.Sqrt(ridge))
		for j := range i + 1 {
			work.Set(r+k, j, s.values[k]*QR.At(j, i))
		}
		copy(work.RawRowView(r + k)[r:], s.C.RawRowView(k))
	}
	lengths := unitColumns(work.Slice(0, 2*r, 0, r).(*mat.Dense))
	reflector(work)(work)
	raw := work.RawMatrix()
	T := blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: r, Data: raw.Data, Stride: raw.Stride}
	t := part(work, 0, r, r, r+M)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, T, t.RawMatrix())
	for i, length := range lengths {
		floats.Scale(1/length, t.RawRowView(i))
	}
	return t
}
