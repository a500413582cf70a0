package property

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Two runs draw the same values, and not one value again and again.
func TestCheck(t *testing.T) {
	var runs [2][]int
	for i := range runs {
		Check(t, func(t *rapid.T) { runs[i] = append(runs[i], rapid.Int().Draw(t, "v")) })
	}
	if !slices.Equal(runs[0], runs[1]) {
		t.Errorf("the first run drew %v, the second %v", runs[0], runs[1])
	}
	if values := slices.Compact(slices.Sorted(slices.Values(runs[0]))); len(values) < 10 {
		t.Errorf("a run drew only %v", values)
	}
}
