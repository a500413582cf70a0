package property_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"marginalia/internal/testkit/property"
	"marginalia/internal/testkit/tier"
)

// Two runs draw the same values, and not one value again and again.
func TestCheck(t *testing.T) {
	var runs [2][]int
	for i := range runs {
		property.Check(t, func(t *rapid.T) { runs[i] = append(runs[i], rapid.Int().Draw(t, "v")) })
	}
	if !slices.Equal(runs[0], runs[1]) {
		t.Errorf("the first run drew %v, the second %v", runs[0], runs[1])
	}
	want := tier.Size(t, 5, 100)
	if testing.Short() && tier.IsLong(t) {
		want = 20 // rapid's fifth of the hundred
	}
	if len(runs[0]) != want {
		t.Errorf("a run drew %d values, want %d", len(runs[0]), want)
	}
	if values := slices.Compact(slices.Sorted(slices.Values(runs[0]))); len(values) < 5 {
		t.Errorf("a run drew only %v", values)
	}
}
