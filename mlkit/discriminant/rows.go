package discriminant

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

// eachRow implements the method of a model that sets dst[i] to one of row i of X.
func eachRow[T any](method string, dst []T, X mat.Matrix, one func(x []float64) T) []T {
	n, _, row := rows.Of(X)
	dst = rows.Destination("discriminant", method, dst, n)
	for i := range dst {
		dst[i] = one(row(i))
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

// mustHaveTwo panics unless there are two classes, for a method of a model that is for two.
func mustHaveTwo(method string, classes []int) {
	if err := rows.TwoClasses("discriminant", method, len(classes)); err != nil {
		panic(err.Error() + "; Discriminants has a number for each class, Posterior a probability")
	}
}
