package svm

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
)

// The weight of a row is multiplied by that of its class.
func TestWeightsMultiply(t *testing.T) {
	X, y := irises(t, 1, 2)
	weights, products := slices.Repeat([]float64{1}, len(y)), make([]float64, len(y))
	for i, label := range y {
		if i%2 == 0 {
			weights[i] = 0.25
		}
		products[i] = weights[i]
		if label > 0 {
			products[i] *= 3
		}
	}
	c := Classifier{C: 2}
	want := testkit.Try(c.FitWith(mlkit.Options{Weights: products}, X, y)).Or(t)
	c.ClassWeights = map[int]float64{+1: 3}
	m, err := c.FitWith(mlkit.Options{Weights: weights}, X, y)
	if err != nil || !slices.Equal(m.Bounds, want.Bounds) || !slices.Equal(m.Alpha, want.Alpha) {
		t.Errorf("bounds %v, %v, want %v", m.Bounds, err, want.Bounds)
	}
}

// startOf returns multipliers to start from, with some for samples of weight 0 too, which must
// not have any.
func startOf(weights []float64, n int) []float64 {
	alpha, present := make([]float64, n), 0
	for i := range alpha {
		if alpha[i] = 0.7; weights == nil || weights[i] > 0 {
			alpha[i] = 0.1 * float64(present%3)
			present++
		}
	}
	return alpha
}

// A sample of weight 0 changes no step of Classifier, nor its start, its messages, or the
// multipliers that prove that no hyperplane separates the classes.
func TestClassifierAbsence(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.NoRace(t)
	type step struct {
		Rows []int // the working set
		Step Step
	}
	type traced struct {
		Model *Model
		Steps []step
	}
	for name, c := range map[string]Classifier{
		"linear":      {MaxIter: 1000},
		"Gauss":       {Kernel: kernel.RBF{Gamma: 0.5}, C: 10, ClassWeights: map[int]float64{1: 3}, MaxIter: 300},
		"polynomial":  {Kernel: kernel.Polynomial{Degree: 3, Coef0: 1}, MaxIter: 200},
		"few steps":   {MaxIter: 3},
		"hard":        {C: math.Inf(1), MaxIter: 300},
		"hard, Gauss": {C: math.Inf(1), Kernel: kernel.RBF{Gamma: 5}, MaxIter: 300},
	} {
		for _, warm := range []bool{false, true} {
			if err := mlkittest.TestAbsence(func(o mlkit.Options, X *mat.Dense, y []int) (r traced, err error) {
				if c.Trace = nil; len(y) < 100 { // a trace takes long with many samples
					c.Trace = func(s Step) bool {
						rows := []int{s.I, s.J}
						s.I, s.J = 0, 0
						r.Steps = append(r.Steps, step{rows, s})
						return true
					}
				}
				if c.Start = nil; warm {
					c.Start = startOf(o.Weights, len(y))
				}
				r.Model, err = c.FitWith(o, X, y)
				return r, err
			}); err != nil {
				t.Errorf("%s, warm %v: %v", name, warm, err)
			}
		}
	}
}

// A sample of weight 0 changes no step of the linear machines: nor their scales, orders and
// random draws.
func TestLinearAbsence(t *testing.T) {
	testkit.NoRace(t)
	type traced struct {
		Model *LinearModel
		Steps []LinearStep
	}
	type fit func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error)
	fits := map[string]fit{
		"subgradient descent": func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error) {
			return SubgradientDescent{MaxIter: 50, Trace: trace}.FitWith(mlkit.Options{Weights: weights}, X, y)
		},
		"Pegasos": func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error) {
			return Pegasos{Seed: 3, MaxIter: 20, Trace: trace}.FitWith(mlkit.Options{Weights: weights}, X, y)
		},
		"Pegasos, batches": func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error) {
			return Pegasos{BatchSize: 5, Project: true, Bias: mlkit.NoBias, MaxIter: 20, Trace: trace}.FitWith(mlkit.Options{Weights: weights}, X, y)
		},
	}
	for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias, mlkit.NoBias} {
		fits[fmt.Sprintf("Newton, %v", bias)] = func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error) {
			return Newton{Bias: bias, C: 3, Trace: trace}.FitWith(mlkit.Options{Weights: weights}, X, y)
		}
		for _, loss := range []Loss{Hinge, SquaredHinge} {
			fits[fmt.Sprintf("dual descent, %v, loss %d", bias, loss)] = func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error) {
				c := DualDescent{Bias: bias, Loss: loss, Seed: 5, MaxIter: 50, Trace: trace}
				c.Start = &LinearModel{Hyperplane: mlkit.Hyperplane{W: []float64{1, 2}, B: 3}, Alpha: startOf(weights, len(y))}
				return c.FitWith(mlkit.Options{Weights: weights}, X, y)
			}
		}
	}
	onBothPaths(t, func(t *testing.T) {
		for name, fit := range fits {
			withTrace := func(o mlkit.Options, X *mat.Dense, y []int) (r traced, err error) {
				r.Model, err = fit(X, y, o.Weights, func(s LinearStep) bool {
					r.Steps = append(r.Steps, s)
					return true
				})
				return r, err
			}
			testkit.NoError(t, name, mlkittest.TestAbsence(withTrace))
		}
	})
}

// Messages name the rows of the X that was given, also where rows of weight 0 stand before them,
// and in a machine of several.
func TestRowsOfMessages(t *testing.T) {
	X := mat.NewDense(7, 1, []float64{9, 1, 2, 9, -1, 1e200, -2})
	y, weights := []int{1, 1, 1, -1, -1, -1, -1}, []float64{0, 1, 1, 0, 1, 1, 1}
	fits := map[string]func() error{
		"Classifier":  func() error { _, err := Classifier{}.FitWith(mlkit.Options{Weights: weights}, X, y); return err },
		"DualDescent": func() error { _, err := DualDescent{}.FitWith(mlkit.Options{Weights: weights}, X, y); return err },
		"SubgradientDescent": func() error {
			_, err := SubgradientDescent{}.FitWith(mlkit.Options{Weights: weights}, X, y)
			return err
		},
		"Pegasos": func() error { _, err := Pegasos{}.FitWith(mlkit.Options{Weights: weights}, X, y); return err },
		"FitMachines": func() error {
			p := multiclass.Problem{Rows: []int{1, 3, 4, 5, 6}, Y: []int{1, 1, -1, -1, -1}, Weights: []float64{1, 0, 1, 1, 1}}
			_, errs := Classifier{}.FitMachines(t.Context(), X, []multiclass.Problem{p}, func() {})
			return errs[0]
		},
	}
	for name, fit := range fits {
		if err := fit(); err == nil || !strings.Contains(err.Error(), "X[5]") {
			t.Errorf("%s: %v, want an error of X[5]", name, err)
		}
	}
	// So far from 0 that the kernel of different samples nearly agrees.
	X = mat.NewDense(7, 1, []float64{1e7 + 9, 1e7 + 1, 1e7 + 2, 1e7 + 9, 1e7 - 1, 1e7 + 2, 1e7 - 2})
	if _, err := (Classifier{C: math.Inf(1), Kernel: kernel.Polynomial{Degree: 1, Coef0: 1}}).FitWith(mlkit.Options{Weights: weights}, X, y); err == nil || !strings.Contains(err.Error(), "X[2] and X[5] are the same point") {
		t.Errorf("hard margin: %v, want an error of X[2] and X[5]", err)
	}
}

// A sample of weight 0 has no conditions of optimality, however far away it is.
func TestKKTOfAbsent(t *testing.T) {
	X, y := irises(t, 1, 2)
	weights := slices.Repeat([]float64{1}, len(y))
	for _, i := range []int{0, 60} {
		weights[i] = 0
		X.SetRow(i, []float64{1e12, -1e12, 1e12, 1e12})
		y[i] = -y[i]
	}
	m := testkit.Try(Classifier{Tol: 1e-8}.FitWith(mlkit.Options{Weights: weights}, X, y)).Or(t)
	r, err := KKT(m, X, y)
	if err != nil || r.Max().Value > 1e-7 {
		t.Errorf("%v, %v", r, err)
	}
}

// No product of weights makes a sample absent without an error: the numbers below underflow to 0,
// and the sum of the largest float64 with itself overflows.
func TestExtremeWeights(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{-2, -1, 1, 2}), []int{-1, -1, 1, 1}
	tiny, of := map[int]float64{+1: 1e-200}, func(v float64) mlkit.Options {
		return mlkit.Options{Weights: []float64{1, v, v, 1}}
	}
	for name, err := range map[string]error{
		"Classifier":         second(Classifier{ClassWeights: tiny}.FitWith(of(1e-200), X, y)),
		"DualDescent":        second(DualDescent{ClassWeights: tiny}.FitWith(of(1e-200), X, y)),
		"Newton":             second(Newton{ClassWeights: tiny}.FitWith(of(1e-200), X, y)),
		"SubgradientDescent": second(SubgradientDescent{ClassWeights: tiny}.FitWith(of(1e-200), X, y)),
		"Pegasos":            second(Pegasos{ClassWeights: tiny}.FitWith(of(1e-200), X, y)),
	} {
		if err == nil || !strings.Contains(err.Error(), "weights[2]: C times the weights of the row and of its class is 0") {
			t.Errorf("%s: %v, want an error of weights[2]", name, err)
		}
	}
	for name, err := range map[string]error{
		"SubgradientDescent": second(SubgradientDescent{}.FitWith(of(math.MaxFloat64), X, y)),
		"Pegasos":            second(Pegasos{}.FitWith(of(math.MaxFloat64), X, y)),
	} {
		if err == nil || !strings.Contains(err.Error(), "the sum of the weights overflows") {
			t.Errorf("%s: %v, want an error of the sum", name, err)
		}
	}
	// The hyperplane of the largest margin of these points is x = 0, with w = 1.
	m := testkit.Try(Classifier{C: math.Inf(1), ClassWeights: tiny}.FitWith(of(1e-200), X, y)).Or(t)
	if h, _ := m.Hyperplane(); h.W[0] != 1 || h.B != 0 {
		t.Errorf("a hard margin: %v, want w = 1 and b = 0, as with any weights above 0", h)
	}
}
