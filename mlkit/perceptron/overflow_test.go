package perceptron

import (
	"errors"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// w = 1 separates samples at ±10⁻¹⁷⁰, but in float64 w·x is 0 for every w reached in a
// few passes. Fit must not claim a proof, and its error says what helps.
func TestScoresUnderflow(t *testing.T) {
	X, y := mat.NewDense(2, 1, []float64{1e-170, -1e-170}), []int{+1, -1}
	_, online := Perceptron{}.Fit(X, y)
	_, through := Perceptron{Bias: mlkit.NoBias}.Fit(X, y)
	_, batch := Batch{}.Fit(X, y)
	_, dual := Dual{Bias: mlkit.NoBias}.Fit(X, y)
	for name, err := range map[string]error{"online": online, "through the origin": through, "batch": batch, "dual": dual} {
		if errors.As(err, new(*mlkit.NotSeparableError)) || !errors.As(err, new(*mlkit.NotConvergedError)) || !strings.Contains(err.Error(), "underflow, x·x to at most 0; scale X to larger numbers") {
			t.Errorf("%s: %v, want a NotConvergedError that says what helps", name, err)
		}
	}
	X.Scale(1e20, X)
	if _, err := (Perceptron{Bias: mlkit.NoBias}).Fit(X, y); err != nil {
		t.Errorf("±10⁻¹⁵⁰: %v", err)
	}
}

// A score that overflows is an error with the row and the pass, even if the run itself
// did not compute it: by hand, w = (10²⁰⁰, -1) after one pass, and the first row was
// not visited since.
func TestScoresOverflow(t *testing.T) {
	X, y := mat.NewDense(2, 2, []float64{1e200, 0, 0, 1}), []int{+1, -1}
	voted := Voted{Bias: mlkit.NoBias, Epochs: 1}
	_, errVoted := voted.Fit(X, y)
	_, errAveraged := Averaged(voted).Fit(X, y)
	for name, err := range map[string]error{"Voted": errVoted, "Averaged": errAveraged} {
		want := "perceptron: " + name + ": the score of row 0 is +Inf in pass 0, want a finite number; scale X to smaller numbers"
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	// Perceptron has not converged then: row 0 is as wrong as it can be.
	var e *mlkit.NotConvergedError
	if _, err := (Perceptron{Bias: mlkit.NoBias, MaxIter: 1}).Fit(X, y); !errors.As(err, &e) || e.Residual != 1 {
		t.Errorf("Perceptron: %v, want 1 sample on the wrong side", err)
	}
	// Whichever two rows are drawn, the second has a score of ±10⁴⁰⁰.
	X = mat.NewDense(2, 1, []float64{1e200, 1e200})
	_, err := Pocket{Bias: mlkit.NoBias, Epochs: 1}.Fit(X, y)
	if err == nil || !strings.Contains(err.Error(), "Inf in pass 0, want a finite number") {
		t.Errorf("Pocket: %v, want one of pass 0", err)
	}
}
