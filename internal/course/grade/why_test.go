package grade

import (
	"slices"
	"testing"
	"time"

	"marginalia/internal/course/gradebook"
	"marginalia/internal/sandbox/verdict"
)

// A mark that changes has its reasons: what is another one, and each check that ends
// otherwise. Other notebooks and cells are none of them.
func TestWhy(t *testing.T) {
	noon := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	record := func(when time.Time, version string, most float64, checks ...verdict.Check) *Record {
		return &Record{Submitted: when, Notebooks: []*verdict.Notebook{
			{Notebook: "other", Version: when.String(), Tests: []verdict.Test{{ID: "q", Max: float64(len(checks))}}},
			{Notebook: "ps1", Version: version, Tests: []verdict.Test{{ID: "p"}, {ID: "q", Max: most, Checks: checks}}},
		}}
	}
	check := func(name string, passed bool) verdict.Check {
		return verdict.Check{Name: "TestQ/" + name, Words: name + " is right", Passed: passed}
	}
	was := record(noon, "1", 3, check("a", true), check("b", false), check("c", true))
	change := gradebook.Change{Notebook: "ps1", Cell: "q"}
	for name, c := range map[string]struct {
		before, after *Record
		want          []string
	}{
		"first":      {nil, was, nil},
		"submission": {was, record(noon.Add(time.Hour), "1", 3, check("a", false), check("b", true), check("c", true)), []string{"it is another submission", "now failed: a is right", "now passed: b is right"}},
		"test": {was, record(noon, "2", 2.5, check("a", true), check("b", false), check("d", false), check("e", true)),
			[]string{"the assignment was changed", "new, and failed: d is right", "new, and passed: e is right", "no longer there: c is right", "at most 2.5 points, before 3"}},
		"same": {was, was, nil},
	} {
		if got := why(c.before, c.after, change); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
