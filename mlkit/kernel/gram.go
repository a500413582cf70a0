package kernel

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// Gram returns the n×n Gram matrix Gᵢⱼ = k(xᵢ, xⱼ) of the rows of X (n×d). Only one
// triangle is evaluated, so G is exactly symmetric. For a kernel from outside this
// package Gram also evaluates the other triangle and returns an error if two values
// differ by more than 1e-9 of the larger.
//
// With 2000 samples or more, values of a Polynomial differ from Eval's by the rounding
// error of inner products, and those of an RBF by that of ‖x‖² + ‖z‖² - 2x·z, about
// 10⁻¹⁶γ(‖x‖² + ‖z‖²).
//
// Gram also returns an error if k or X is invalid, if k is not finite at a pair of rows,
// or if X has more than 65,536 rows: G takes 8n² bytes, 32 GiB for that many.
func Gram(k Kernel, X *mat.Dense) (*mat.SymDense, error) {
	return GramContext(context.Background(), k, X)
}

// GramContext is Gram with a context. It returns the context's error soon after ctx is
// done.
func GramContext(ctx context.Context, k Kernel, X *mat.Dense) (*mat.SymDense, error) {
	if err := checkBoth(k, X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if n > maxGram {
		return nil, fmt.Errorf("kernel: a Gram matrix of %d rows, want at most %d; take some of the rows, or map them by kernelized.Nystroem or kernelized.Fourier", n, maxGram)
	}
	data, err := eigen.Zeros(ctx, n*n)
	if err != nil {
		return nil, err
	}
	G := mat.NewSymDense(n, data)
	raw := G.RawSymmetric()
	own := isOwn(k)
	f, together := OfProducts(k)
	if together = together && n >= gram.SymmetricFrom; together {
		if err := gram.Symmetric(ctx, gram.Function(f), G, d, X.RawRowView); err != nil {
			return nil, err
		}
	}
	rest := func(from, to int) error {
		for i := from; i < to; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			row := raw.Data[i*raw.Stride+i : i*raw.Stride+n]
			if err := finish(row, k, X, i, together, own); err != nil {
				return err
			}
		}
		return nil
	}
	if own {
		err = work.Divide(n, 1).Do(func(_, from, to int) error { return rest(from, to) })
	} else {
		err = rest(0, n) // somebody else's Eval may not be for several goroutines
	}
	if err != nil {
		return nil, err
	}
	return G, nil
}

// finish computes what is missing in row i of a Gram matrix, from the diagonal on, and checks
// the row. together is whether gram.Symmetric has computed the rest, own is whether k is
// known to be symmetric.
func finish(row []float64, k Kernel, X *mat.Dense, i int, together, own bool) error {
	x := X.RawRowView(i)
	if together {
		row[0] = k.Eval(x, x)
	} else {
		rowFrom(row, k, x, X, i)
	}
	for j, v := range row {
		if together && !check.Finite(v) {
			// The squares overflowed; the difference may not.
			v = k.Eval(x, X.RawRowView(i+j))
			row[j] = v
		}
		if !check.Finite(v) {
			return fmt.Errorf("kernel: k(X[%d], X[%d]) = %v, want a finite number; scale X", i, i+j, v)
		}
		if own || j == 0 {
			continue
		}
		if u := k.Eval(X.RawRowView(i+j), x); !(math.Abs(u-v) <= 1e-9*math.Max(math.Abs(u), math.Abs(v))) {
			return fmt.Errorf("kernel: k(X[%d], X[%d]) = %v but k(X[%d], X[%d]) = %v, want a symmetric function", i, i+j, v, i+j, i, u)
		}
	}
	return nil
}

// maxGram is the largest order of a Gram matrix.
const maxGram = 1 << 16

// Cross returns the n×m matrix of k between the rows of X (n×d) and those of Z (m×d). It
// returns Gram's errors for invalid k, X and Z, and an error if X and Z differ in columns
// or nm exceeds 2³².
func Cross(k Kernel, X, Z *mat.Dense) (*mat.Dense, error) {
	if err := checkBoth(k, X); err != nil {
		return nil, err
	}
	if err := checkBoth(k, Z); err != nil {
		return nil, fmt.Errorf("%w (in Z, the second argument)", err)
	}
	n, d := X.Dims()
	m, e := Z.Dims()
	if d != e {
		return nil, fmt.Errorf("kernel: Z has %d columns, want %d as X has", e, d)
	}
	if float64(n)*float64(m) > maxGram*maxGram {
		return nil, fmt.Errorf("kernel: the values of k are a %d×%d matrix, want at most 2³² numbers, 32 GiB; take fewer rows at a time", n, m)
	}
	G := rows.NewDense(n, m)
	for i := range n {
		row := Row(G.RawRowView(i), k, X.RawRowView(i), Z)
		for j, v := range row {
			if !check.Finite(v) {
				return nil, fmt.Errorf("kernel: k(X[%d], Z[%d]) = %v, want a finite number; scale X and Z", i, j, v)
			}
		}
	}
	return G, nil
}

// Row sets dst[i] to k(x, xᵢ) for each row xᵢ of X (n×d) and returns dst, a new slice if
// dst is nil. The values equal Eval's bit for bit, but Linear, Polynomial and RBF are
// faster. It panics unless x has length d and dst length n.
func Row(dst []float64, k Kernel, x []float64, X *mat.Dense) []float64 {
	n, d := X.Dims()
	if len(x) != d {
		panic("kernel: x is not as long as a row of X")
	}
	if dst == nil {
		dst = make([]float64, n)
	}
	if len(dst) != n {
		panic("kernel: dst does not have one element for each row of X")
	}
	rowFrom(dst, k, x, X, 0)
	return dst
}

// rowFrom sets dst[i] to k(x, x₍from+i₎).
func rowFrom(dst []float64, k Kernel, x []float64, X *mat.Dense, from int) {
	raw := X.RawMatrix()
	row := func(i int) []float64 {
		start := (from + i) * raw.Stride
		return raw.Data[start : start+raw.Cols]
	}
	switch k := k.(type) {
	case Any:
		rowFrom(dst, k.Kernel, x, X, from)
	case Linear:
		for i := range dst {
			dst[i] = floats.Dot(x, row(i))
		}
	case Polynomial:
		gamma, degree := cmp.Or(k.Gamma, 1), k.degree()
		for i := range dst {
			dst[i] = power(gamma*floats.Dot(x, row(i))+k.Coef0, degree)
		}
	case RBF:
		gamma := cmp.Or(k.Gamma, 0.5)
		for i := range dst {
			dst[i] = math.Exp(-gamma * squaredDistance(x, row(i)))
		}
	default:
		for i := range dst {
			dst[i] = k.Eval(x, row(i))
		}
	}
}

// checkBoth checks k and X, and that X is in the domain of k.
func checkBoth(k Kernel, X *mat.Dense) error {
	if err := Check(k); err != nil {
		return err
	}
	if err := check.Samples("kernel", X); err != nil {
		return err
	}
	return CheckSamples(k, X)
}

// isOwn reports whether k consists only of this package's kernels, which are exactly
// symmetric.
func isOwn(k Kernel) bool {
	switch k := k.(type) {
	case Linear, Polynomial, Sigmoid, RBF, Laplace, Chi2:
		return true
	case Sum:
		return allOwn(k)
	case Product:
		return allOwn(k)
	case Scaled:
		return k.Kernel == nil || isOwn(k.Kernel)
	case Any:
		return isOwn(k.Kernel)
	}
	return false
}

func allOwn(ks []Kernel) bool {
	for _, k := range ks {
		if !isOwn(k) {
			return false
		}
	}
	return true
}
