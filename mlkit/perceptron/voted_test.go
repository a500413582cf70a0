package perceptron

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
)

// CMU's example in one pass, by hand: (1,-2) after the first sample, right on the
// second; (2,-1) after the third, right on the fourth; (3,1) after the fifth, right on
// the sixth. So each has 2 votes, and the average is (2, -2/3). In a second pass (3,1)
// is right six more times.
func TestVotedCMU(t *testing.T) {
	X, y := samples.CMU()
	for _, c := range []struct {
		epochs  int
		votes   []int
		average []float64
	}{
		{1, []int{2, 2, 2}, []float64{2, -2.0 / 3}},
		{2, []int{2, 2, 8}, []float64{2.5, 1.0 / 6}},
	} {
		m := fitted(t, Voted{Bias: mlkit.NoBias, Epochs: c.epochs}.Fit, X, y)
		want := &VotedModel{
			Hyperplanes: []mlkit.Hyperplane{{W: []float64{1, -2}}, {W: []float64{2, -1}}, {W: []float64{3, 1}}},
			Votes:       c.votes, Mistakes: 3, Epochs: c.epochs,
		}
		if !reflect.DeepEqual(m, want) {
			t.Errorf("model = %+v, want %+v", m, want)
		}
		a := fitted(t, Averaged{Bias: mlkit.NoBias, Epochs: c.epochs}.Fit, X, y)
		for j, w := range c.average {
			if math.Abs(a.W[j]-w) > 1e-15 {
				t.Errorf("average %v, want %v", a.W, c.average)
			}
		}
		if !slices.Equal(a.Last.W, []float64{3, 1}) || a.Mistakes != 3 || a.Epochs != c.epochs {
			t.Errorf("averaged model = %+v", a)
		}
	}
}

// By hand, with the votes 2, 2, 2 of one pass: (1, 1) scores -1, 1, 4, so 2 + 2 - 2
// votes. (0, 1) scores -2, -1, 1. (1, 2) scores -3, 0, 5: the second abstains, and a
// tie predicts +1.
func TestVotes(t *testing.T) {
	X, y := samples.CMU()
	m := fitted(t, Voted{Bias: mlkit.NoBias, Epochs: 1}.Fit, X, y)
	for _, c := range []struct {
		x     []float64
		score float64
		label int
	}{
		{[]float64{1, 1}, 2, +1},
		{[]float64{0, 1}, -2, -1},
		{[]float64{1, 2}, 0, +1},
	} {
		if m.Score(c.x) != c.score || m.Predict(c.x) != c.label {
			t.Errorf("%v: %v votes, label %d, want %v, %d", c.x, m.Score(c.x), m.Predict(c.x), c.score, c.label)
		}
	}
	if s := m.Score([]float64{math.NaN(), 0}); !math.IsNaN(s) {
		t.Errorf("score %v of NaN", s)
	}
}

// On the exclusive or the perceptron cycles, which is no reason to stop early: by hand,
// all four samples are mistakes in each pass.
func TestVotedGoesOn(t *testing.T) {
	X, y := samples.XOR()
	m, err := Voted{Epochs: 3}.Fit(X, y)
	if err != nil || m.Epochs != 3 || m.Mistakes != 12 {
		t.Errorf("model %+v, %v, want 12 mistakes in 3 passes", m, err)
	}
}

func TestVotedStops(t *testing.T) {
	X, y := samples.CMU()
	m, err := Voted{Bias: mlkit.NoBias, Trace: func(s Step) bool { return s.Step < 3 }}.Fit(X, y)
	if err != nil || !slices.Equal(m.Votes, []int{2, 1}) || m.Epochs != 1 {
		t.Errorf("stopped by Trace: %+v, %v, want votes 2, 1", m, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err = Voted{}.FitWith(mlkit.Options{Context: ctx}, X, y)
	if !errors.Is(err, context.Canceled) || m == nil || m.Score([]float64{1, 2}) != 0 || len(m.Average().W) != 0 {
		t.Errorf("cancelled: %+v, %v", m, err)
	}
	a, err := Averaged{}.FitWith(mlkit.Options{Context: ctx}, X, y)
	var left *mlkit.NotConvergedError
	if !errors.As(err, &left) || left.Model != a || left.Algorithm != "perceptron: Averaged" || a.Score([]float64{1, 2}) != 0 {
		t.Errorf("cancelled: %+v, %v", a, err)
	}
}
