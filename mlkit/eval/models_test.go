package eval

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit"
)

// line is the least squares line w·x + b of the first column; with w = 0, the mean.
type line struct{ w, b float64 }

func (l line) Score(x []float64) float64 { return l.w*x[0] + l.b }

func (l line) Scores(dst []float64, X mat.Matrix) []float64 {
	n, _ := X.Dims()
	if dst == nil {
		dst = make([]float64, n)
	}
	for i := range dst {
		dst[i] = l.Score(mat.Row(nil, i, X))
	}
	return dst
}

func fitMean(_ *mat.Dense, y []float64) (line, error) { return line{b: stat.Mean(y, nil)}, nil }

func fitLine(X *mat.Dense, y []float64) (line, error) {
	b, w := stat.LinearRegression(mat.Col(nil, 0, X), y, nil, false)
	return line{w, b}, nil
}

// threshold labels a sample by whether its first feature is above it.
type threshold float64

func (t threshold) Predict(x []float64) int {
	if x[0] >= float64(t) {
		return 1
	}
	return -1
}

func (t threshold) Predictions(dst []int, X mat.Matrix) []int {
	n, _ := X.Dims()
	if dst == nil {
		dst = make([]int, n)
	}
	for i := range dst {
		dst[i] = t.Predict(mat.Row(nil, i, X))
	}
	return dst
}

// fitThreshold returns the least sample labelled +1. If that leaves errors, it has not
// converged.
func fitThreshold(X *mat.Dense, y []int) (threshold, error) {
	m := threshold(math.Inf(1))
	for i, label := range y {
		if label > 0 {
			m = min(m, threshold(X.At(i, 0)))
		}
	}
	wrong, err := Misclassified(m, X, y)
	if err != nil {
		return m, err
	}
	if wrong > 0 {
		return m, &mlkit.NotConvergedError{Algorithm: "fake: threshold", Iterations: 1, Residual: float64(wrong), Reason: fmt.Sprint(wrong, " errors"), Model: m}
	}
	return m, nil
}

func second[T any](_ T, err error) error { return err }
