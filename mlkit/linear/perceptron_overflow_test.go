package linear

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A score out of range is refused, with the row and the pass, also where the run itself
// has not met it: after one pass w = (10²⁰⁰, -1) by hand, and the first row was not
// looked at since.
func TestScoresOverflow(t *testing.T) {
	X, y := mat.NewDense(2, 2, []float64{1e200, 0, 0, 1}), []int{+1, -1}
	voted := VotedPerceptron{Bias: ThroughOrigin, Epochs: 1}
	_, errVoted := voted.Fit(X, y)
	_, errAveraged := AveragedPerceptron(voted).Fit(X, y)
	for name, err := range map[string]error{"VotedPerceptron": errVoted, "AveragedPerceptron": errAveraged} {
		want := "linear: " + name + ": the score of row 0 is +Inf in pass 0, want a finite number; scale X to smaller numbers"
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	// Whatever two draws are, the second one has a score of ±10⁴⁰⁰.
	X = mat.NewDense(2, 1, []float64{1e200, 1e200})
	_, err := Pocket{Bias: ThroughOrigin, Epochs: 1}.Fit(X, y)
	if err == nil || !strings.Contains(err.Error(), "Inf in pass 0, want a finite number") {
		t.Errorf("Pocket: %v, want one of pass 0", err)
	}
}
