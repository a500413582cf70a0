package discriminant

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

// scores implements the method Scores of a model with the method Score.
func scores(dst []float64, X mat.Matrix, score func(x []float64) float64) []float64 {
	n, _, row := rows.Of(X)
	dst = rows.Destination("discriminant", "Scores", dst, n)
	for i := range dst {
		dst[i] = score(row(i))
	}
	return dst
}

// predictions implements the method Predictions of a model with the method Predict.
func predictions(dst []int, X mat.Matrix, predict func(x []float64) int) []int {
	n, _, row := rows.Of(X)
	dst = rows.Destination("discriminant", "Predictions", dst, n)
	for i := range dst {
		dst[i] = predict(row(i))
	}
	return dst
}

// zeros returns n rows of d zeros.
func zeros(n, d int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, d)
	}
	return rows
}
