package svm

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
)

// Two points on a line, 0 labelled - and 2 labelled +. By hand: w = 2α, the dual 2α - 2α²
// is largest at α = ½, and then w = 1, b = -1. With C below ½ both are at the bound,
// w = 2C, and every b from -1 to 1 - 4C gives the same total slack 2 - 4C.
func TestTwoPoints(t *testing.T) {
	X, y := mat.NewDense(2, 1, []float64{0, 2}), []int{-1, +1}
	for _, C := range []float64{math.Inf(1), 1, 0.5} {
		m := testkit.Try(Classifier{C: C}.Fit(X, y)).Or(t)
		nearAll(t, "α", m.Alpha, []float64{0.5, 0.5}, 0)
		near(t, "w", m.W[0], 1, 0)
		near(t, "b", m.B, -1, 0)
		near(t, "primal", m.Primal, 0.5, 0)
		near(t, "dual", m.Dual, 0.5, 0)
		near(t, "margin", m.Margin(), 1, 0)
		if C == 0.5 && (len(m.Free) > 0 || len(m.AtBound) != 2) {
			t.Errorf("C = ½: free %v, at bound %v, want both at bound", m.Free, m.AtBound)
		}
	}
	m := testkit.Try(Classifier{C: 0.25}.Fit(X, y)).Or(t)
	near(t, "w", m.W[0], 0.5, 0)
	near(t, "b", m.B, -0.5, 0) // the midpoint
	nearAll(t, "ξ", m.Slacks, []float64{0.5, 0.5}, 0)
	nearAll(t, "τ", m.Tau, []float64{0, 0}, 0)
	near(t, "primal", m.Primal, 0.125+0.25, 0) // ½·½² + ¼·1
	near(t, "dual", m.Dual, 0.375, 0)
}

// Exclusive or with (1 + x·z)² (CMU; Cornell 1.2). By symmetry all α are equal, and
// yᵢf(xᵢ) = α(9 + 1 - 1 - 1) = 1, so α = ⅛, ‖w‖² = ½, b = 0 and f(x) = x₁x₂.
func TestExclusiveOr(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{1, 1, -1, -1, 1, -1, -1, 1})
	y := []int{+1, +1, -1, -1}
	m, err := Classifier{C: math.Inf(1), Kernel: kernel.Polynomial{Degree: 2, Coef0: 1}, Tol: 1e-14}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	nearAll(t, "α", m.Alpha, slices.Repeat([]float64{0.125}, 4), 1e-14)
	near(t, "b", m.B, 0, 1e-14)
	near(t, "‖w‖", m.Norm, math.Sqrt(0.5), 1e-14)
	near(t, "f", m.Score([]float64{3, -0.5}), -1.5, 1e-13)
	if _, ok := m.Hyperplane(); ok {
		t.Error("there is a hyperplane in the space of the samples")
	}
	if _, err := (Classifier{C: math.Inf(1)}).Fit(X, y); !errors.As(err, new(*mlkit.NotSeparableError)) {
		t.Errorf("linear: %v, want a NotSeparableError", err)
	}
}

// The gap closes: the dual never decreases and stays below the primal.
func TestTrace(t *testing.T) {
	X, y := irises(t, 1, 2)
	for name, c := range map[string]Classifier{
		"soft": {C: 10, Kernel: kernel.RBF{Gamma: 0.5}}, "hard": {C: math.Inf(1), Kernel: kernel.RBF{Gamma: 50}},
	} {
		var steps []Step
		c.Trace = func(s Step) bool { steps = append(steps, s); return true }
		m := testkit.Try(c.Fit(X, y)).Or(t, name)
		for k, s := range steps {
			if s.Iteration != k {
				t.Fatalf("%s: iteration %d is step %d", name, s.Iteration, k)
			}
			if s.Gap < 0 || s.Primal < m.Dual*(1-1e-12) || s.Dual > m.Primal*(1+1e-12) {
				t.Errorf("%s: step %d: primal %v, dual %v, gap %v, but the optimum is %v", name, k, s.Primal, s.Dual, s.Gap, m.Dual)
			}
			if k > 0 && s.Dual < steps[k-1].Dual*(1-1e-12) {
				t.Errorf("%s: step %d: the dual falls from %v to %v", name, k, steps[k-1].Dual, s.Dual)
			}
		}
		first, last := steps[0], steps[len(steps)-1]
		if first.I != -1 || first.Dual != 0 || first.Violation != 2 {
			t.Errorf("%s: the start is %+v", name, first)
		}
		if len(steps) != m.Iterations+1 || last.Violation > 1e-3 || math.Abs(last.B-m.B) > 1e-9 || math.Abs(last.Gap-m.Gap) > 1e-9 {
			t.Errorf("%s: the end is %+v after %d iterations, the model has b = %v, gap %v", name, last, m.Iterations, m.B, m.Gap)
		}
	}
	m, err := Classifier{Trace: func(s Step) bool { return s.Iteration < 3 }}.Fit(X, y)
	if err != nil || m.Iterations != 3 || m.Converged {
		t.Errorf("stopped: %v, %v", m, err)
	}
	m, err = Classifier{Trace: func(s Step) bool { return false }}.Fit(X, y)
	if err != nil || m.Iterations != 0 || m.Score([]float64{1, 2, 3, 4}) != 0 || m.Predict([]float64{1, 2, 3, 4}) != 1 {
		t.Errorf("stopped at the start: %v, %v", m, err)
	}
}

// Evicted rows are evaluated again to the same bits.
func TestCache(t *testing.T) {
	X, y := irises(t, 1, 2)
	want := testkit.Try(Classifier{C: 100, Kernel: kernel.RBF{}}.Fit(X, y)).Or(t)
	for _, bytes := range []int64{1, 3 * 800, 20 * 800} {
		got := testkit.Try(Classifier{C: 100, Kernel: kernel.RBF{}, CacheBytes: bytes}.Fit(X, y)).Or(t)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d bytes: another model", bytes)
		}
	}
}

// A warm start from the solution needs no step; from that for another C it leads to the
// same solution.
func TestStart(t *testing.T) {
	X, y := irises(t, 1, 2)
	c := Classifier{C: 10, Tol: 1e-8}
	want := testkit.Try(c.Fit(X, y)).Or(t)
	c.Start = want.Alpha
	again, err := c.Fit(X, y)
	if err != nil || again.Iterations != 0 {
		t.Errorf("from the solution: %d iterations, %v", again.Iterations, err)
	}
	c.C = 2 // the start exceeds its bounds
	warm := testkit.Try(c.Fit(X, y)).Or(t)
	c.Start = nil
	cold := testkit.Try(c.Fit(X, y)).Or(t)
	near(t, "dual", warm.Dual, cold.Dual, 1e-7)
	nearAll(t, "w", warm.W, cold.W, 1e-6)
	c.Start = slices.Repeat([]float64{0.1}, 100)
	c.Start[3] = 100
	warm = testkit.Try(c.Fit(X, y)).Or(t)
	near(t, "dual", warm.Dual, cold.Dual, 1e-7)
	near(t, "Σ αy", floats.Sum(warm.Coef), 0, 1e-12)
}

func TestWeights(t *testing.T) {
	X, y := irises(t, 1, 2)
	// A class weight equals weights of its samples.
	c := Classifier{ClassWeights: map[int]float64{+1: 5}}
	a := testkit.Try(c.Fit(X, y)).Or(t)
	if a.Bounds[0] != 1 || a.Bounds[99] != 5 {
		t.Errorf("bounds %v and %v, want 1 and 5", a.Bounds[0], a.Bounds[99])
	}
	// Without the third sample the others have a hard margin.
	hard, err := Classifier{C: math.Inf(1)}.FitWith(mlkit.Options{Weights: []float64{1, 1, 0}}, mat.NewDense(3, 1, []float64{0, 2, 5}), []int{-1, 1, -1})
	if err != nil || math.Abs(hard.W[0]-1) > 1e-12 || hard.B != -1 {
		t.Errorf("hard with the third removed: %v, %v", hard, err)
	}
}

func TestNotConverged(t *testing.T) {
	X, y := irises(t, 1, 2)
	wide := mat.DenseCopyOf(X)
	for i := range 100 {
		wide.Set(i, 0, 1000*wide.At(i, 0))
	}
	for _, c := range []struct {
		name string
		fit  func() (*Model, error)
		say  string
	}{
		{"few iterations", func() (*Model, error) { return Classifier{MaxIter: 10}.Fit(X, y) }, "after 10 iterations, want at most 0.001; raise MaxIter, or lower C"},
		{"wide column", func() (*Model, error) { return Classifier{MaxIter: 10}.Fit(wide, y) }, "times as wide as another"},
		{"rounding", func() (*Model, error) { return Classifier{Tol: 1e-300}.Fit(X, y) }, "lost in rounding: raise Tol"},
	} {
		m, err := c.fit()
		var e *mlkit.NotConvergedError
		if !errors.As(err, &e) || m == nil || e.Model != any(m) || m.Converged || e.Iterations != m.Iterations || e.Residual != m.Violation {
			t.Errorf("%s: %v, want a NotConvergedError with the model", c.name, err)
			continue
		}
		if !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: %v, want %q in it", c.name, err, c.say)
		}
		if c.name == "rounding" && m.Violation > 1e-12 {
			t.Errorf("%s: the violation is %v", c.name, m.Violation)
		}
	}
}

// slow is a slow kernel.
type slow struct{}

func (slow) Eval(x, z []float64) float64 {
	time.Sleep(time.Microsecond)
	return floats.Dot(x, z)
}

func TestCancel(t *testing.T) {
	X, y := irises(t, 1, 2)
	for _, c := range []Classifier{{C: math.Inf(1), Kernel: slow{}}, {Kernel: slow{}, Tol: 1e-12}, {}} {
		ctx, cancel := context.WithCancel(context.Background())
		if c.Kernel == nil {
			c.Trace = func(s Step) bool {
				if s.Iteration == 5 {
					cancel()
				}
				return true
			}
		} else {
			cancel()
		}
		m, err := c.FitWith(mlkit.Options{Context: ctx}, X, y)
		var e *mlkit.NotConvergedError
		if !errors.As(err, &e) || !errors.Is(err, context.Canceled) || m == nil || m.Converged {
			t.Errorf("%v, %v", m, err)
		}
		if c.Trace != nil && m.Iterations != 5 {
			t.Errorf("%d iterations, want 5", m.Iterations)
		}
		cancel()
	}
}

// A fit that its context cuts when only the last check is missing does not say that a violation
// within the tolerance is too large.
func TestCancelAtTheEnd(t *testing.T) {
	X, y := irises(t, 1, 2)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := Classifier{Trace: func(s Step) bool {
		if s.Violation <= smoTol {
			cancel()
		}
		return true
	}}
	m, err := c.FitWith(mlkit.Options{Context: ctx}, X, y)
	var e *mlkit.NotConvergedError
	if !errors.As(err, &e) || !errors.Is(err, context.Canceled) || m.Violation > smoTol || m.Converged {
		t.Fatalf("violation %v, err = %v", m.Violation, err)
	}
	if !strings.Contains(e.Reason, "context canceled; the violation is") || strings.Contains(e.Reason, "want at most") {
		t.Errorf("reason %q, want one that asks for no smaller violation", e.Reason)
	}
}

// Kernels that are not positive semidefinite, equal samples, both labels at one point and
// numbers at the ends of the range give a model or an error, never a panic or an endless
// loop.
func TestHostile(t *testing.T) {
	X, y := irises(t, 1, 2)
	if _, err := (Classifier{C: 1, Kernel: kernel.Sigmoid{Gamma: 1, Coef0: -1}, MaxIter: 20000}).Fit(X, y); err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
		t.Errorf("sigmoid: %v", err)
	}
	same := mat.NewDense(4, 1, []float64{1, 1, 1, 1})
	labels := []int{1, -1, 1, -1}
	m, err := Classifier{}.Fit(same, labels)
	if err != nil || m.W[0] != 0 {
		t.Errorf("all alike: %v, %v", m, err)
	}
	if _, err := (Classifier{C: math.Inf(1)}).Fit(same, labels); !errors.As(err, new(*mlkit.NotSeparableError)) {
		t.Errorf("all alike, hard: %v", err)
	}
	for _, v := range []float64{1e-200, 1e150, 1e200, 1e308} {
		for _, C := range []float64{1e-300, 1, 1e300, math.Inf(1)} {
			Z := mat.NewDense(4, 1, []float64{-v, -v / 2, v / 3, v})
			for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{}} {
				m, err := Classifier{C: C, Kernel: k, MaxIter: 1000}.Fit(Z, []int{-1, -1, 1, 1})
				if m == nil && err == nil {
					t.Errorf("v = %v, C = %v: neither a model nor an error", v, C)
				}
				if m != nil && !(check.Finite(m.B) && check.Finite(m.Primal) && check.Finite(m.Gap) && check.Finite(m.Violation)) {
					t.Errorf("v = %v, C = %v, %T: %+v", v, C, k, m)
				}
			}
		}
	}
}

func TestClassifierRefuses(t *testing.T) {
	X, y := irises(t, 1, 2)
	few := slices.Repeat([]float64{1}, 99)
	negative, zero := slices.Repeat([]float64{1}, 100), slices.Repeat([]float64{1}, 100)
	negative[4] = -1
	for i := range 50 {
		zero[i] = 0
	}
	testkit.Refusals{
		{second(Classifier{C: -1}.FitWith(mlkit.Options{}, X, y)), "svm: Classifier.C = -1…"},
		{second(Classifier{C: math.NaN()}.FitWith(mlkit.Options{}, X, y)), "svm: Classifier.C = NaN…"},
		{second(Classifier{Tol: math.Inf(1)}.FitWith(mlkit.Options{}, X, y)), "svm: Classifier.Tol = +Inf…"},
		{second(Classifier{MaxIter: -1}.FitWith(mlkit.Options{}, X, y)), "svm: Classifier.MaxIter = -1…"},
		{second(Classifier{CacheBytes: -1}.FitWith(mlkit.Options{}, X, y)), "svm: Classifier.CacheBytes = -1…"},
		{second(Classifier{Kernel: kernel.RBF{Gamma: -1}}.FitWith(mlkit.Options{}, X, y)), "svm: Classifier.Kernel: …"},
		{second(Classifier{Start: few}.FitWith(mlkit.Options{}, X, y)), "svm: Classifier.Start has 99…"},
		{second(Classifier{Start: negative}.FitWith(mlkit.Options{}, X, y)), "svm: Classifier.Start[4] = -1…"},
		{second(Classifier{ClassWeights: map[int]float64{1: 0}}.FitWith(mlkit.Options{}, X, y)), "svm: ClassWeights[1] = 0, want a positive number"},
		{second(Classifier{C: 1e-300}.FitWith(mlkit.Options{Weights: slices.Repeat([]float64{1e-300}, 100)}, X, y)), "svm: weights[0]: …"},
		{second(Classifier{}.FitWith(mlkit.Options{Weights: few}, X, y)), "svm: len(weights) = 99…"},
		{second(Classifier{}.FitWith(mlkit.Options{Weights: negative}, X, y)), "svm: weights[4] = -1…"},
		{second(Classifier{}.FitWith(mlkit.Options{Weights: zero}, X, y)), "svm: weights are above 0 only in rows with y = 1, want rows of at least two labels"},
	}.Check(t)
	minus := mat.DenseCopyOf(X)
	minus.Set(3, 1, -1)
	if _, err := (Classifier{Kernel: kernel.Chi2{}}).Fit(minus, y); err == nil || !strings.Contains(err.Error(), "X[3][1]") {
		t.Errorf("χ² of a negative number: %v", err)
	}
}
