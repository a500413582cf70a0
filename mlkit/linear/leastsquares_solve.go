package linear

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/abandon"
)

// leastSquaresSolution is the solution for M targets.
type leastSquaresSolution struct {
	W         [][]float64 // M×d
	B         []float64
	rank      int
	mse       []float64
	residual  float64 // the largest |y - b|, where cancelled
	cancelled error   // of the context, or nil
}

// extendedRows gives the rows (x, c, y) of a problem, block by block.
type extendedRows struct {
	X      *mat.Dense
	c      float64 // 0 for no constant
	target func(dst []float64, i int)
	n, d   int
	p      int // d, and 1 for the constant
	M      int
}

// row sets dst, of length p + M, to row i.
func (e extendedRows) row(dst []float64, i int) {
	copy(dst, e.X.RawRowView(i))
	if e.p > e.d {
		dst[e.d] = e.c
	}
	e.target(dst[e.p:], i)
}

// solve solves the least squares problem of X with M targets; target sets dst to
// those of row i.
func (l LeastSquares) solve(ctx context.Context, name string, X *mat.Dense, M int, target func(dst []float64, i int)) (*leastSquaresSolution, error) {
	n, d := X.Dims()
	e := extendedRows{X: X, c: math.Sqrt(l.Bias.constant(X)), target: target, n: n, d: d, p: d, M: M}
	if l.Bias != ThroughOrigin {
		e.p++
		// With a ridge the solution is unique whatever the constant, and digits
		// are lost if its column is short beside the ridge's.
		e.c = max(e.c, math.Sqrt(l.Ridge/float64(n)))
	}
	method := e.byPseudoinverse
	if l.Method == ByNormalEquations {
		method = e.byNormalEquations
	}
	W, rank, err := method(ctx, l, name) // W is p×M
	s := &leastSquaresSolution{W: make([][]float64, M), B: make([]float64, M), rank: rank}
	switch {
	case ctx.Err() != nil:
		s.cancelled = ctx.Err()
		s.means(e)
	case err != nil:
		return nil, err
	default:
		for k := range M {
			w := mat.Col(nil, k, W)
			if e.p > d {
				s.B[k] = w[d] * e.c
			}
			s.W[k] = w[:d:d]
		}
		s.mse = meanSquares(s.W, s.B, X, target)
	}
	for k, v := range s.mse {
		if !finite(v) || !finite(s.B[k]) {
			return nil, fmt.Errorf("linear: %s: the errors overflow, want elements of X and y nearer to 1; scale them", name)
		}
	}
	return s, nil
}

// means sets what is known before the equations are solved: W = 0 and, unless
// through the origin, b the mean of the targets.
func (s *leastSquaresSolution) means(e extendedRows) {
	s.rank, s.mse = 0, make([]float64, e.M)
	for k := range s.W {
		s.W[k] = make([]float64, e.d)
	}
	y := make([]float64, e.M)
	for i := range e.n {
		if e.target(y, i); e.p > e.d {
			floats.AddScaled(s.B, 1/float64(e.n), y)
		}
	}
	for i := range e.n {
		e.target(y, i)
		for k, v := range y {
			v -= s.B[k]
			s.mse[k] += v * v / float64(e.n)
			s.residual = math.Max(s.residual, math.Abs(v))
		}
	}
}

// interrupted returns the error of a fit that the context has ended, or nil.
func (s *leastSquaresSolution) interrupted(name string, model any) error {
	if s.cancelled == nil {
		return nil
	}
	return &mlkit.NotConvergedError{
		Algorithm: "linear: " + name,
		Residual:  s.residual,
		Reason:    fmt.Sprintf("%v; nothing but b is learnt, the equations are not solved", s.cancelled),
		Model:     model,
		Err:       s.cancelled,
	}
}

// byPseudoinverse returns the shortest W with the smallest sum of error squares, and
// the rank.
func (e extendedRows) byPseudoinverse(ctx context.Context, l LeastSquares, name string) (W *mat.Dense, rank int, err error) {
	A, C, err := e.reduce(ctx, l)
	if err != nil {
		return nil, 0, err
	}
	ok := false
	if err := abandon.Run(ctx, func() { W, rank, ok = shortest(A, C, l.Tolerance, e.n) }); err != nil {
		return nil, 0, err
	}
	if !ok {
		return nil, 0, fmt.Errorf("linear: %s: the solution is out of range, want elements of X and y nearer to 1; scale them", name)
	}
	return W, rank, nil
}

// reduce returns A and C with ‖C - AW‖² the sum of error squares, but for a
// constant, and A of p rows at most. To the rows of the problem those are added
// that make the ridge, √λ in the column of one weight each.
//
// A tall problem is reduced by reflections, which change no length: those rows
// looked at so far are always a triangle, to which a block of rows is added and
// reflected into it (Gene Golub and Charles Van Loan, "Matrix Computations",
// section 6.5, on updating a QR factorization). The triangle is 0 below its
// diagonal, so the reflections are 0 there as well, and leave it so.
func (e extendedRows) reduce(ctx context.Context, l LeastSquares) (A, C *mat.Dense, err error) {
	all := e.n
	if l.Ridge > 0 {
		all += e.d
	}
	q := e.p + e.M
	if all < e.p {
		work := mat.NewDense(all, q, nil)
		for i := range all {
			e.row(work.RawRowView(i), i)
		}
		return part(work, 0, all, 0, e.p), part(work, 0, all, e.p, q), nil
	}
	size := max(256, q) // rows in a block
	work := mat.NewDense(q+min(size, all), q, nil)
	tau := make([]float64, q)
	optimal := make([]float64, 1)
	lapack64.Geqrf(work.RawMatrix(), tau, optimal, -1)
	scratch := make([]float64, int(optimal[0]))
	for first := 0; first < all; first += size {
		last := min(first+size, all)
		for i := first; i < last; i++ {
			row := work.RawRowView(q + i - first)
			if i < e.n {
				e.row(row, i)
				continue
			}
			clear(row)
			row[i-e.n] = math.Sqrt(l.Ridge)
		}
		block := work.Slice(0, q+last-first, 0, q).(*mat.Dense)
		if err := abandon.Run(ctx, func() { lapack64.Geqrf(block.RawMatrix(), tau, scratch, len(scratch)) }); err != nil {
			return nil, nil, err
		}
	}
	return part(work, 0, e.p, 0, e.p), part(work, 0, e.p, e.p, q), nil
}

// part returns a copy of rows i to j and columns k to l of A.
func part(A *mat.Dense, i, j, k, l int) *mat.Dense { return mat.DenseCopyOf(A.Slice(i, j, k, l)) }

// byNormalEquations returns the solution of (XᵀX + λI)W = XᵀY, and its rank p.
func (e extendedRows) byNormalEquations(ctx context.Context, l LeastSquares, name string) (W *mat.Dense, rank int, err error) {
	XtX, XtY, err := e.normalEquations(ctx)
	if err != nil {
		return nil, 0, err
	}
	var failure error
	if err := abandon.Run(ctx, func() { W, failure = e.solveNormal(XtX, XtY, l, name) }); err != nil {
		return nil, 0, err
	}
	return W, e.p, failure
}

// solveNormal solves the normal equations, in the place of XᵀX and XᵀY.
func (e extendedRows) solveNormal(XtX *mat.SymDense, XtY *mat.Dense, l LeastSquares, name string) (*mat.Dense, error) {
	for j := range e.d {
		XtX.SetSym(j, j, XtX.At(j, j)+l.Ridge)
	}
	// Columns scaled to length 1 change the solution by known factors, and the
	// condition number becomes one that the units of the columns have no part in.
	scale := make([]float64, e.p)
	for j := range scale {
		v := XtX.At(j, j)
		if !finite(v) {
			return nil, fmt.Errorf("linear: %s: XᵀX overflows, want elements of X nearer to 1; scale X", name)
		}
		if v == 0 {
			return nil, fmt.Errorf("linear: %s: XᵀX is singular, since column %d of X is 0, want independent columns; leave it out, or use ByPseudoinverse", name, j)
		}
		scale[j] = 1 / math.Sqrt(v)
	}
	for j := range e.p {
		for k := j; k < e.p; k++ {
			XtX.SetSym(j, k, XtX.At(j, k)*scale[j]*scale[k])
		}
		for k := range e.M {
			XtY.Set(j, k, XtY.At(j, k)*scale[j])
		}
	}
	const worst = 1e14 // of which 2 digits would be left
	var cholesky mat.Cholesky
	if !cholesky.Factorize(XtX) || !(cholesky.Cond() < worst) {
		return nil, fmt.Errorf("linear: %s: XᵀX is singular, or nearly so, want independent columns of X, without a constant one beside the bias; leave some out, or use ByPseudoinverse or Ridge", name)
	}
	W := mat.NewDense(e.p, e.M, nil)
	// The error is of a condition number, and that was looked at.
	_ = cholesky.SolveTo(W, XtY)
	for j := range e.p {
		for k := range e.M {
			W.Set(j, k, W.At(j, k)*scale[j])
		}
	}
	if !allFinite(W) {
		return nil, fmt.Errorf("linear: %s: the solution is out of range, want elements of X and y nearer to 1; scale them", name)
	}
	return W, nil
}

// normalEquations returns XᵀX (p×p) and XᵀY (p×M) of the extended samples.
func (e extendedRows) normalEquations(ctx context.Context) (XtX *mat.SymDense, XtY *mat.Dense, err error) {
	q := e.p + e.M
	const size = 256 // rows in a block
	work := mat.NewDense(min(size, e.n), q, nil)
	sum := mat.NewSymDense(q, nil)
	for first := 0; first < e.n; first += size {
		last := min(first+size, e.n)
		for i := first; i < last; i++ {
			e.row(work.RawRowView(i-first), i)
		}
		if err := abandon.Run(ctx, func() { sum.SymRankK(sum, 1, work.Slice(0, last-first, 0, q).T()) }); err != nil {
			return nil, nil, err
		}
	}
	XtX, XtY = mat.NewSymDense(e.p, nil), mat.NewDense(e.p, e.M, nil)
	for j := range e.p {
		for k := j; k < q; k++ {
			if k < e.p {
				XtX.SetSym(j, k, sum.At(j, k))
			} else {
				XtY.Set(j, k-e.p, sum.At(j, k))
			}
		}
	}
	return XtX, XtY, nil
}

// NormalEquations returns XᵀX and Xᵀy of the rows of X (n×d), each extended by the
// constant of the bias as its last element, and the targets y[i] (Theodoridis, "Sum
// of Error Squares Estimation"): (d+1)×(d+1) and d+1 numbers, or d×d and d
// ThroughOrigin. Labels -1 and +1 are targets as well. The error names what is
// wrong with X or y.
func NormalEquations(X *mat.Dense, y []float64, bias Bias) (XtX *mat.SymDense, Xty *mat.VecDense, err error) {
	l := LeastSquares{Bias: bias}
	if err := l.check("LeastSquares", X); err != nil {
		return nil, nil, err
	}
	n, d := X.Dims()
	if err := checkTargets(n, y); err != nil {
		return nil, nil, err
	}
	e := extendedRows{X: X, c: math.Sqrt(bias.constant(X)), target: func(dst []float64, i int) { dst[0] = y[i] }, n: n, d: d, p: d, M: 1}
	if bias != ThroughOrigin {
		e.p++
	}
	XtX, XtY, err := e.normalEquations(context.Background())
	if err != nil {
		return nil, nil, err
	}
	return XtX, mat.VecDenseCopyOf(XtY.ColView(0)), nil
}
