package logistic

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/testkit"
)

// grid draws samples of three overlapping classes. Their elements are multiples of 1/64
// below 8, so shifts up to 2⁴⁰ and powers of 2 as units are exact.
func grid(n, d int) (*mat.Dense, []int) {
	rnd := rand.New(rand.NewPCG(31, 32))
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = rnd.IntN(3)
		for j := range d {
			v := rnd.NormFloat64() + float64((y[i]+j)%3)/2
			X.Set(i, j, math.Round(64*max(-7, min(7, v)))/64)
		}
	}
	return X, y
}

// inUnits returns X with offset added to all elements, and then even columns multiplied
// and odd columns divided by unit.
func inUnits(X *mat.Dense, offset, unit float64) *mat.Dense {
	Z := mat.DenseCopyOf(X)
	Z.Apply(func(i, j int, v float64) float64 {
		if j%2 == 1 {
			return (v + offset) / unit
		}
		return (v + offset) * unit
	}, Z)
	return Z
}

// Timestamps have offsets of 10¹² deviations, physical constants units of 10^±150. The
// samples on the grid are transformed without rounding, so the maximum of the likelihood
// stays the same. So do the probabilities, up to the rounding error of w·x + b, which
// cancels: each product and the bias have a relative error of 2⁻⁵³. L2 and L1 are on the
// weights of the samples as given, so with them only shifts change nothing.
func TestLogisticShiftAndUnit(t *testing.T) {
	n := testkit.Size(t, 90, manyRows+7)
	X, classes := grid(n, 3)
	signs := signsOf(classes)
	for _, c := range []struct{ offset, unit float64 }{
		{1 << 10, 1}, {-1 << 30, 1}, {1 << 40, 1}, {0, 0x1p498}, {0, 0x1p-498},
		{1 << 20, 0x1p40}, {1 << 40, 0x1p498}, {-1 << 40, 0x1p-498},
	} {
		Z := inUnits(X, c.offset, c.unit)
		for _, l := range []Regression{
			{}, {Solver: LBFGS, Tol: 1e-7}, {L2: 2}, {L2: 2, Solver: LBFGS, Tol: 1e-7},
			{L1: 5}, {L1: 2, L2: 1}, {L1: 5, Solver: CoordinateDescent, Tol: 1e-9},
		} {
			if (l.L1 > 0 || l.L2 > 0) && c.unit != 1 {
				continue
			}
			tol, probTol := 1e-12, 1e-7 // relative, and of probabilities, from the tolerance of Newton's decrement
			if l.Solver == LBFGS {
				tol, probTol = 1e-8, 1e-5
			}
			want, got := fitted(t, l.Fit, X, signs), fitted(t, l.Fit, Z, signs)
			many, other := fitted(t, l.Fit, X, classes), fitted(t, l.Fit, Z, classes)
			two, three := got.LogLikelihood/want.LogLikelihood-1, other.LogLikelihood/many.LogLikelihood-1
			if math.Abs(two) > 2*tol || math.Abs(three) > 2*tol {
				t.Errorf("n = %d, %+v, %+v: the log-likelihoods are off by %v and %v of them", n, l, c, two, three)
			}
			h := hyperplane(t, got)
			for i := range n {
				x, z := X.RawRowView(i), Z.RawRowView(i)
				if p, q := want.Prob(x), got.Prob(z); math.Abs(p-q) > probTol+rounding(h.W, h.B, z) {
					t.Fatalf("n = %d, %+v, %+v: P of row %d is %v, want %v", n, l, c, i, q, p)
				}
				slack := probTol
				for k, w := range other.W {
					slack += rounding(w, other.B[k], z)
				}
				if p, q := many.Posterior(nil, x), other.Posterior(nil, z); !floats.EqualApprox(p, q, slack) {
					t.Fatalf("n = %d, %+v, %+v: P of row %d is %v, want %v", n, l, c, i, q, p)
				}
			}
		}
	}
}

// rounding bounds the error of the score w·x + b: rounding errors of the d + 1 numbers of
// the model, and as many of the products and of the sums.
func rounding(w []float64, b float64, x []float64) float64 {
	size := math.Abs(b)
	for j, v := range w {
		size += math.Abs(v * x[j])
	}
	return float64(len(w)+2) * 0x1p-52 * size
}

// Penalties at the ends of the range of float64: a weak or strong prior, in units that
// make it weaker or stronger by 10^300. Where the prior outweighs the samples by more
// than 10¹⁰⁰, w is their gradient at w = 0 over L2, or 0 with L1, and b is the log-odds
// of the labels.
func TestLogisticExtremePenalties(t *testing.T) {
	X, classes := grid(60, 2)
	signs, positive := make([]int, 60), 0.0
	for i, k := range classes {
		signs[i] = 2*min(k, 1) - 1
		positive += float64(min(k, 1))
	}
	odds := math.Log(positive / (60 - positive))
	for _, c := range []struct {
		unit float64
		l    Regression
	}{
		{1e-160, Regression{L2: 1}}, {1e-160, Regression{L1: 1}}, {1e-160, Regression{L1: 1, L2: 1}}, {1e-320, Regression{L2: 1}},
		{1, Regression{L2: 1e308}}, {1, Regression{L1: 1e308}}, {1e-200, Regression{L2: 1e308}}, {1e-200, Regression{L1: 1e308}}, {1e-200, Regression{L1: 1e308, Solver: CoordinateDescent}}, {1e-160, Regression{L1: 1, L2: 1, Solver: CoordinateDescent}},
		{1e-160, Regression{L2: 1, Solver: LBFGS, Tol: 1e-7}}, {1, Regression{L2: 1e308, Solver: LBFGS, Tol: 1e-7}},
	} {
		Z := mat.DenseCopyOf(X)
		Z.Scale(c.unit, Z)
		m, err := c.l.Fit(Z, signs)
		if err != nil {
			t.Errorf("%+v, unit %g: %v", c.l, c.unit, err)
			continue
		}
		h := hyperplane(t, m)
		// LBFGS stops at a gradient of 10⁻⁷ n.
		if math.Abs(h.B-odds) > 1e-5 {
			t.Errorf("%+v, unit %g: b = %v, want the log-odds %v", c.l, c.unit, h.B, odds)
		}
		if c.l.Solver == LBFGS {
			continue // it stops by its gradient, which does not show weights that do so little
		}
		for j, w := range h.W {
			slope := 0.0
			for i, s := range signs {
				slope += (float64(s+1)/2 - positive/60) * X.At(i, j)
			}
			want := slope * c.unit / c.l.L2
			if c.l.L1 > 0 {
				want = 0
			}
			if math.Abs(w-want) > 1e-4*math.Abs(want)+1e-307 {
				t.Errorf("%+v, unit %g: w[%d] = %v, want %v", c.l, c.unit, j, w, want)
			}
		}
		if s, err := c.l.Fit(Z, classes); err != nil || !check.Finite(s.Objective) {
			t.Errorf("classes, %+v, unit %g: %v", c.l, c.unit, err)
		}
	}
	// Where the samples outweigh the prior as much, it has no effect.
	want := fitted(t, Regression{}.Fit, X, signs)
	for _, l := range []Regression{{L2: 1}, {L1: 1}, {L2: 1, L1: 1}, {L1: 1, Solver: CoordinateDescent, Tol: 1e-9}} {
		Z := mat.DenseCopyOf(X)
		Z.Scale(1e150, Z)
		m, err := l.Fit(Z, signs)
		if err != nil || !floats.EqualApprox(m.Probs(nil, Z), want.Probs(nil, X), 1e-7) {
			t.Errorf("%+v, unit 1e150: %v", l, err)
		}
	}
}
