package discriminant

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
)

// Divisor selects the divisor that turns the sum of squares about class means into a
// covariance.
type Divisor int

const (
	// Unbiased divides by n minus the number of estimated means: n - M for the pooled
	// covariance of M classes, n_k - 1 for that of one class.
	Unbiased Divisor = iota
	// MaximumLikelihood divides by n, or n_k, as scikit-learn does since 1.9. The
	// weights of an LDA are then n/(n - M) times as large, and its probabilities closer
	// to 0 and 1.
	MaximumLikelihood
)

func (d Divisor) String() string {
	switch d {
	case Unbiased:
		return "Unbiased"
	case MaximumLikelihood:
		return "MaximumLikelihood"
	}
	return fmt.Sprintf("Divisor(%d)", int(d))
}

// SingularError is the error of a fit that needs the inverse of a singular covariance
// matrix. The samples do not vary about their class means in Direction.
type SingularError struct {
	Algorithm  string
	Population string    // the samples whose covariance it is
	Rows       int       // upper bound on its rank, from the number of samples
	Direction  []float64 // v of length 1, in columns scaled to variance 1, with v·Σv = 0 to rounding
	Columns    []int     // the columns that Direction involves
}

func (e *SingularError) Error() string {
	how := "a combination of columns %s of X does not vary"
	if len(e.Columns) == 1 {
		how = "column %s of X does not vary"
	}
	names := strings.Fields(strings.Trim(fmt.Sprint(e.Columns), "[]"))
	if len(names) > 8 {
		names = append(names[:8], "…")
	}
	s := fmt.Sprintf("%s: the covariance %s is singular: "+how, e.Algorithm, e.Population, strings.Join(names, ", "))
	if e.Rows < len(e.Direction) {
		s += fmt.Sprintf(", since %d columns are too many for %d degrees of freedom", len(e.Direction), e.Rows)
	}
	return s + "; leave columns out or use Shrinkage"
}

// gaussians holds samples divided into classes, with the estimates that LDA and QDA
// share.
type gaussians struct {
	classes []int       // sorted labels
	index   []int       // of each sample's class
	counts  []int       // samples per class
	priors  []float64   // of each class
	means   [][]float64 // of each class
	centred *mat.Dense  // the samples minus the mean of their class
	size    []float64   // the largest absolute value of each column
}

// newGaussians returns the means and priors of the classes. If the context ends, it
// returns its error along with gaussians whose means are 0.
func newGaussians(ctx context.Context, algorithm string, X *mat.Dense, y []int, priors []float64, divisor Divisor) (*gaussians, error) {
	if divisor != Unbiased && divisor != MaximumLikelihood {
		return nil, fmt.Errorf("discriminant: %s.Divisor = %d, want Unbiased or MaximumLikelihood", algorithm, int(divisor))
	}
	if err := check.Samples("discriminant", X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	classes, index, err := check.Classes("discriminant", n, y)
	if err != nil {
		return nil, err
	}
	M := len(classes)
	g := &gaussians{classes: classes, index: index, counts: make([]int, M), priors: make([]float64, M), means: make([][]float64, M), size: make([]float64, d)}
	for k := range g.means {
		g.means[k] = make([]float64, d)
	}
	for _, k := range index {
		g.counts[k]++
	}
	for k, c := range g.counts {
		g.priors[k] = float64(c) / float64(n)
	}
	if priors != nil {
		if err := checkPriors(algorithm, priors, classes); err != nil {
			return nil, err
		}
		copy(g.priors, priors)
	}
	g.centred = mat.NewDense(n, d, nil)
	// Corrections to the means are summed separately, where the sum is more accurate.
	missing := make([][]float64, M)
	for k := range missing {
		missing[k] = make([]float64, d)
	}
	subtract := func(i, k int) { floats.SubTo(g.centred.RawRowView(i), X.RawRowView(i), g.means[k]) }
	add := func(i, k int) {
		floats.AddScaled(missing[k], 1/float64(g.counts[k]), g.centred.RawRowView(i))
	}
	last := func(i, k int) {
		subtract(i, k)
		for j, v := range X.RawRowView(i) {
			g.size[j] = max(g.size[j], math.Abs(v))
		}
	}
	// Correct the means twice. The mean of equal numbers is then exactly that number,
	// and any other mean is accurate to the last place.
	for _, pass := range []func(i, k int){subtract, add, subtract, add, last} {
		for i, k := range index {
			if i%early.Chunk == 0 && ctx.Err() != nil {
				for _, m := range g.means {
					clear(m)
				}
				return g, ctx.Err()
			}
			pass(i, k)
		}
		for k, v := range missing {
			floats.Add(g.means[k], v)
			clear(v)
		}
	}
	return g, nil
}

// unfinished returns the error of a fit that the context ended. Its model m knows only
// the priors.
func unfinished(algorithm string, cancelled error, n int, m any) error {
	return &mlkit.NotConvergedError{
		Algorithm: "discriminant: " + algorithm,
		Residual:  float64(n),
		Reason:    fmt.Sprintf("%v; nothing but the priors is learnt, the covariance is not computed", cancelled),
		Model:     m,
		Err:       cancelled,
	}
}

func checkPriors(algorithm string, priors []float64, classes []int) error {
	if len(priors) != len(classes) {
		return fmt.Errorf("discriminant: %s.Priors has %d numbers, want %d, one for each class %v", algorithm, len(priors), len(classes), classes)
	}
	for k, p := range priors {
		if !(p > 0 && p < 1) {
			return fmt.Errorf("discriminant: %s.Priors[%d] = %v, want a number between 0 and 1", algorithm, k, p)
		}
	}
	if sum := floats.Sum(priors); math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("discriminant: %s.Priors have sum %v, want 1", algorithm, sum)
	}
	return nil
}

// covariance returns (1-λ)S + λ(tr S/d)I, where S is ZᵀZ/div for centred rows Z. It
// returns an error if a variance underflows or a covariance overflows.
func (g *gaussians) covariance(Z *mat.Dense, div, lambda float64) (*mat.SymDense, error) {
	n, d := Z.Dims()
	S := mat.NewSymDense(d, nil)
	if n >= gram.OuterFrom {
		sum, err := gram.Outer(context.Background(), n, d, Z.RawRowView, false)
		if err != nil {
			return nil, err
		}
		S.ScaleSym(1/div, sum)
	} else {
		S.SymOuterK(1/div, Z.T())
	}
	trace := 0.0
	for j := range d {
		if square := S.At(j, j); square < smallestNormal {
			size := 0.0
			for i := range n {
				size = max(size, math.Abs(Z.At(i, j)))
			}
			if size > 4*rows.Epsilon*g.size[j] {
				return nil, fmt.Errorf("the variance of column %d of X is %v, too small for a float64 to hold its digits, want at least %.3g; scale the column", j, square, smallestNormal)
			}
		}
		// Treat deviations within the column's rounding error as 0.
		if math.Sqrt(S.At(j, j)) <= 4*rows.Epsilon*g.size[j] {
			for l := range d {
				S.SetSym(j, l, 0)
			}
		}
		trace += S.At(j, j)
	}
	for j := range d {
		for l := j; l < d; l++ {
			v := (1 - lambda) * S.At(j, l)
			if j == l {
				v += lambda * trace / float64(d)
			}
			if !check.Finite(v) {
				return nil, fmt.Errorf("the covariance of columns %d and %d of X overflows; scale them to smaller numbers", j, l)
			}
			S.SetSym(j, l, v)
		}
	}
	return S, nil
}

// smallestNormal is the smallest positive float64 with full precision.
const smallestNormal = 0x1p-1022

// invertible factorises Σ, or returns a direction in which it is singular. Σ counts as
// singular if the smallest eigenvalue of its correlation matrix is at most 1e-13 of the
// largest. Correlations do not depend on the units of the columns.
func invertible(cov *mat.SymDense) (*mat.Cholesky, *SingularError) {
	d := cov.SymmetricDim()
	scale := make([]float64, d)
	for j := range scale {
		scale[j] = math.Sqrt(cov.At(j, j))
		if !(scale[j] > 0) {
			v := make([]float64, d)
			v[j] = 1
			return nil, &SingularError{Direction: v, Columns: []int{j}}
		}
	}
	corr := mat.NewSymDense(d, nil)
	for j := range d {
		for l := j; l < d; l++ {
			corr.SetSym(j, l, cov.At(j, l)/scale[j]/scale[l])
		}
	}
	var chol, whole mat.Cholesky
	const limit = 1e13
	if chol.Factorize(corr) && chol.Cond() < limit && whole.Factorize(cov) {
		return &whole, nil
	}
	var eig mat.EigenSym
	if !eig.Factorize(corr, true) {
		return nil, &SingularError{Direction: make([]float64, d)} // does not happen with finite numbers
	}
	var V mat.Dense
	eig.VectorsTo(&V)
	values := eig.Values(nil)
	if values[0] > values[d-1]/limit && whole.Factorize(cov) {
		return &whole, nil // Cond estimates the condition in another norm
	}
	e := &SingularError{Direction: mat.Col(nil, 0, &V)}
	for j, v := range e.Direction {
		if math.Abs(v) > 1e-6 {
			e.Columns = append(e.Columns, j)
		}
	}
	return nil, e
}

// ledoitWolf returns the λ of Ledoit and Wolf (2004), section 3.3, for centred samples
// z_i with S = (1/n) Σ z_i z_iᵀ and m = tr S/d. λ = β²/δ² is the part of δ² = ‖S - mI‖²
// that is due to the error of S, β² = min(δ², (1/n²) Σ ‖z_i z_iᵀ - S‖²).
func ledoitWolf(Z *mat.Dense) float64 {
	n, d := Z.Dims()
	// Divide by the largest element, so that no fourth power overflows.
	unit := math.Max(mat.Max(Z), -mat.Min(Z))
	if unit == 0 {
		return 0
	}
	S := mat.NewSymDense(d, nil)
	fourth := 0.0
	scaled := mat.NewDense(n, d, nil)
	for i := range n {
		z := scaled.RawRowView(i)
		for j, v := range Z.RawRowView(i) {
			z[j] = v / unit
		}
		square := floats.Dot(z, z)
		fourth += square * square
	}
	S.SymOuterK(1/float64(n), scaled.T())
	m := mat.Trace(S) / float64(d)
	squares, delta := 0.0, 0.0
	for j := range d {
		for l := range d {
			s := S.At(j, l)
			squares += s * s
			if j == l {
				s -= m
			}
			delta += s * s
		}
	}
	if delta == 0 {
		return 0 // S is mI already
	}
	// Σ ‖zzᵀ - S‖² = Σ ‖z‖⁴ - n‖S‖²
	beta := math.Max(0, fourth-float64(n)*squares) / float64(n) / float64(n)
	return math.Min(beta, delta) / delta
}

// toRows copies a matrix to a slice of rows, which can be encoded.
func toRows(A mat.Matrix) [][]float64 {
	n, _ := A.Dims()
	out := make([][]float64, n)
	for i := range out {
		out[i] = mat.Row(nil, i, A)
	}
	return out
}
