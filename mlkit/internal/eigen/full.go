package eigen

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
)

// Full returns all eigenpairs of A (n×n), largest eigenvalue first. vectors[i] belongs
// to values[i], has length 1 and is oriented as by Orient. The residuals ‖Av - λv‖ are
// of the order of n·ε·‖A‖, whatever the rank and the scale of A. Full takes O(n³) time.
// It returns an error if an element of A is not finite. If ctx is done, it returns
// ctx.Err() soon after, however large n is.
//
// Householder reflections reduce A to tridiagonal form (Gene Golub and Charles Van
// Loan, Matrix Computations, 4th edition, 2013, section 8.3.1), which the implicit QL
// algorithm diagonalises (A. Dubrulle, R. S. Martin and J. H. Wilkinson, "The implicit
// QL algorithm", Numerische Mathematik 12, 1968).
//
// gonum's mat.EigenSym is no substitute. From 500 rows on it takes 3 to 5 times as long, and
// 6 to 10 times as long at low rank (BenchmarkFull, with AVX2 or AVX-512). It can't be interrupted.
// Where a matrix falls into blocks of very different scales, its Dsteqr returns wrong
// values without an error.
func Full(ctx context.Context, A *mat.SymDense) (values []float64, vectors [][]float64, err error) {
	n := A.SymmetricDim()
	t := &tridiagonal{ctx: ctx, n: n, d: make([]float64, n), e: make([]float64, n)}
	a, err := Zeros(ctx, n*n)
	if err != nil {
		return nil, nil, err
	}
	raw := A.RawSymmetric()
	largest := 0.0
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		row := a[i*n+i : (i+1)*n]
		copy(row, raw.Data[i*raw.Stride+i:])
		for _, v := range row {
			largest = math.Max(largest, math.Abs(v)) // math.Max returns NaN if v is NaN
		}
	}
	if !(largest <= math.MaxFloat64) {
		return nil, nil, errors.New("eigen: the matrix has an element that is not finite")
	}
	// Scale by a power of two, which is exact, so that the largest element is about 1.
	_, exponent := math.Frexp(largest)
	for i := range n {
		row := a[i*n+i : (i+1)*n]
		for j, v := range row {
			row[j] = math.Ldexp(v, -exponent)
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
	}
	if err := t.reduce(a); err != nil {
		return nil, nil, err
	}
	if err := t.diagonalise(); err != nil {
		return nil, nil, err
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(t.d[j], t.d[i]) })
	for _, i := range order {
		v := t.vectors.row(i)
		Orient(v)
		values = append(values, math.Ldexp(t.d[i], exponent))
		vectors = append(vectors, v)
	}
	return values, vectors, nil
}

// tridiagonal is the matrix T = QᵀAQ with diagonal d and off-diagonal e.
type tridiagonal struct {
	ctx  context.Context
	n    int
	d, e []float64 // e[i] = T[i][i+1]; the last is 0

	vectors *rotated // Qᵀ, whose rows become the eigenvectors
}

// reduce computes T and Q from A. It reads the upper triangle of A from a, and
// overwrites a.
func (t *tridiagonal) reduce(a []float64) (err error) {
	n := t.n
	taus, pair := make([]float64, n), make([]float64, 2*n)
	for k := range n {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		t.d[k] = a[k*n+k]
		v := a[k*n+k+1 : (k+1)*n]
		if len(v) == 0 {
			continue
		}
		t.e[k] = v[0]
		if len(v) == 1 || floats.Norm(v[1:], math.Inf(1)) <= tiny {
			continue
		}
		// H = I - τvvᵀ maps the rest of the row to (β, 0, …).
		beta := -math.Copysign(floats.Norm(v, 2), v[0])
		taus[k] = (beta - v[0]) / beta
		floats.Scale(1/(v[0]-beta), v)
		v[0], t.e[k] = 1, beta
		// HBH = B - vwᵀ - wvᵀ with w = p - τ(p·v)v/2 and p = τBv
		B := a[(k+1)*n+k+1:]
		copy(pair, v)
		w := pair[n:][:len(v)]
		simd.SymmetricMul(w, B, n, v)
		floats.Scale(taus[k], w)
		simd.AddScaled(w, -taus[k]/2*simd.Dot(w, v), v)
		// At 5000 rows each of these products takes some 30 ms, so check ctx within
		// them.
		for i := range v {
			if i%1024 == 0 {
				if err := t.ctx.Err(); err != nil {
					return err
				}
			}
			simd.Combine(B[i*n+i:i*n+len(v)], pair[i:], n, []float64{-w[i], -v[i]})
		}
	}
	// Qᵀ = …H₁H₀, starting from the last reflection: each step then works only on the
	// part of Qᵀ that is no longer the identity.
	if t.vectors, err = newRotated(t.ctx, n); err != nil {
		return err
	}
	q, stride := t.vectors.q, t.vectors.stride
	for k := n - 1; k >= 0; k-- {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		t.vectors.row(k)[k] = 1
		if taus[k] == 0 {
			continue
		}
		v := a[k*n+k+1 : (k+1)*n]
		// r ← r - τ(r·v)v for each row r, eight rows at a time, so that they stay in the cache.
		for i := 0; i < len(v); i += 8 {
			if i%1024 == 0 {
				if err := t.ctx.Err(); err != nil {
					return err
				}
			}
			at, u := (k+1+i)*stride+k+1, pair[:min(8, len(v)-i)]
			simd.Products(u, q[at:], stride, v)
			for r, product := range u {
				simd.Axpy(q[at+r*stride:][:len(v)], -taus[k]*product, v)
			}
		}
	}
	return nil
}
