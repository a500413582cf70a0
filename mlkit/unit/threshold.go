package unit

import (
	"fmt"

	"marginalia/mlkit"
)

// Threshold is the threshold logic unit (Warren McCulloch and Walter Pitts, "A
// logical calculus of the ideas immanent in nervous activity", 1943; EE-559, "A bit of
// history"). Its inputs and its output 1{w·x + b ≥ 0} are 0 or 1. As a Hyperplane it
// predicts -1 instead of 0.
type Threshold struct{ mlkit.Hyperplane }

// Output returns 1 if w·x + b ≥ 0 and 0 otherwise. It panics unless x is as long as
// W.
func (u Threshold) Output(x []float64) float64 { return step(u.Score(x)) }

// And returns the unit that outputs 1 if all of its n inputs are 1:
// 1{Σ xᵢ - (n - ½) ≥ 0}. For two inputs this is EE-559's 1{a + b - 1.5 ≥ 0}. It panics
// if n < 1.
func And(n int) Threshold { return countingUnit("And", n, float64(n)-0.5) }

// Or returns the unit that outputs 1 if any of its n inputs is 1: 1{Σ xᵢ - ½ ≥ 0}.
// It panics if n < 1.
func Or(n int) Threshold { return countingUnit("Or", n, 0.5) }

// Not returns the unit that outputs 1 if its input is 0: 1{-a + ½ ≥ 0}.
func Not() Threshold { return Threshold{mlkit.Hyperplane{W: []float64{-1}, B: 0.5}} }

// countingUnit returns the unit that outputs 1 if the sum of its n inputs is at least
// threshold.
func countingUnit(name string, n int, threshold float64) Threshold {
	if n < 1 {
		panic(fmt.Sprintf("unit: %s: n = %d, want at least 1", name, n))
	}
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return Threshold{mlkit.Hyperplane{W: w, B: -threshold}}
}

// Boolean returns a network of threshold units that computes a Boolean function
// ("any Boolean function can be built with such units", EE-559). truth is its truth
// table. The rows are in the order of the binary numbers formed by the inputs, the
// first input being the highest digit: for two inputs (0,0), (0,1), (1,0), (1,1).
//
// The first layer has one unit per true row, the AND of the inputs or their negations,
// Σ over ones xᵢ - Σ over zeros xᵢ - (ones - ½) ≥ 0. The second layer is the OR of
// these units. Boolean returns an error unless len(truth) is 2, 4, 8, …
func Boolean(truth []bool) (Network, error) {
	inputs := 0
	for 1<<inputs < len(truth) {
		inputs++
	}
	if inputs == 0 || 1<<inputs != len(truth) {
		return nil, fmt.Errorf("unit: Boolean: len(truth) = %d, want a power of 2, at least 2", len(truth))
	}
	rows := Layer{Activation: Step}
	for i, value := range truth {
		if !value {
			continue
		}
		w, ones := make([]float64, inputs), 0
		for j := range w {
			if w[j] = -1; i>>(inputs-1-j)&1 == 1 {
				w[j] = 1
				ones++
			}
		}
		rows.W, rows.B = append(rows.W, w), append(rows.B, 0.5-float64(ones))
	}
	if len(rows.B) == 0 { // constantly false: a unit that never outputs 1
		rows.W, rows.B = [][]float64{make([]float64, inputs)}, []float64{-1}
	}
	or := Or(len(rows.B))
	return Network{rows, {W: [][]float64{or.W}, B: []float64{or.B}, Activation: Step}}, nil
}
