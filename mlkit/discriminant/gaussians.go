package discriminant

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
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

	remedy  string // the field that helps; "" means Shrinkage
	ignored int    // columns that are the same in all samples
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
	if d := len(e.Direction) - e.ignored; e.Rows < d {
		s += fmt.Sprintf(", since %d columns are too many for %d degrees of freedom", d, e.Rows)
	}
	return s + "; leave columns out or use " + cmp.Or(e.remedy, "Shrinkage")
}

// gaussians holds samples divided into classes, with the estimates that the Gaussian
// models share.
type gaussians struct {
	labelled
	means   [][]float64 // of each class
	centred *mat.Dense  // the samples minus the mean of their class
	size    []float64   // the largest absolute value of each column
	d       int         // columns of X
	columns []int       // those that means, centred and size have; nil means all
}

// newGaussians returns the means and priors of the classes. If the context ends, it
// returns its error along with gaussians whose means are 0.
func newGaussians(ctx context.Context, algorithm string, X *mat.Dense, y []int, given given, divisor Divisor) (*gaussians, error) {
	if divisor != Unbiased && divisor != MaximumLikelihood {
		return nil, fmt.Errorf("discriminant: %s.Divisor = %d, want Unbiased or MaximumLikelihood", algorithm, int(divisor))
	}
	l, err := newLabeled(algorithm, X, y, given)
	if err != nil {
		return nil, err
	}
	n, d := l.X.Dims()
	M := len(l.classes)
	g := &gaussians{labelled: *l, means: zeros(M, d), size: make([]float64, d), d: d}
	g.centred = rows.NewDense(n, d)
	// Correct the means twice. The mean of equal numbers is then exactly that number,
	// and any other mean is accurate to the last place.
	err = g.correct(ctx)
	if err == nil {
		err = g.correct(ctx)
	}
	if err == nil {
		err = g.subtract(ctx)
	}
	if err != nil {
		for _, m := range g.means {
			clear(m)
		}
		return g, err
	}
	return g, nil
}

// correct adds to each mean that of the samples minus it.
func (g *gaussians) correct(ctx context.Context) error {
	n, d := g.X.Dims()
	p := work.Divide(n, 1024)
	missing := make([][][]float64, p.Count())
	err := p.Do(func(part, from, to int) error {
		sums, x := zeros(len(g.means), d), make([]float64, d)
		missing[part] = sums
		return g.each(ctx, from, to, func(i, k int) {
			floats.SubTo(x, g.X.RawRowView(i), g.means[k])
			floats.AddScaled(sums[k], g.weight(i)/g.masses[k], x)
		})
	})
	if err != nil {
		return err
	}
	for k, mean := range g.means {
		for _, sums := range missing[1:] {
			floats.Add(missing[0][k], sums[k])
		}
		floats.Add(mean, missing[0][k])
	}
	return nil
}

// subtract sets centred and size.
func (g *gaussians) subtract(ctx context.Context) error {
	n, d := g.X.Dims()
	p := work.Divide(n, 1024)
	sizes := zeros(p.Count(), d)
	err := p.Do(func(part, from, to int) error {
		size := sizes[part]
		return g.each(ctx, from, to, func(i, k int) {
			x := g.X.RawRowView(i)
			floats.SubTo(g.centred.RawRowView(i), x, g.means[k])
			for j, v := range x {
				size[j] = max(size[j], math.Abs(v))
			}
		})
	})
	for _, size := range sizes {
		for j, v := range size {
			g.size[j] = max(g.size[j], v)
		}
	}
	return err
}

// each calls do for the samples from inclusive, to exclusive, with their classes.
func (g *gaussians) each(ctx context.Context, from, to int, do func(i, k int)) error {
	for i := from; i < to; i++ {
		if i%work.Chunk == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		do(i, g.index[i])
	}
	return nil
}

// twoOfEach checks that every class has two samples.
func (g *gaussians) twoOfEach(algorithm string) error {
	for k, n := range g.counts {
		if n < 2 {
			return fmt.Errorf("discriminant: %s: y has the label %d once, want at least two samples of each class to see a covariance", algorithm, g.classes[k])
		}
	}
	return nil
}

// moreThanClasses checks that there are more samples than classes.
func (g *gaussians) moreThanClasses(algorithm string) error {
	if M := len(g.classes); g.n <= M {
		return fmt.Errorf("discriminant: %s: X has %d %s for %d classes, want more rows than classes to see a covariance", algorithm, g.n, g.rows(), M)
	}
	return nil
}

// centre returns m = Σ P(Y=k) m_k.
func (g *gaussians) centre() []float64 {
	m := make([]float64, len(g.size))
	for k, mean := range g.means {
		floats.AddScaled(m, g.priors[k], mean)
	}
	return m
}

// covariance returns (1-λ)S + λ(tr S/d)I, where S is ZᵀZ/div for centred rows Z. It
// returns an error if a variance underflows or a covariance overflows.
func (g *gaussians) covariance(Z *mat.Dense, div, lambda float64) (*mat.SymDense, error) {
	n, d := Z.Dims()
	S := mat.NewSymDense(d, nil)
	if n >= gram.OuterFrom {
		sum, err := gram.Outer(context.Background(), n, d, gram.SameReader(Z.RawRowView), false)
		if err != nil {
			return nil, err
		}
		S.ScaleSym(1/div, sum)
	} else {
		S.SymOuterK(1/div, Z.T())
	}
	trace := 0.0
	for j := range d {
		v, err := g.settled(j, S.At(j, j), func() (largest float64) {
			for i := range n {
				largest = max(largest, math.Abs(Z.At(i, j)))
			}
			return largest
		})
		if err != nil {
			return nil, err
		}
		if v == 0 {
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
				return nil, fmt.Errorf("the covariance of columns %d and %d of X overflows; scale them to smaller numbers", rows.Number(j, g.columns), rows.Number(l, g.columns))
			}
			S.SetSym(j, l, v)
		}
	}
	return S, nil
}

// settled returns a variance of column j. It returns 0 if the largest deviation is within
// the column's rounding error, and an error if the variance underflows.
func (g *gaussians) settled(j int, variance float64, largest func() float64) (float64, error) {
	if variance < smallestNormal && largest() > g.rounding(j) {
		return 0, errTiny(rows.Number(j, g.columns), variance)
	}
	if math.Sqrt(variance) <= g.rounding(j) {
		return 0, nil
	}
	return variance, nil
}

// rounding returns the rounding error of column j.
func (g *gaussians) rounding(j int) float64 { return 4 * rows.Epsilon * g.size[j] }

func errTiny(j int, variance float64) error {
	return fmt.Errorf("the variance of column %d of X is %v, too small for a float64 to hold its digits, want at least %.3g; scale the column", j, variance, smallestNormal)
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

// ledoitWolf returns the λ of Ledoit and Wolf (2004), section 3.3, for n centred samples
// z_i with S = (1/n) Σ z_i z_iᵀ and m = tr S/d. λ = β²/δ² is the part of δ² = ‖S - mI‖²
// that is due to the error of S, β² = min(δ², (1/n²) Σ ‖z_i z_iᵀ - S‖²). A sample of weight
// w counts as w samples.
func (g *gaussians) ledoitWolf() float64 {
	Z, mass := g.centred, floats.Sum(g.masses)
	n, d := Z.Dims()
	// Divide by the largest element, so that no fourth power overflows.
	unit := math.Max(mat.Max(Z), -mat.Min(Z))
	if unit == 0 {
		return 0
	}
	S := mat.NewSymDense(d, nil)
	fourth := 0.0
	scaled := rows.NewDense(n, d)
	for i := range n {
		z := scaled.RawRowView(i)
		for j, v := range Z.RawRowView(i) {
			z[j] = v / unit
		}
		square := floats.Dot(z, z)
		fourth += g.weight(i) * square * square
	}
	g.root(scaled)
	S.SymOuterK(1/mass, scaled.T())
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
	beta := math.Max(0, fourth-mass*squares) / mass / (mass * g.unit)
	return math.Min(beta, delta) / delta
}

// root multiplies the rows of Z, one for each sample, by the roots of their weights. The
// sum of the squares of Z is then the weighted sum.
func (g *gaussians) root(Z *mat.Dense) {
	for i, w := range g.weights {
		floats.Scale(math.Sqrt(w), Z.RawRowView(i))
	}
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

// discriminants sets dst[k] to offsets[k] - ½ square(k, 1), where square(k, s) is the squared
// distance of x from the mean of class k, in standard deviations, with x and the mean
// multiplied by s. If a square of a finite x overflows, it takes the largest s = 2⁻³², 2⁻⁶⁴, …
// with which none does: the offsets are nothing beside such squares, and the class with the
// smallest still wins.
func discriminants(dst, offsets, x []float64, square func(k int, scale float64) float64) []float64 {
	finite := false
	for scale := 1.0; !finite; scale *= 0x1p-32 {
		finite = true
		for k := range dst {
			s := square(k, scale)
			dst[k] = offsets[k] - s/2
			finite = finite && check.Finite(s)
		}
		if !finite && !check.AllFinite(x) {
			break
		}
	}
	return dst
}
