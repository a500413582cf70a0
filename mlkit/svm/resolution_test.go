package svm

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
)

// The α of a NotSeparableError are a proof by themselves (Gordan): nonnegative, not all
// 0, Σ αᵢyᵢ = 0, and Σ αᵢyᵢxᵢ as near to 0 as separable demands, 10⁻⁶ of the spread of
// the samples.
func TestNotSeparableProves(t *testing.T) {
	iris, labels := irises(t, 1, 2)
	far := mat.DenseCopyOf(iris)
	far.Apply(func(_, _ int, v float64) float64 { return v + 1e6 }, iris)
	xor := mat.NewDense(4, 2, []float64{1, 1, -1, -1, 1, -1, -1, 1})
	for name, c := range map[string]struct {
		X *mat.Dense
		y []int
	}{"iris": {iris, labels}, "iris, far": {far, labels}, "xor": {xor, []int{+1, +1, -1, -1}}} {
		_, err := Classifier{C: math.Inf(1)}.Fit(c.X, c.y)
		var no *mlkit.NotSeparableError
		if !errors.As(err, &no) || len(no.Alpha) != len(c.y) {
			t.Errorf("%s: err = %v, want a NotSeparableError with α for each sample", name, err)
			continue
		}
		_, d := c.X.Dims()
		sum, balance, spread := make([]float64, d), 0.0, 0.0
		first := c.X.RawRowView(0)
		for i, a := range no.Alpha {
			if a < 0 {
				t.Errorf("%s: α_%d = %v", name, i, a)
			}
			balance += a * float64(c.y[i])
			for j, v := range c.X.RawRowView(i) {
				sum[j] += a * float64(c.y[i]) * (v - first[j])
			}
			for k := range c.y {
				spread = max(spread, floats.Distance(c.X.RawRowView(i), c.X.RawRowView(k), 2))
			}
		}
		if total := floats.Sum(no.Alpha); math.Abs(total-2) > 1e-12 || math.Abs(balance) > 1e-12 {
			t.Errorf("%s: Σ αᵢ = %v, Σ αᵢyᵢ = %v, want 1 for each class", name, total, balance)
		}
		if norm := floats.Norm(sum, 2); norm > 1.1e-6*spread {
			t.Errorf("%s: Σ αᵢyᵢxᵢ has the norm %v, want 10⁻⁶ of %v", name, norm, spread)
		}
	}
}

// Two samples at ±s have the hard margin w = 1/s, α = 1/(2s²). If s² underflows, α
// overflows, or the samples are so close that k is the same for both, the error says so.
// It is never taken for a proof that no hyperplane separates them.
func TestHardMarginAtAnyScale(t *testing.T) {
	for _, c := range []struct {
		kernel kernel.Kernel
		scales []float64
		say    string // "" if the fit succeeds
	}{
		{nil, []float64{1e-153, 1e-150, 1e-100, 1e-10, 1, 1e10, 1e100, 1e153}, ""},
		{nil, []float64{1e-300, 1e-170, 1e-162, 1e-160, 1e-155}, "scale X to larger numbers"},
		{nil, []float64{1e154, 1e200, 1e308}, "to smaller numbers"},
		{kernel.RBF{}, []float64{1e-3, 1, 1e3, 1e100, 1e153}, ""},
		{kernel.RBF{}, []float64{1e-300, 1e-170, 1e-100, 1e-10}, "float64 does not tell the classes apart"},
		{kernel.Laplace{}, []float64{1e-300, 1e-20}, "float64 does not tell the classes apart"},
		{kernel.Polynomial{Coef0: 1}, []float64{1e-300, 1e-20}, "float64 does not tell the classes apart"},
	} {
		for _, s := range c.scales {
			X := mat.NewDense(2, 1, []float64{s, -s})
			m, err := Classifier{C: math.Inf(1), Kernel: c.kernel}.Fit(X, []int{+1, -1})
			if c.say != "" {
				if err == nil || errors.As(err, new(*mlkit.NotSeparableError)) || !strings.Contains(err.Error(), c.say) {
					t.Errorf("%v, X = ±%v: %v, want an error that says %q", c.kernel, s, err, c.say)
				}
				continue
			}
			if err != nil || m.Score([]float64{s}) < 0.999 || m.Score([]float64{-s}) > -0.999 {
				t.Errorf("%v, X = ±%v: %+v, %v", c.kernel, s, m, err)
				continue
			}
			if c.kernel == nil && math.Abs(m.W[0]*s-1) > 1e-3 {
				t.Errorf("X = ±%v: w = %v", s, m.W)
			}
		}
	}
	// Two equal samples with different labels are a proof at any scale.
	for _, s := range []float64{0, 1e-300, 1e-170, 1} {
		X := mat.NewDense(3, 1, []float64{s, 2 * s, s})
		_, err := Classifier{C: math.Inf(1)}.Fit(X, []int{+1, -1, -1})
		var no *mlkit.NotSeparableError
		if !errors.As(err, &no) {
			t.Errorf("equal samples at %v: %v, want a NotSeparableError", s, err)
		}
	}
}

// If kernel values are so large that float64 loses the differences between samples, g is
// mere rounding error, and a violation of 0 is no solution: (x·z)⁵ at 10⁹ once converged
// with a gap of 0 and half of the labels wrong. With 10⁹ added to x·z, the differences
// are far above rounding error.
func TestKernelTooCoarse(t *testing.T) {
	X, y := twoGaussians(40, 3, 2)
	far := mat.DenseCopyOf(X)
	far.Apply(func(_, _ int, v float64) float64 { return v + 1e9 }, X)
	for i := range y { // separated by the first feature
		y[i] = int(math.Copysign(1, X.At(i, 0)))
		X.Set(i, 0, X.At(i, 0)+float64(y[i]))
	}
	for name, c := range map[string]struct {
		X    *mat.Dense
		k    kernel.Kernel
		fine bool
	}{
		"far":          {far, kernel.Polynomial{Degree: 5}, false},
		"far, squares": {far, kernel.Polynomial{Degree: 2, Coef0: 1}, false},
		"offset":       {X, kernel.Polynomial{Degree: 5, Coef0: 1e9}, true},
		"near":         {X, kernel.Polynomial{Degree: 5, Coef0: 1}, true},
	} {
		m, err := Classifier{Kernel: c.k, MaxIter: 20000}.Fit(c.X, y)
		if c.fine {
			if err != nil || !m.Converged || samples.Errors(m, c.X, y) > 0 {
				t.Errorf("%s: %d of 40 wrong, %v", name, samples.Errors(m, c.X, y), err)
			}
			continue
		}
		if !errors.As(err, new(*mlkit.NotConvergedError)) || m.Converged {
			t.Errorf("%s: %v, converged %v, want a NotConvergedError", name, err, m.Converged)
		}
	}
	// The same, with a violation that is 0 by chance.
	pair := mat.NewDense(4, 1, []float64{1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3})
	m, err := Classifier{Kernel: kernel.Polynomial{Degree: 5}}.Fit(pair, []int{+1, -1, +1, -1})
	if !errors.As(err, new(*mlkit.NotConvergedError)) || m.Converged || !strings.Contains(err.Error(), "subtract the means") {
		t.Errorf("%v, want an error that says what helps", err)
	}
}

// The origin does not matter to the linear kernel: Iris shifted away from 0 has the same
// margin and hyperplane as Iris. At 10⁹ its elements keep seven decimal places.
func TestLinearFarFromOrigin(t *testing.T) {
	X, y := irises(t, 0, 1)
	n, d := X.Dims()
	for _, C := range []float64{1, math.Inf(1)} {
		c := Classifier{C: C, Tol: 1e-6}
		want := testkit.Try(c.Fit(X, y)).Or(t)
		for _, offset := range []float64{1e3, 1e6, 1e9, -1e9} {
			far := mat.NewDense(n, d, nil)
			far.Apply(func(_, j int, v float64) float64 { return v + offset*float64(j+1) }, X)
			last := 0.0
			c.Trace = func(s Step) bool { last = s.B; return true }
			got, err := c.Fit(far, y)
			if err != nil {
				t.Errorf("C = %v, %v from 0: %v", C, offset, err)
				continue
			}
			size := 1e-15 * math.Abs(offset) // rounding error of X
			nearAll(t, "w", got.W, want.W, 1e-5+100*size)
			near(t, "margin", got.Margin(), want.Margin(), 1e-5+100*size)
			b := want.B
			for j, w := range got.W {
				b -= w * offset * float64(j+1)
			}
			near(t, "b", got.B, b, 1e-5+1e4*size)
			near(t, "b of the last step", last, got.B, 1e4*size)
			if k := samples.Errors(got, far, y); k > 0 {
				t.Errorf("C = %v, %v from 0: %d of %d wrong", C, offset, k, n)
			}
		}
	}
}
