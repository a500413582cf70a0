package svm

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/mlkittest"
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
	want, err := c.FitWeighted(X, y, products)
	if err != nil {
		t.Fatal(err)
	}
	c.ClassWeights = map[int]float64{+1: 3}
	m, err := c.FitWeighted(X, y, weights)
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
			if err := mlkittest.TestAbsence(func(X *mat.Dense, y []int, weights []float64) (r traced, err error) {
				if c.Trace = nil; len(y) < 100 { // a trace takes long with many samples
					c.Trace = func(s Step) bool {
						rows := []int{s.I, s.J}
						s.I, s.J = 0, 0
						r.Steps = append(r.Steps, step{rows, s})
						return true
					}
				}
				if c.Start = nil; warm {
					c.Start = startOf(weights, len(y))
				}
				r.Model, err = c.FitWeighted(X, y, weights)
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
	type traced struct {
		Model *LinearModel
		Steps []LinearStep
	}
	type fit func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error)
	fits := map[string]fit{
		"subgradient descent": func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error) {
			return SubgradientDescent{MaxIter: 50, Trace: trace}.FitWeighted(X, y, weights)
		},
		"Pegasos": func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error) {
			return Pegasos{Seed: 3, MaxIter: 20, Trace: trace}.FitWeighted(X, y, weights)
		},
		"Pegasos, batches": func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error) {
			return Pegasos{BatchSize: 5, Project: true, Bias: mlkit.NoBias, MaxIter: 20, Trace: trace}.FitWeighted(X, y, weights)
		},
	}
	for _, bias := range []mlkit.Bias{mlkit.FreeBias, mlkit.PenalisedBias, mlkit.NoBias} {
		fits[fmt.Sprintf("Newton, %v", bias)] = func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error) {
			return Newton{Bias: bias, C: 3, Trace: trace}.FitWeighted(X, y, weights)
		}
		for _, loss := range []Loss{Hinge, SquaredHinge} {
			fits[fmt.Sprintf("dual descent, %v, loss %d", bias, loss)] = func(X *mat.Dense, y []int, weights []float64, trace func(LinearStep) bool) (*LinearModel, error) {
				c := DualDescent{Bias: bias, Loss: loss, Seed: 5, MaxIter: 50, Trace: trace}
				c.Start = &LinearModel{Hyperplane: mlkit.Hyperplane{W: []float64{1, 2}, B: 3}, Alpha: startOf(weights, len(y))}
				return c.FitWeighted(X, y, weights)
			}
		}
	}
	onBothPaths(t, func(t *testing.T) {
		for name, fit := range fits {
			if err := mlkittest.TestAbsence(func(X *mat.Dense, y []int, weights []float64) (r traced, err error) {
				r.Model, err = fit(X, y, weights, func(s LinearStep) bool {
					r.Steps = append(r.Steps, s)
					return true
				})
				return r, err
			}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
