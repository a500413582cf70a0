package linear

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Of equal margins the first is the smallest.
func TestFirstOfEqualMargins(t *testing.T) {
	m, err := Hyperplane{W: []float64{1}}.Margins(mat.NewDense(4, 1, []float64{3, 2, -2, 2}), []int{+1, +1, -1, +1})
	if err != nil || m.Smallest != 1 {
		t.Errorf("row %d, %v, want row 1", m.Smallest, err)
	}
}
