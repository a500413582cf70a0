package verdict

import (
	"slices"
	"strings"
)

// Credit is what checks earn together: the shares of those that pass. A check that fails beside its subtests takes away as
// much as one of them is worth, and no more than they have earned.
func Credit(checks []Check) float64 {
	earned := 0.0
	for _, c := range checks {
		if top := !slices.ContainsFunc(checks, func(o Check) bool { return Below(c.Name, o.Name) }); top {
			earned += credit(checks, c)
		}
	}
	return earned
}

func credit(checks []Check, c Check) float64 {
	earned := 0.0
	if c.Passed {
		earned = c.Worth
	}
	for _, sub := range checks {
		if Below(sub.Name, c.Name) && !slices.ContainsFunc(checks, func(o Check) bool { return Below(sub.Name, o.Name) && Below(o.Name, c.Name) }) {
			earned += credit(checks, sub)
		}
	}
	if c.Beside {
		earned = max(0, earned-c.Cost)
	}
	return earned
}

// Below reports whether one check is a subtest of another, or of its subtests.
func Below(name, of string) bool { return strings.HasPrefix(name, of+"/") }
