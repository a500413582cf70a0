package linear

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// cmu returns the worked example of CMU, "Perceptron Algorithm: Example".
func cmu() (*mat.Dense, []int) {
	return mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1}), []int{-1, +1, +1, -1, -1, +1}
}

// theodoridis returns example 3.2 of Theodoridis: ω1 is +1, ω2 is -1.
func theodoridis() (*mat.Dense, []int) {
	return mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0}), []int{+1, +1, -1, -1}
}

// xor returns the exclusive or with inputs and output ±1, which is not separable.
func xor() (*mat.Dense, []int) {
	return mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1}), []int{-1, +1, +1, -1}
}

// iris returns setosa (-1) and versicolor (+1), 100×4.
func iris(t *testing.T) (*mat.Dense, []int) {
	t.Helper()
	f, err := os.Open("testdata/iris-setosa-versicolor.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	X, y := mat.NewDense(len(records), 4, nil), make([]int, len(records))
	for i, record := range records {
		for j := range 4 {
			v, err := strconv.ParseFloat(record[j], 64)
			if err != nil {
				t.Fatal(err)
			}
			X.Set(i, j, v)
		}
		if y[i], err = strconv.Atoi(record[4]); err != nil {
			t.Fatal(err)
		}
	}
	return X, y
}
