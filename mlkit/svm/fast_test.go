package svm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/svm/internal/smo"
)

// opaque hides the type of a kernel, so that a fit uses the reference solver.
type opaque struct{ kernel.Kernel }

// violation computes m(α) - M(α) of a model from its definition in float64.
func violation(m *Model, X *mat.Dense, y []int) float64 {
	up, low := math.Inf(-1), math.Inf(1)
	buf := make([]float64, len(y))
	signed := make([]float64, len(y))
	for i, a := range m.Alpha {
		signed[i] = a * float64(y[i])
	}
	for i, label := range y {
		g := float64(label) - floats.Dot(signed, kernel.Row(buf, m.Kernel.Kernel, X.RawRowView(i), X))
		a, b := m.Alpha[i], m.Bounds[i]
		if label > 0 && a < b || label < 0 && a > 0 {
			up = max(up, g)
		}
		if label > 0 && a > 0 || label < 0 && a < b {
			low = min(low, g)
		}
	}
	return up - low
}

// The fast solver and the reference find the same solution, and the violation that the
// fast one reports is true.
func TestFast(t *testing.T) {
	X, y := twoGaussians(1003, 7, 3)
	sparse := mat.DenseCopyOf(X)
	random := rand.New(rand.NewPCG(4, 4))
	far := mat.DenseCopyOf(X)
	for i := range 1003 {
		for j := range 7 {
			far.Set(i, j, 1000+X.At(i, j))
			if random.Float64() < 0.7 {
				sparse.Set(i, j, 0)
			}
		}
	}
	sparse.SetRow(5, sparse.RawRowView(8)) // two equal samples with different labels
	y[5], y[8] = 1, -1
	weights := make([]float64, len(y))
	for i := range weights {
		weights[i] = float64(i % 4) // including 0
	}
	cases := map[string]struct {
		X       *mat.Dense
		c       Classifier
		weights []float64
	}{
		"Gauss":             {X, Classifier{Kernel: kernel.RBF{Gamma: 0.1}, Tol: 1e-5}, nil},
		"Gauss, C = 100":    {X, Classifier{C: 100, Kernel: kernel.RBF{Gamma: 0.1}}, nil},
		"Gauss, far from 0": {far, Classifier{C: 3, Kernel: kernel.RBF{Gamma: 0.1}, Tol: 1e-5}, nil},
		"Gauss, weights":    {X, Classifier{C: 2, Kernel: kernel.RBF{Gamma: 0.1}, ClassWeights: map[int]float64{1: 3}, Tol: 1e-5}, weights},
		"Gauss, sparse":     {sparse, Classifier{C: 10, Kernel: kernel.RBF{Gamma: 0.5}, Tol: 1e-4}, nil},
		"Gauss, precise":    {X, Classifier{Kernel: kernel.RBF{Gamma: 0.1}, Tol: 1e-10}, nil},
		"linear":            {X, Classifier{Tol: 1e-5}, nil},
		"linear, far":       {far, Classifier{Tol: 1e-5}, nil},
		"wrapped cubic":     {X, Classifier{Kernel: kernel.Any{Kernel: kernel.Polynomial{Degree: 3, Gamma: 0.1, Coef0: 1}}, Tol: 1e-4}, nil},
	}
	if !testkit.IsLong(t) { // other cases of each kernel are harder
		for _, name := range []string{"Gauss", "Gauss, C = 100", "Gauss, weights", "Gauss, sparse", "linear"} {
			delete(cases, name)
		}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			m := testkit.Try(c.c.FitWith(mlkit.Options{Context: ctx, Weights: c.weights}, c.X, y)).Or(t)
			r := c.c
			if r.Kernel == nil {
				r.Kernel = kernel.Linear{}
			}
			r.Kernel = opaque{r.Kernel}
			want := testkit.Try(r.FitWith(mlkit.Options{Context: ctx, Weights: c.weights}, c.X, y)).Or(t)
			tol := c.c.Tol
			if tol == 0 {
				tol = smoTol
			}
			// The dual value is within violation·Σ Cᵢ of the optimum (from the terms of
			// the gap, see objectives).
			bound := tol * floats.Sum(m.Bounds)
			if !(math.Abs(m.Dual-want.Dual) <= bound) {
				t.Errorf("dual %v, the reference has %v, want a difference below %v", m.Dual, want.Dual, bound)
			}
			size := 1.0
			for _, a := range m.Alpha {
				size += a
			}
			// With a linear kernel the violation does not depend on the origin. far is
			// shifted by 1000 exactly, so evaluate the violation on samples centred near
			// 0.
			around := c.X
			if name == "linear, far" {
				around = mat.NewDense(1003, 7, nil)
				around.Apply(func(_, _ int, v float64) float64 { return v - 1000 }, far)
			}
			if v := violation(m, around, y); !(v <= tol+1e-14*size) || !(math.Abs(m.Violation-max(0, v)) <= 1e-14*size) {
				t.Errorf("violation %v, in truth %v, want at most %v", m.Violation, v, tol)
			}
		})
	}
}

// The cache size does not change the result of a fit with float32 rows. Its trace, its start and
// its limit are those of the other fits. TestTraceOfLongFit is about what it traces, and
// TestWorkers of package smo about processors.
func TestFastSame(t *testing.T) {
	n, d := testkit.Size(t, smo.FastFrom, 1100), testkit.Size(t, 2, 5)
	X, y := twoGaussians(n, d, 6)
	c := Classifier{C: 10, Kernel: kernel.RBF{Gamma: 0.2}}
	want := testkit.Try(c.Fit(X, y)).Or(t)
	sizes := []int64{300 * 4 * 1152}
	if testkit.IsLong(t) {
		sizes = append(sizes, 1) // two rows
	}
	for _, size := range sizes {
		c.CacheBytes = size
		if got, err := c.Fit(X, y); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d bytes: another model, %v", size, err)
		}
	}
	c.Trace = func(s Step) bool { return s.Iteration < 7 }
	if m, err := c.Fit(X, y); err != nil || m.Iterations != 7 {
		t.Errorf("stopped: %v", err)
	}
	c.Trace = nil
	c.Start = want.Alpha
	// Scaling to Σ αᵢyᵢ = 0 leaves some multipliers a rounding error below C.
	if m, err := c.Fit(X, y); err != nil || m.Iterations > want.Iterations/5 {
		t.Errorf("from the solution: %d iterations, %v", m.Iterations, err)
	}
	c.Start, c.MaxIter = nil, 10
	if m, err := c.Fit(X, y); !errors.As(err, new(*mlkit.NotConvergedError)) || m.Iterations != 10 {
		t.Errorf("ten iterations: %v", err)
	}
}

// A Trace does not change a fit that shrinks its active set, as it may after 4n iterations,
// and the traced steps are those of the whole fit: the dual never falls, beyond the rounding
// of float32, and ends as the model's, and so do b and the gap.
func TestTraceOfLongFit(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.NoRace(t)
	n := 1100
	if !testkit.IsLong(t) { // the path is the same
		float32Rows(t)
		n = 400
	}
	X, y := twoGaussians(n, 5, 6)
	c := Classifier{C: 100, Kernel: kernel.RBF{Gamma: 0.2}}
	want := testkit.Try(c.Fit(X, y)).Or(t)
	if want.Iterations < 5*len(y) {
		t.Fatalf("%d iterations, want more than 5n = %d", want.Iterations, 5*len(y))
	}
	steps, before := 0, math.Inf(-1)
	var last Step
	c.Trace = func(s Step) bool {
		if s.Dual < before-1e-5*math.Abs(before) {
			t.Errorf("step %d: the dual falls from %v to %v", s.Iteration, before, s.Dual)
		}
		before, last = s.Dual, s
		steps++
		return true
	}
	got, err := c.Fit(X, y)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("another model, of %d iterations rather than %d: %v", got.Iterations, want.Iterations, err)
	}
	if steps != got.Iterations+1 {
		t.Errorf("%d steps of %d iterations and the start", steps, got.Iterations)
	}
	near(t, "dual", last.Dual, got.Dual, 1e-5*got.Dual)
	near(t, "primal", last.Primal, got.Primal, 1e-3*got.Primal)
	near(t, "b", last.B, got.B, 1e-3)
	near(t, "violation", last.Violation, got.Violation, 1e-3)

	// Stopped while the active set is small, the model is that of the last step.
	c.Trace = func(s Step) bool { last = s; return s.Iteration < got.Iterations-10 }
	m, err := c.Fit(X, y)
	if err != nil || m.Iterations != got.Iterations-10 {
		t.Fatalf("stopped: %v", err)
	}
	near(t, "dual", m.Dual, last.Dual, 1e-5*got.Dual)
	if m.Alpha[last.I] != last.AlphaI || m.Alpha[last.J] != last.AlphaJ {
		t.Errorf("the last step is %+v, the model has %v and %v", last, m.Alpha[last.I], m.Alpha[last.J])
	}
}

// Whenever a fit is cancelled, even while the active set is shrunk, the numbers of its
// model are consistent.
func TestFastCancelled(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	n := 1000
	if !testkit.IsLong(t) { // the path is the same
		float32Rows(t)
		n = 400
	}
	X, y := twoGaussians(n, 5, 10)
	c := Classifier{C: 1000, Kernel: kernel.RBF{Gamma: 0.02}}
	whole := testkit.Try(c.Fit(X, y)).Or(t)
	if whole.Iterations < 20*n {
		t.Fatalf("%d iterations, want so many that samples are left out", whole.Iterations)
	}
	late, growth := 0, testkit.Size(t, 9, 5)
	for calls := 1; calls < whole.Iterations; calls = calls*growth/3 + 1 {
		m, err := c.FitWith(mlkit.Options{Context: &samples.LateContext{Context: t.Context(), Calls: calls}}, X, y)
		if !errors.Is(err, context.Canceled) || m == nil {
			t.Fatalf("after %d looks: %v", calls, err)
		}
		if m.Iterations > 5*n {
			late++
		}
		// Over these iterations float32 rows have updated g.
		if v := violation(m, X, y); !(math.Abs(m.Violation-max(0, v)) <= 1e-2) {
			t.Errorf("after %d looks and %d iterations: violation %v, in truth %v", calls, m.Iterations, m.Violation, v)
		}
	}
	if late == 0 {
		t.Errorf("none was cancelled after %d iterations", 5*n)
	}
}
