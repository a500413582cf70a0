package logistic

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/samples"
)

func TestLogisticSeparable(t *testing.T) {
	X, y := samples.SetosaVersicolor(t)
	quasi := mat.NewDense(7, 2, []float64{0, 0, 1, 3, 2, 2, 2, 1, 3, 0, 4, 7, 2, 0})
	for _, c := range []struct {
		name     string
		X        *mat.Dense
		y        []int
		complete bool
	}{
		{"setosa", X, y, true},
		{"one column", mat.NewDense(4, 1, []float64{-2, -1, 1, 2}), []int{-1, -1, 1, 1}, true},
		{"touching", mat.NewDense(4, 1, []float64{-2, 0, 0, 2}), []int{-1, -1, 1, 1}, false},
		{"first column", quasi, []int{-1, -1, -1, 1, 1, 1, -1}, false},
		{"far from the origin", mat.NewDense(4, 1, []float64{1e6, 1e6 + 1, 1e6 + 2, 1e6 + 3}), []int{-1, -1, 1, 1}, true},
		{"indicator", mat.NewDense(8, 2, []float64{0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 1, 2, 1, 5}), []int{1, -1, 1, -1, 1, -1, 1, 1}, false},
	} {
		for _, solver := range []Solver{Newton, LBFGS} {
			m, err := Regression{Solver: solver}.Fit(c.X, c.y)
			var e *SeparableError
			if !errors.As(err, &e) || m == nil || m.Converged {
				t.Errorf("%s, %v: %v, %+v, want a SeparableError", c.name, solver, err, m)
				continue
			}
			if e.Complete != c.complete {
				t.Errorf("%s, %v: complete %v, want %v", c.name, solver, e.Complete, c.complete)
			}
			checkDirection(t, e, c.X, c.y)
			var nc *mlkit.NotConvergedError
			if !errors.As(err, &nc) || nc.Model != any(m) || !strings.HasPrefix(err.Error(), "logistic: Regression: separable: ") {
				t.Errorf("%s: %v", c.name, err)
			}
			if c.complete && len(samples.Wrong(m.Predictions(nil, c.X), c.y)) > 0 {
				t.Errorf("%s: the model beside the error does not separate", c.name)
			}
		}
		if _, err := (Regression{L2: 1e-6}).Fit(c.X, c.y); err != nil {
			t.Errorf("%s, with a prior: %v", c.name, err)
		}
	}
	// One of the first Newton steps is the hyperplane x = -2.5, which touches a sample;
	// x = -2.6 touches none. A property test found this.
	touched := mat.NewDense(4, 1, []float64{-2.75, -0.5, -1.75, -2.5})
	_, err := Regression{}.Fit(touched, []int{-1, 1, 1, 1})
	var e *SeparableError
	if !errors.As(err, &e) || !e.Complete {
		t.Fatalf("a step that touches: %v", err)
	}
	checkDirection(t, e, touched, []int{-1, 1, 1, 1})
	// One sample across the boundary, and there is a maximum again.
	over := mat.NewDense(4, 1, []float64{-2, 0.001, -0.001, 2})
	if _, err := (Regression{}).Fit(over, []int{-1, -1, 1, 1}); err != nil {
		t.Errorf("overlap of 0.002: %v", err)
	}
}

// The losses, by hand, for scores whose exponentials overflow.
func TestLogisticStable(t *testing.T) {
	s := signLoss{labels{y: []int{1, -1}}}
	for _, c := range []struct{ f, want, slope float64 }{
		{1000, 0, 0}, {-1000, 1000, -1}, {0, math.Ln2, -0.5}, {40, math.Exp(-40), -math.Exp(-40)}, {-1e300, 1e300, -1},
	} {
		f := []float64{c.f}
		if got := s.at(0, f, true); math.Abs(got-c.want) > 1e-15*math.Abs(c.want) || math.Abs(f[0]-c.slope) > 1e-15*math.Abs(c.slope) {
			t.Errorf("loss of %v = %v, slope %v, want %v and %v", c.f, got, f[0], c.want, c.slope)
		}
	}
	for _, c := range []struct {
		f    []float64
		want float64
	}{
		{[]float64{1000, 0, 0}, 0}, {[]float64{0, 0, 0}, math.Log(3)}, {[]float64{-1e6, 1e6, 0}, 2e6},
		{[]float64{40, 0, 0}, 2 * math.Exp(-40)},
	} {
		if got := (Regression{}).loss(labels{[]int{0}, nil, 3}).at(0, slices.Clone(c.f), true); math.Abs(got-c.want) > 1e-15*c.want {
			t.Errorf("loss of %v = %v, want %v", c.f, got, c.want)
		}
	}
}

func TestLogisticTrace(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	for _, l := range []Regression{{L2: 1, Solver: Newton}, {L2: 1, Solver: LBFGS}, {L2: 1, L1: 0.1, Solver: CoordinateDescent}} {
		var steps []Step
		solver := l.Solver
		l.Trace = func(s Step) bool { steps = append(steps, s); return true }
		m := fitted(t, l.Fit, X, y)
		last, h := steps[len(steps)-1], hyperplane(t, m)
		if len(steps) != m.Iterations || last.Iteration != m.Iterations || last.Objective != m.Objective || !slices.Equal(last.W[0], h.W) || last.B[0] != h.B {
			t.Errorf("%v: the last of %d steps is %+v, the model %+v", solver, len(steps), last, m)
		}
		for i := 1; i < len(steps); i++ {
			if steps[i].Objective > steps[i-1].Objective*(1+1e-12) {
				t.Errorf("%v: step %d raises the objective from %v to %v", solver, i, steps[i-1].Objective, steps[i].Objective)
			}
		}
		l.Trace = func(s Step) bool { return s.Iteration < 2 }
		if m, err := l.Fit(X, y); err != nil || m.Iterations != 2 || m.Converged || m.Objective != steps[1].Objective {
			t.Errorf("%v, stopped: %+v, %v, want the model after 2 iterations", solver, m, err)
		}
	}
}

func TestLogisticNotConverged(t *testing.T) {
	X, y := samples.VersicolorVirginica(t)
	for _, l := range []Regression{{MaxIter: 2}, {MaxIter: 2, L1: 0.1}, {MaxIter: 2, Solver: LBFGS}, {MaxIter: 2, L1: 0.1, Solver: CoordinateDescent}} {
		m, err := l.Fit(X, y)
		var e *mlkit.NotConvergedError
		if !errors.As(err, &e) || e.Iterations != 2 || m.Iterations != 2 || m.Converged || e.Model != any(m) || !(e.Residual > 1e-8) {
			t.Errorf("%v, %+v", err, m)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, l := range []Regression{{}, {L1: 1}, {Solver: LBFGS}, {L1: 1, Solver: CoordinateDescent}} {
		m, err := l.FitWith(mlkit.Options{Context: ctx}, X, y)
		if !errors.Is(err, context.Canceled) || m == nil || m.Iterations != 0 || m.LogLikelihood != -100*math.Ln2 {
			t.Errorf("%v, %+v, want context.Canceled", err, m)
		}
		s, err := l.FitWith(mlkit.Options{Context: ctx}, X, third(y))
		if !errors.Is(err, context.Canceled) || s == nil || s.Iterations != 0 || math.Abs(s.LogLikelihood+100*math.Log(3)) > 1e-12 {
			t.Errorf("%v, %+v, want context.Canceled", err, s)
		}
	}
	for _, l := range []Regression{{Solver: Newton}, {Solver: LBFGS}, {L1: 0.1, Solver: CoordinateDescent}} {
		ctx, cancel := context.WithCancel(context.Background())
		l.Trace = func(s Step) bool {
			if s.Iteration == 3 {
				cancel()
			}
			return true
		}
		m, err := l.FitWith(mlkit.Options{Context: ctx}, X, y)
		if !errors.Is(err, context.Canceled) || m.Iterations != 3 || !check.Finite(m.Objective) {
			t.Errorf("%v, %+v, want context.Canceled after 3 iterations", err, m)
		}
	}
}

// Balanced labels that don't depend on the one column: θ = 0 is the maximum.
func TestLogisticAtZero(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{-1, 1, -1, 1}), []int{-1, -1, 1, 1}
	for _, l := range []Regression{{}, {Solver: LBFGS}, {L1: 1}, {L1: 1, Solver: CoordinateDescent}} {
		m, err := l.Fit(X, y)
		if h := hyperplane(t, m); err != nil || h.W[0] != 0 || h.B != 0 || math.Abs(m.Objective-4*math.Ln2) > 1e-12 || !m.Converged {
			t.Errorf("%+v, %v, want 0", m, err)
		}
	}
}

func TestLogisticRefused(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{-2, 0, 1, 3}), []int{-1, 1, -1, 1}
	for _, c := range []struct {
		l    Regression
		X    *mat.Dense
		y    []int
		want string
	}{
		{Regression{L2: -1}, X, y, "logistic: Regression.L2 = -1, want a positive number, or 0 for none"},
		{Regression{L1: math.NaN()}, X, y, "logistic: Regression.L1 = NaN, want a positive number, or 0 for none"},
		{Regression{Tol: math.Inf(1)}, X, y, "logistic: Regression.Tol = +Inf, want a positive number, or 0 for the solver's own"},
		{Regression{Solver: -1}, X, y, "logistic: Regression.Solver = -1, want ByShape, Newton, LBFGS or CoordinateDescent"},
		{Regression{Solver: 4}, X, y, "logistic: Regression.Solver = 4, want ByShape, Newton, LBFGS or CoordinateDescent"},
		{Regression{Solver: LBFGS, L1: 1}, X, y, "logistic: Regression.Solver = LBFGS, want Newton or CoordinateDescent with L1, which is not smooth"},
		{Regression{Solver: CoordinateDescent, L2: 1}, X, y, "logistic: Regression.Solver = CoordinateDescent, want Newton or LBFGS without L1"},
		{Regression{MaxIter: -1}, X, y, "logistic: Regression.MaxIter = -1, want a positive number, or 0 for the solver's own"},
		{Regression{}, mat.NewDense(4, 1, []float64{-1.7e308, -1.7e308, -1.7e308, 1.7e308}), y, "logistic: Regression: column 0 of X has deviation above 1e300, want one from 1e-300 to 1e300; scale it"},
		{Regression{}, nil, y, "logistic: X is nil, want an n×d matrix, one sample a row"},
		{Regression{}, X, y[:2], "logistic: len(y) = 2, want 4, one label for each row of X"},
	} {
		m, err := c.l.Fit(c.X, c.y)
		if m != nil || err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		s, err := c.l.Fit(c.X, third(c.y))
		if s != nil || err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("classes: %v, want %s", err, c.want)
		}
	}
	const one = "logistic: y has only the label 7 in its 4 rows, want at least two"
	if m, err := (Regression{}).Fit(X, []int{7, 7, 7, 7}); m != nil || err == nil || err.Error() != one {
		t.Errorf("%v, want %s", err, one)
	}
}

// The error says how the classes are separated: two by one hyperplane, three by several, or only some
// samples. In the last case of three classes, classes 0 and 1 coincide and class 2 lies apart.
func TestSaysSeparable(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		y    []int
		want string
	}{
		{[]float64{-2, -1, 1, 2}, []int{-1, -1, 1, 1}, "a hyperplane has all samples on their own sides"},
		{[]float64{-1, 0, 0, 1}, []int{-1, -1, 1, 1}, "a hyperplane has some samples on it"},
		{[]float64{0, 0, 1, 0, 0, 1}, []int{0, 1, 2}, "hyperplanes separate the classes from one another"},
		{[]float64{0, 0, 0, 0, 1, 0}, []int{0, 1, 2}, "longer weights in one direction make some samples more likely and none less likely"},
	} {
		X := mat.NewDense(len(c.y), len(c.x)/len(c.y), c.x)
		_, err := Regression{}.Fit(X, c.y)
		var e *SeparableError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %v: %v, want %q in it", c.x, c.y, err, c.want)
		}
	}
}
