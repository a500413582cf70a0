package grade

import (
	"fmt"

	"marginalia/internal/course/gradebook"
	"marginalia/internal/sandbox/verdict"
)

// A Change is a mark that is another one than before.
type Change struct {
	gradebook.Change
	Why []string // one reason each; none if the earlier verdict is not known
}

// why says what has led from one mark of a cell to another: what was changed, and the checks
// that end otherwise. Without an earlier record it says nothing.
func why(before, after *Record, c gradebook.Change) (reasons []string) {
	if before == nil {
		return nil
	}
	was, is := testOf(before, c), testOf(after, c)
	if !before.Submitted.Equal(after.Submitted) {
		reasons = append(reasons, "it is another submission")
	}
	if was.version != is.version {
		reasons = append(reasons, "the assignment was changed")
	}
	ended := map[string]bool{}
	for _, k := range was.Checks {
		ended[k.Name] = k.Passed
	}
	for _, k := range is.Checks {
		passed, there := ended[k.Name]
		delete(ended, k.Name)
		switch {
		case !there && k.Passed:
			reasons = append(reasons, "new, and passed: "+k.Words)
		case !there:
			reasons = append(reasons, "new, and failed: "+k.Words)
		case k.Passed && !passed:
			reasons = append(reasons, "now passed: "+k.Words)
		case passed && !k.Passed:
			reasons = append(reasons, "now failed: "+k.Words)
		}
	}
	for _, k := range was.Checks {
		if _, gone := ended[k.Name]; gone {
			reasons = append(reasons, "no longer there: "+k.Words)
		}
	}
	if was.Max != is.Max {
		reasons = append(reasons, fmt.Sprintf("at most %s points, before %s", points(is.Max), points(was.Max)))
	}
	return reasons
}

// A versioned test is one with the version of its assignment.
type versioned struct {
	verdict.Test
	version string
}

func testOf(r *Record, c gradebook.Change) (v versioned) {
	for _, nb := range r.Notebooks {
		if nb.Notebook == c.Notebook {
			v.version = nb.Version
			for _, t := range nb.Tests {
				if t.ID == c.Cell {
					v.Test = t
				}
			}
		}
	}
	return v
}
