// Package eval measures how well a model does on samples.
package eval

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Errors returns how many rows of X (n×d) the model gives another label than
// y[i]. Divided by n it is the training or test error that the lectures print
// (EE-559, "nb_errors"). The labels may be any ints that the model predicts. The
// error names what is wrong with X or y.
func Errors(m mlkit.Predictor, X *mat.Dense, y []int) (int, error) {
	if err := check.Samples("eval", X); err != nil {
		return 0, err
	}
	if n, _ := X.Dims(); len(y) != n {
		return 0, fmt.Errorf("eval: len(y) = %d, want %d, one label for each row of X", len(y), n)
	}
	count := 0
	for i, label := range m.Predictions(nil, X) {
		if label != y[i] {
			count++
		}
	}
	return count, nil
}
