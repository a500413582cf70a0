package rows_test

import (
	"slices"
	"testing"

	"marginalia/mlkit/internal/rows"
)

// The rows of weight 0 are left out and their places filled again; nil means all rows.
func TestPresent(t *testing.T) {
	weights := []float64{0, 2, 0, 1, 0.5}
	present := rows.Present(weights)
	if !slices.Equal(present, []int{1, 3, 4}) {
		t.Fatalf("present = %v", present)
	}
	if v := rows.Pick([]string{"a", "b", "c", "d", "e"}, present); !slices.Equal(v, []string{"b", "d", "e"}) {
		t.Errorf("picked %v", v)
	}
	if v := rows.Restore(rows.Pick(weights, present), present, 5); !slices.Equal(v, weights) {
		t.Errorf("restored %v", v)
	}
	if v := rows.Within([]int{10, 11, 12, 13, 14}, present); !slices.Equal(v, []int{11, 13, 14}) || rows.Number(2, v) != 14 {
		t.Errorf("of a selection: %v", v)
	}
	for _, all := range [][]float64{nil, {1, 1, 2, 1, 1}} {
		present := rows.Present(all)
		if present != nil || &rows.Pick(weights, present)[0] != &weights[0] || &rows.Restore(weights, present, 5)[0] != &weights[0] || rows.Number(3, present) != 3 {
			t.Errorf("present = %v, want nil, which copies nothing", present)
		}
	}
	if rows.Pick[float64](nil, present) != nil || rows.Restore(nil, present, 5) != nil {
		t.Error("nil weights do not stay nil")
	}
	if v := rows.Within(nil, present); !slices.Equal(v, present) {
		t.Errorf("within all rows: %v", v)
	}
}
