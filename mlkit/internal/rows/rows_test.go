package rows_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

func TestOf(t *testing.T) {
	X := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	for _, c := range []struct {
		name string
		X    mat.Matrix
		want [][]float64
	}{
		{"dense", X, [][]float64{{1, 2, 3}, {4, 5, 6}}},
		{"slice", X.Slice(0, 2, 1, 3), [][]float64{{2, 3}, {5, 6}}},
		{"transpose", X.T(), [][]float64{{1, 4}, {2, 5}, {3, 6}}},
		{"vector", mat.NewVecDense(2, []float64{7, 8}), [][]float64{{7}, {8}}},
	} {
		n, d, row := rows.Of(c.X)
		if n != len(c.want) || d != len(c.want[0]) {
			t.Errorf("%s: %d×%d, want %d×%d", c.name, n, d, len(c.want), len(c.want[0]))
			continue
		}
		for i, want := range c.want {
			if got := row(i); !slices.Equal(got, want) {
				t.Errorf("%s: row %d = %v, want %v", c.name, i, got, want)
			}
		}
	}
}
