package perceptron

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/samples"
)

// Eight points on a line, labelled by their sign except for one on each side. No
// threshold makes fewer than 2 mistakes (the test tries all, both ways round), and the
// pocket finds one that makes 2.
func TestPocketFindsTheBest(t *testing.T) {
	X := mat.NewDense(8, 1, []float64{-4, -3, -2, -1, 1, 2, 3, 4})
	y := []int{-1, -1, +1, -1, +1, -1, +1, +1}
	best := len(y)
	for cut := -4.5; cut < 5; cut++ {
		for _, w := range []float64{1, -1} {
			best = min(best, samples.Errors(mlkit.Hyperplane{W: []float64{w}, B: -w * cut}, X, y))
		}
	}
	if best != 2 {
		t.Fatalf("the best cut has %d mistakes, want 2", best)
	}
	for seed := range uint64(10) {
		m, err := Pocket{Seed: seed}.Fit(X, y)
		if err != nil || m.Errors != 2 || samples.Errors(m, X, y) != 2 || m.Steps != 800 {
			t.Errorf("seed %d: %+v, %v, want 2 mistakes after 800 draws", seed, m, err)
		}
	}
}

// Replays each draw of the trace: the run, the pocket and the ratchet.
func TestPocketTrace(t *testing.T) {
	overlap, labels := samples.Overlapping(rand.New(rand.NewPCG(7, 8)), 60)
	line := mat.NewDense(8, 2, []float64{-4, 0, -3, 0, -2, 0, -1, 0, 1, 0, 2, 0, 3, 0, 4, 0})
	ties := []int{-1, -1, +1, -1, +1, -1, +1, +1} // mistakes are often equal in number
	for _, c := range []struct {
		X  *mat.Dense
		y  []int
		p  Pocket
		c2 float64
	}{
		{overlap, labels, Pocket{Seed: 5, Epochs: 20}, 1},
		{overlap, labels, Pocket{Seed: 5, Epochs: 20, NoRatchet: true}, 1},
		{line, ties, Pocket{Seed: 1}, 1},
		{line, ties, Pocket{Seed: 2, Bias: mlkit.RadiusBias}, 16},
		{line, ties, Pocket{Seed: 3, Bias: mlkit.NoBias}, 0},
		{line, ties, Pocket{Seed: 4, NoRatchet: true}, 1},
	} {
		h, pocket := mlkit.Hyperplane{W: []float64{0, 0}}, mlkit.Hyperplane{W: []float64{0, 0}}
		run, pocketRun, errs, steps := 0, 0, len(c.y), 0
		inPocket := false // whether the current hyperplane is in the pocket
		p := c.p
		p.Trace = func(s PocketStep) bool {
			steps++
			x, label := c.X.RawRowView(s.Index), float64(c.y[s.Index])
			if wrong := label*h.Score(x) <= 0; wrong != s.Mistake || s.Step != steps {
				t.Fatalf("%+v, step %d: mistake %v, want %v", c.p, s.Step, s.Mistake, wrong)
			}
			if s.Mistake {
				h = mlkit.Hyperplane{W: []float64{h.W[0] + label*x[0], h.W[1] + label*x[1]}, B: h.B + label*c.c2}
				run, inPocket = 0, false
			} else {
				run++
				wrong := 0
				for i := range c.y {
					if float64(c.y[i])*h.Score(c.X.RawRowView(i)) <= 0 {
						wrong++
					}
				}
				replace := run > pocketRun && (c.p.NoRatchet || wrong < errs || inPocket)
				if s.Replaced != replace {
					t.Fatalf("%+v, step %d: run %d with %d mistakes: replaced %v", c.p, s.Step, run, wrong, s.Replaced)
				}
				if replace {
					pocket, pocketRun, errs, inPocket = h, run, wrong, true
				}
			}
			if s.Run != run || s.PocketRun != pocketRun || !reflect.DeepEqual(s.Hyperplane, h) || !reflect.DeepEqual(s.Pocket, pocket) {
				t.Fatalf("%+v, %+v, want run %d of %v, pocket %d of %v", c.p, s, run, h, pocketRun, pocket)
			}
			return true
		}
		m, err := p.Fit(c.X, c.y)
		if err != nil || steps != m.Steps || !reflect.DeepEqual(m.Hyperplane, pocket) || m.Errors != errs || m.Run != pocketRun {
			t.Errorf("%+v: %d steps, %+v, %v, want %+v", c.p, steps, m, err, pocket)
		}
	}
}

// With the ratchet, the fit ends when nothing is wrong; without it, after all draws.
func TestPocketEnds(t *testing.T) {
	X, y := samples.CMU()
	m, err := Pocket{}.Fit(X, y)
	if err != nil || m.Errors != 0 || m.Steps >= 600 {
		t.Errorf("%+v, %v, want an end before 600 draws", m, err)
	}
	m, err = Pocket{NoRatchet: true}.Fit(X, y)
	if err != nil || m.Errors != 0 || m.Steps != 600 {
		t.Errorf("without ratchet: %+v, %v, want 600 draws", m, err)
	}
}

// The exclusive or by hand: at best, three of the four points are right.
func TestPocketXor(t *testing.T) {
	X, y := samples.XOR()
	m, err := Pocket{}.Fit(X, y)
	if err != nil || m.Errors != 1 {
		t.Errorf("%+v, %v, want 1 mistake", m, err)
	}
}

func TestPocketStops(t *testing.T) {
	X, y := samples.CMU()
	m, err := Pocket{Trace: func(s PocketStep) bool { return s.Step < 4 }}.Fit(X, y)
	if err != nil || m.Steps != 4 {
		t.Errorf("stopped by Trace: %+v, %v, want 4 draws", m, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err = Pocket{}.FitWith(mlkit.Options{Context: ctx}, X, y)
	if !errors.Is(err, context.Canceled) || m == nil || m.Errors != 6 {
		t.Errorf("cancelled: %+v, %v", m, err)
	}
}
