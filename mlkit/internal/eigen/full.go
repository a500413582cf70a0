package eigen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Full returns all eigenpairs of A, n×n, the largest eigenvalue first; vectors[i] has
// length 1, belongs to values[i] and is oriented as by Orient. The residuals ‖Av - λv‖
// are of the order n·ε·‖A‖, whatever the rank and the scale of A. It takes O(n³) time,
// and returns the context's error soon after ctx is done, whatever n is.
//
// A becomes tridiagonal by Householder's reflections (Gene Golub and Charles Van
// Loan, Matrix Computations, 4th edition, 2013, section 8.3.1), and that diagonal by
// the implicit QL algorithm (A. Dubrulle, R. S. Martin and J. H. Wilkinson, "The
// implicit QL algorithm", Numerische Mathematik 12, 1968). An element of A that is
// not finite is an error.
//
// gonum's mat.EigenSym does not replace it: from 200 rows on it takes 1.4 to 2.4 times
// as long (BenchmarkFull), it can't be interrupted, and its Dsteqr returns wrong values
// without an error where a matrix falls into blocks of very different scales.
func Full(ctx context.Context, A *mat.SymDense) (values []float64, vectors [][]float64, err error) {
	n := A.SymmetricDim()
	t := &tridiagonal{ctx: ctx, n: n, d: make([]float64, n), e: make([]float64, n), rows: make([][]float64, n)}
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
			largest = math.Max(largest, math.Abs(v)) // which keeps a NaN
		}
	}
	if !(largest <= math.MaxFloat64) {
		return nil, nil, errors.New("eigen: the matrix has an element that is not finite")
	}
	// A power of two makes the largest element about 1, without rounding.
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
		Orient(t.rows[i])
		values = append(values, math.Ldexp(t.d[i], exponent))
		vectors = append(vectors, t.rows[i])
	}
	return values, vectors, nil
}

// tridiagonal is the matrix T = QᵀAQ with the diagonal d and, beside it, e.
type tridiagonal struct {
	ctx  context.Context
	n    int
	d, e []float64   // e[i] links i and i+1; the last is 0
	rows [][]float64 // Qᵀ
}

// reduce makes T of A, of which a has the upper triangle, and overwrites it.
func (t *tridiagonal) reduce(a []float64) error {
	n := t.n
	taus, p := make([]float64, n), make([]float64, n)
	vector := func(data []float64) blas64.Vector { return blas64.Vector{N: len(data), Data: data, Inc: 1} }
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
		B := blas64.Symmetric{N: len(v), Stride: n, Data: a[(k+1)*n+k+1:], Uplo: blas.Upper}
		w := p[:len(v)]
		blas64.Symv(taus[k], B, vector(v), 0, vector(w))
		floats.AddScaled(w, -taus[k]/2*floats.Dot(w, v), v)
		// Of 5000 rows each product takes some 30 ms.
		for i := range v {
			if i%1024 == 0 {
				if err := t.ctx.Err(); err != nil {
					return err
				}
			}
			row := B.Data[i*n+i : i*n+len(v)]
			floats.AddScaled(row, -v[i], w[i:])
			floats.AddScaled(row, -w[i], v[i:])
		}
	}
	// Qᵀ = …H₁H₀, from the last on, so that each step has to do with the part
	// of it that is not that of the identity.
	q, err := Zeros(t.ctx, n*n)
	if err != nil {
		return err
	}
	for k := n - 1; k >= 0; k-- {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		t.rows[k] = q[k*n : (k+1)*n : (k+1)*n]
		t.rows[k][k] = 1
		if taus[k] == 0 {
			continue
		}
		v := a[k*n+k+1 : (k+1)*n]
		R := blas64.General{Rows: len(v), Cols: len(v), Stride: n, Data: q[(k+1)*n+k+1:]}
		u := p[:len(v)]
		blas64.Gemv(blas.NoTrans, 1, R, vector(v), 0, vector(u))
		if err := t.ctx.Err(); err != nil {
			return err
		}
		blas64.Ger(-taus[k], vector(u), vector(v), R)
	}
	return nil
}

// tiny counts as 0 in a matrix whose largest element is about 1: quotients of numbers
// that are smaller still lose digits, and rotations made of them their orthogonality.
const tiny = 0x1p-960

// diagonalise makes T diagonal and the rows its eigenvectors.
//
// A link is negligible if it is rounding beside the norm of its block, as in the
// procedure tql2 (Hilary Bowdler, R. S. Martin, C. Reinsch and J. H. Wilkinson, "The QR
// and QL algorithms for symmetric matrices", Numerische Mathematik 11, 1968). Its
// neighbours on the diagonal are no measure: of a matrix of low rank they are rounding
// themselves, and each sweep makes new links of their size.
func (t *tridiagonal) diagonalise() error {
	const (
		epsilon  = 0x1p-52
		usual    = 8 // sweeps that an eigenvalue takes at most, nearly always
		patience = usual + 10
	)
	e, norm := t.e, 0.0 // of the block that ends at end
	for low, end := 0, -1; low < t.n; low++ {
		if low > end {
			end, norm = t.block(low)
		}
		for turns := 0; ; turns++ {
			// In a cluster, rounding can make links that are a little above ε‖T‖
			// again and again, so after a while the limit rises.
			negligible := max(math.Ldexp(epsilon*norm, max(0, turns-usual)), tiny)
			high := low
			for high < end && math.Abs(e[high]) > negligible {
				high++
			}
			if high == low {
				break
			}
			if turns == patience {
				return fmt.Errorf("eigen: the eigenvalues of a dense matrix do not converge: link %d = %v of a block of norm %v", low, e[low], norm)
			}
			if err := t.sweep(low, high); err != nil {
				return err
			}
		}
	}
	return nil
}

// block returns the end of the block of T that begins at low, and its largest number:
// blocks are linked by nothing that changes a digit of theirs. It reverses the block if
// its larger numbers stand first, because QL needs fewer sweeps where they stand last.
func (t *tridiagonal) block(low int) (end int, norm float64) {
	const epsilon = 0x1p-52
	d, e := t.d, t.e
	end, norm = low, math.Abs(d[low])
	for end < t.n-1 && math.Abs(e[end]) > max(epsilon*min(math.Abs(d[end]), math.Abs(d[end+1])), tiny) {
		norm = max(norm, math.Abs(e[end]), math.Abs(d[end+1]))
		end++
	}
	if math.Abs(d[low]) > math.Abs(d[end]) {
		slices.Reverse(d[low : end+1])
		slices.Reverse(e[low:end])
		slices.Reverse(t.rows[low : end+1])
	}
	return end, norm
}

// sweep is one step of QL on the block from low to high, with Wilkinson's shift.
func (t *tridiagonal) sweep(low, high int) error {
	d, e := t.d, t.e
	half := (d[low+1] - d[low]) / (2 * e[low])
	g := d[high] - d[low] + e[low]/(half+math.Copysign(math.Hypot(half, 1), half))
	sin, cos, shift := 1.0, 1.0, 0.0
	for i := high - 1; i >= low; i-- {
		if (high-i)%64 == 0 {
			if err := t.ctx.Err(); err != nil {
				return err
			}
		}
		f, b := sin*e[i], cos*e[i]
		r := math.Hypot(f, g)
		if r <= tiny { // the block falls apart here
			d[i+1] -= shift
			e[i+1], e[high] = 0, 0
			return nil
		}
		e[i+1] = r
		sin, cos = f/r, g/r
		g = d[i+1] - shift
		r = (d[i]-g)*sin + 2*cos*b
		shift = sin * r
		d[i+1] = g + shift
		g = cos*r - b
		rotate(t.rows[i], t.rows[i+1], cos, sin)
	}
	d[low] -= shift
	e[low], e[high] = g, 0
	return nil
}

// rotate replaces x by cos·x - sin·y, and y by sin·x + cos·y.
func rotate(x, y []float64, cos, sin float64) {
	y = y[:len(x)]
	for j, a := range x {
		b := y[j]
		x[j], y[j] = cos*a-sin*b, sin*a+cos*b
	}
}
