package perceptron

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
)

// Theodoridis, "Example: At some stage t", example 3.1 of the book: w = (1, 1),
// w0 = -0.5, ρ = 0.7, and two samples are wrong, (0.4, 0.05) of ω1 and (-0.20, 0.75) of
// ω2: (1, 1, -0.5) + 0.7(0.4, 0.05, 1) - 0.7(-0.20, 0.75, 1) = (1.42, 0.51, -0.5). The
// other two samples are added here; they are right before and after.
func TestBatchStage(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{0.4, 0.05, -0.20, 0.75, 1, 1, -1, -1})
	y := []int{+1, -1, +1, -1}
	var steps []BatchStep
	m, err := Batch{Rate: 0.7, Start: &mlkit.Hyperplane{W: []float64{1, 1}, B: -0.5}, Trace: func(s BatchStep) bool {
		steps = append(steps, s)
		return true
	}}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	s := steps[0]
	if !slices.Equal(s.Wrong, []int{0, 1}) || math.Abs(s.Cost-(0.05+0.05)) > 1e-15 {
		t.Errorf("Y = %v, J = %v, want rows 0 and 1, 0.05 + 0.05", s.Wrong, s.Cost)
	}
	got := append(slices.Clone(s.After.W), s.After.B)
	for j, want := range []float64{1.42, 0.51, -0.5} {
		if math.Abs(got[j]-want) > 1e-15 {
			t.Errorf("w(t+1) = %v, want (1.42, 0.51, -0.5)", got)
			break
		}
	}
	last := steps[len(steps)-1]
	if last.Cost != 0 || last.Wrong != nil || !reflect.DeepEqual(last.After, m.Hyperplane) || len(steps) != m.Epochs {
		t.Errorf("the last of %d steps is %+v, want J = 0 for %+v", len(steps), last, m)
	}
}

// By hand: from 0 all six samples of CMU are in Y, and
// Σ yᵢxᵢ = (1,-2) + (1,0) + (1,1) + (1,0) + (1,2) + (1,-1) = (6, 0), which separates
// them.
func TestBatchCMU(t *testing.T) {
	X, y := samples.CMU()
	m, err := Batch{Bias: mlkit.NoBias}.Fit(X, y)
	want := &Model{
		Hyperplane: mlkit.Hyperplane{W: []float64{6, 0}}, Mistakes: 6, Epochs: 2, Steps: 12, MistakesPerEpoch: []int{6, 0}, Converged: true,
	}
	if err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("model = %+v, %v, want %+v", m, err, want)
	}
}

// Theodoridis' four points by hand: Σ yᵢ(xᵢ,
// 1) = (-1,0,1) + (0,1,1) - (0,-1,1) - (1,0,1) = (-2, 2, 0) is twice the solution of
// example 3.2.
func TestBatchTheodoridis(t *testing.T) {
	X, y := samples.Theodoridis()
	m, err := Batch{}.Fit(X, y)
	if err != nil || !slices.Equal(m.W, []float64{-2, 2}) || m.B != 0 || m.Epochs != 2 {
		t.Errorf("model = %+v, %v, want w = (-2, 2), b = 0 in 2 passes", m, err)
	}
}

// Yuille's K² = 25 by hand: (3, 4) is positive, (-3, 0) and (0, 1) are negative.
// Σ yᵢxᵢ = (6, 3) and Σ yᵢ = -1, so b = -25 after the first step.
func TestBatchRadius(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{3, 4, -3, 0, 0, 1})
	m, err := Batch{Bias: mlkit.RadiusBias, Trace: func(BatchStep) bool { return false }}.Fit(X, []int{+1, -1, -1})
	if err != nil || !slices.Equal(m.W, []float64{6, 3}) || m.B != -25 {
		t.Errorf("%+v, %v, want (6, 3), -25", m, err)
	}
}

// ρ₁, ρ₂, … as passed to the trace. The schedule 1, 2, 3, … makes each step after the
// first a different one.
func TestSchedule(t *testing.T) {
	X, y := separable(rand.New(rand.NewPCG(3, 4)), 60, 3, 0.02)
	for _, c := range []struct {
		name     string
		schedule func(t int) float64
		want     func(t int) float64
	}{
		{"constant", nil, func(int) float64 { return 0.5 }},
		{"harmonic", Harmonic, func(t int) float64 { return 0.5 / float64(t) }},
		{"own", func(t int) float64 { return float64(t) }, func(t int) float64 { return 0.5 * float64(t) }},
	} {
		steps := 0
		m, err := Batch{Rate: 0.5, Schedule: c.schedule, MaxIter: 20000, Trace: func(s BatchStep) bool {
			steps++
			if s.Step != steps || s.Rate != c.want(s.Step) {
				t.Fatalf("%s: step %d has rate %v, want step %d, rate %v", c.name, s.Step, s.Rate, steps, c.want(steps))
			}
			cost, gradient, err := Cost(s.Before, X, y)
			if err != nil || math.Abs(cost-s.Cost) > 1e-12 {
				t.Fatalf("%s: J = %v in the trace, %v by Cost, %v", c.name, s.Cost, cost, err)
			}
			for j, g := range gradient.W { // w(t+1) = w(t) - ρₜ ∂J/∂w
				if want := s.Before.W[j] - s.Rate*g; math.Abs(s.After.W[j]-want) > 1e-12*(1+math.Abs(want)) {
					t.Fatalf("%s: step %d goes to %v, want %v", c.name, s.Step, s.After.W[j], want)
				}
			}
			if want := s.Before.B - s.Rate*gradient.B; math.Abs(s.After.B-want) > 1e-12*(1+math.Abs(want)) {
				t.Fatalf("%s: step %d goes to b = %v, want %v", c.name, s.Step, s.After.B, want)
			}
			return true
		}}.Fit(X, y)
		if err != nil || !m.Converged || steps < 3 {
			t.Errorf("%s: %d steps, %v, want a solution after some", c.name, steps, err)
			continue
		}
		if margins, _ := m.Margins(X, y); !(margins.MinFunctional() > 0) {
			t.Errorf("%s: smallest margin %v", c.name, margins.MinFunctional())
		}
	}
}

// J is linear as long as no sample changes sides, so a difference quotient equals the
// gradient.
func TestPerceptronCost(t *testing.T) {
	X, y := samples.XOR()
	h := mlkit.Hyperplane{W: []float64{0.3, -0.7}, B: 0.2}
	// By hand: the scores 0.6, -0.8, 1.2, -0.2 times y are -0.6, -0.8, 1.2, 0.2.
	J, g, err := Cost(h, X, y)
	if err != nil || math.Abs(J-1.4) > 1e-15 {
		t.Errorf("J = %v, %v, want 0.6 + 0.8", J, err)
	}
	// -Σ yx over row 0, (-1,-1) with -1, and row 1, (-1,1) with +1: -((1,1) + (-1,1)).
	if !slices.Equal(g.W, []float64{0, -2}) || g.B != 0 {
		t.Errorf("gradient %+v, want (0, -2), 0", g)
	}
	const e = 1.0 / 1024
	up := mlkit.Hyperplane{W: []float64{0.3, -0.7 + e}, B: 0.2}
	if K, _, _ := Cost(up, X, y); math.Abs((K-J)/e+2) > 1e-10 {
		t.Errorf("difference quotient %v, want -2", (K-J)/e)
	}
	if _, _, err := Cost(mlkit.Hyperplane{W: []float64{1}}, X, y); err == nil || err.Error() != "perceptron: X has 2 columns, want 1, the length of W" {
		t.Errorf("err = %v", err)
	}
}

// The exclusive or, from 0: Σ yᵢ(xᵢ, 1) = 0, so the weights are unchanged after one
// pass, and α = (1, 1, 1, 1) is the proof.
func TestBatchNotSeparable(t *testing.T) {
	X, y := samples.XOR()
	m, err := Batch{}.Fit(X, y)
	var not *mlkit.NotSeparableError
	if !errors.As(err, &not) || !slices.Equal(not.Alpha, []float64{1, 1, 1, 1}) || m == nil || not.Fit.Model != m || m.Converged {
		t.Errorf("%+v, %v, want a proof", m, err)
	}
	if want := "perceptron: Batch: not separable: "; err.Error()[:len(want)] != want {
		t.Errorf("err = %v, want it to begin with %q", err, want)
	}
	// With a schedule, recurring weights need not recur again.
	_, err = Batch{Schedule: Harmonic, MaxIter: 9}.Fit(X, y)
	if errors.As(err, &not) || err == nil {
		t.Errorf("with a schedule: %v, want no proof", err)
	}
	// Fit returns the best hyperplane it tried: start at one with a single mistake, at
	// a rate that leaves it at once.
	start := &mlkit.Hyperplane{W: []float64{1, 1}, B: 1.5} // scores -0.5, 1.5, 1.5, 3.5
	m, err = Batch{Start: start, Rate: 10, Schedule: Harmonic, MaxIter: 7}.Fit(X, y)
	var left *mlkit.NotConvergedError
	if !errors.As(err, &left) || left.Iterations != 7 || left.Residual != 1 || m.Epochs != 7 {
		t.Errorf("%+v, %v, want 1 mistake after 7 passes", m, err)
	}
	if wrong := samples.Errors(m, X, y); wrong != 1 {
		t.Errorf("%d mistakes of the model, want 1", wrong)
	}
}

func TestBatchStops(t *testing.T) {
	X, y := samples.CMU()
	m, err := Batch{Bias: mlkit.NoBias, Trace: func(BatchStep) bool { return false }}.Fit(X, y)
	if err != nil || m.Converged || m.Epochs != 1 || !slices.Equal(m.W, []float64{6, 0}) {
		t.Errorf("stopped by Trace: %+v, %v, want one step", m, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err = Batch{}.FitWith(mlkit.Options{Context: ctx}, X, y)
	if !errors.Is(err, context.Canceled) || m == nil || m.Mistakes != 0 {
		t.Errorf("cancelled: %+v, %v", m, err)
	}
}
