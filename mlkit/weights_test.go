package mlkit_test

import (
	"maps"
	"testing"

	"marginalia/mlkit"
)

// Every class has the total weight n/k, whatever its labels and its size.
func TestBalancedWeights(t *testing.T) {
	for _, c := range []struct {
		y    []int
		want map[int]float64
	}{
		{[]int{7, 7, 7, -1}, map[int]float64{7: 4. / (2 * 3), -1: 4. / (2 * 1)}},
		{[]int{0, 1, 2, 1, 1, 2}, map[int]float64{0: 6. / (3 * 1), 1: 6. / (3 * 3), 2: 6. / (3 * 2)}},
		{[]int{5, 5}, map[int]float64{5: 1}},
		{nil, map[int]float64{}},
	} {
		if got := mlkit.BalancedWeights(c.y); !maps.Equal(got, c.want) {
			t.Errorf("labels %v have the weights %v, want %v", c.y, got, c.want)
		}
	}
}
