package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The passes over many samples are those one sample after another: in whole numbers
// nothing is rounded.
func TestQuickPerceptron(t *testing.T) {
	const n, d = quickFrom + 77, 5
	r := rand.New(rand.NewPCG(3, 4))
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = 2*r.IntN(2) - 1
		for j := range d {
			X.Set(i, j, float64(r.IntN(21)-10+y[i]))
		}
	}
	for _, p := range []Perceptron{{MaxEpochs: 3}, {MaxEpochs: 3, ZeroIsPositive: true}, {MaxEpochs: 2, Bias: ThroughOrigin, Rate: 0.5}} {
		got, gotErr := p.Fit(X, y)
		q := p
		q.Trace = func(PerceptronStep) bool { return true } // is shown every step
		want, wantErr := q.Fit(X, y)
		if !slices.Equal(got.W, want.W) || got.B != want.B || got.Mistakes != want.Mistakes || got.Steps != want.Steps ||
			!slices.Equal(got.MistakesPerEpoch, want.MistakesPerEpoch) || gotErr.Error() != wantErr.Error() {
			t.Errorf("%+v: %+v, %v, want %+v, %v", p, got, gotErr, want, wantErr)
		}
	}
	X.Set(n-1, 0, math.MaxFloat64)
	_, got := Perceptron{Rate: 1e10}.Fit(X, y)
	_, want := Perceptron{Rate: 1e10, Trace: func(PerceptronStep) bool { return true }}.Fit(X, y)
	if got == nil || want == nil || got.Error() != want.Error() {
		t.Errorf("a score that overflows: %v, want %v", got, want)
	}
}
