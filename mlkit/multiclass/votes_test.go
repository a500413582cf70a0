package multiclass_test

import (
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

// If all scores are negative, the class with the highest wins. The smallest label wins a
// tie of scores or votes.
func TestAllNegativeAndTies(t *testing.T) {
	constant := func(b float64) *svm.LinearModel {
		return &svm.LinearModel{Hyperplane: mlkit.Hyperplane{W: []float64{0}, B: b}}
	}
	for _, c := range []struct {
		scores []float64
		want   int
	}{
		{[]float64{-3, -1, -2}, 5},
		{[]float64{-3, -1, -1}, 5},
		{[]float64{2, 2, 1}, 3},
		{[]float64{-1, 0, 4}, 8},
	} {
		m := multiclass.OneVsRestModel[*svm.LinearModel]{Classes: []int{3, 5, 8}}
		for _, b := range c.scores {
			m.Machines = append(m.Machines, constant(b))
		}
		if got := m.Predict([]float64{1}); got != c.want {
			t.Errorf("scores %v: %d, want %d", c.scores, got, c.want)
		}
	}
	// 3 beats 5, 5 beats 8 and 8 beats 3: one vote for each.
	m := multiclass.OneVsOneModel[*svm.LinearModel]{
		Classes: []int{3, 5, 8}, Pairs: [][2]int{{3, 5}, {3, 8}, {5, 8}},
		Machines: []*svm.LinearModel{constant(1), constant(-1), constant(1)},
	}
	if got := m.Predict([]float64{1}); got != 3 {
		t.Errorf("a vote for each of 3, 5 and 8: %d, want 3", got)
	}
}
