package testkit_test

import (
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"marginalia/mlkit/internal/testkit"
)

// MARGINALIA_TEST says which tests run; only without it CI=true does.
func TestSize(t *testing.T) {
	const unset = "unset"
	for _, c := range []struct {
		list, ci string
		want     int
	}{
		{unset, "", 3}, {unset, "true", 70}, {unset, "1", 3}, {"", "true", 3}, {"long", "", 70},
		{"kernel, long", "", 70}, {"all", "", 70}, {"kernel,peer", "true", 3},
	} {
		t.Setenv("CI", c.ci)
		t.Setenv("MARGINALIA_TEST", c.list)
		if c.list == unset {
			os.Unsetenv("MARGINALIA_TEST")
		}
		if got := testkit.Size(t, 3, 70); got != c.want {
			t.Errorf("MARGINALIA_TEST=%q CI=%q: %d, want %d", c.list, c.ci, got, c.want)
		}
		ran := false
		t.Run("long", func(t *testing.T) {
			testkit.Long(t)
			ran = true
		})
		if ran != (c.want == 70) {
			t.Errorf("MARGINALIA_TEST=%q CI=%q: a long test runs: %v", c.list, c.ci, ran)
		}
	}
}

// Two runs draw the same values, and not one value again and again.
func TestCheck(t *testing.T) {
	var runs [2][]int
	for i := range runs {
		testkit.Check(t, func(t *rapid.T) { runs[i] = append(runs[i], rapid.Int().Draw(t, "v")) })
	}
	if !slices.Equal(runs[0], runs[1]) {
		t.Errorf("the first run drew %v, the second %v", runs[0], runs[1])
	}
	if values := slices.Compact(slices.Sorted(slices.Values(runs[0]))); len(values) < 5 {
		t.Errorf("a run drew only %v", values)
	}
}
