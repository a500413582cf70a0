//go:build unix

package peer_test

import (
	"errors"
	"math"

	"marginalia/internal/testkit/must"
	"marginalia/mlkit"
	"marginalia/mlkit/perceptron"
)

var perceptronModels = []model{
	{"perceptron", comparePerceptron, []rule{
		{"weights", 1e-9, "the same additions of the same samples, if every mistake is the same"},
		{"decisions", 0, "equal, but where the score is 0"},
	}},
	{"averaged_perceptron", compareAveraged, []rule{
		{"weights", 1e-9, "the same sums, added in another order"},
	}},
}

// comparePerceptron takes mlkit's last hyperplane from the trace, since Fit returns the
// best one it met. scikit-learn's perceptron returns its last one; without a tolerance
// it makes the given number of passes, and it counts a score of 0 as a mistake.
func comparePerceptron(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	y := t.signs(X)
	var last perceptron.Epoch
	_, err := perceptron.Perceptron{MaxIter: 30, Rate: 0.25, TraceEpoch: func(e perceptron.Epoch) bool {
		last = e
		return true
	}}.Fit(X, y)
	if err != nil && !errors.As(err, new(*mlkit.NotConvergedError)) {
		t.Fatal(err)
	}
	var sk struct {
		W         []float64
		B         float64
		Decisions []int
	}
	t.ask(map[string]any{"X": rows(X), "y": y, "rate": 0.25, "epochs": last.Epoch + 1, "Z": rows(X)}, &sk)
	h := last.Hyperplane
	t.near("weights", append(h.W, h.B), append(sk.W, sk.B), 0)
	scores := h.Scores(nil, X)
	t.same("decisions", h.Predictions(nil, X), sk.Decisions, func(i int) bool { return math.Abs(scores[i]) < 1e-9*h.Norm() })
}

// compareAveraged has scikit-learn average the hyperplanes after every step. The votes
// then sum to the number of steps.
func compareAveraged(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	y := t.signs(X)
	epochs := 1 + t.IntN(10)
	m := must.Get(perceptron.Averaged{Epochs: epochs}.Fit(X, y)).Or(t)
	var sk struct {
		W []float64
		B float64
	}
	t.ask(map[string]any{"X": rows(X), "y": y, "epochs": epochs}, &sk)
	t.near("weights", append(m.W, m.B), append(sk.W, sk.B), 0)
}
