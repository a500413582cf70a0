package grade

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/guest/wire"
	"marginalia/internal/sandbox/host"
	"marginalia/internal/sandbox/verdict"
)

// maxOutput bounds what is kept of what a student's code prints in a tests cell, and of what a check says, in bytes.
const maxOutput = 16 << 10

// maxPlace bounds the name of a cell in a place, in bytes.
const maxPlace = 200

// NotImplemented is how a check ends that called an answer which is as it was released.
const NotImplemented = "panic: " + wire.NotImplemented

// test makes the verdict on one tests cell. A check of the solution that has not run is failed.
func (g *Grader) test(t *assignment.Tests, results map[string]host.Result) verdict.Test {
	v := verdict.Test{ID: t.ID, Max: t.Meta.Points}
	for _, name := range t.Funcs {
		r := results[name]
		v.Output += r.Output
		v.Seconds += r.Seconds
		wanted, veil := g.Key.Checks[name], g.veil(t, name)
		if g.Key.Checks == nil {
			wanted = r.Checks
		}
		for _, want := range wanted {
			c := verdict.Check{Name: want.Name}
			c.Words, c.Hidden = words(t, want, veil)
			reached := true
			if i := slices.IndexFunc(r.Checks, func(c host.Check) bool { return c.Name == want.Name }); i >= 0 {
				got := r.Checks[i]
				c.Passed, c.Panic = got.Passed, verdict.Plain(got.Panic, maxOutput)
				for _, m := range got.Messages {
					if !m.Log && (c.Hidden || veil == nil || !veil.says(t, want, m)) {
						c.Messages = append(c.Messages, verdict.Plain(m.Text, maxOutput))
					}
				}
				c.Place = g.fault(got.Frames)
			} else if i := slices.IndexFunc(r.Checks, func(c host.Check) bool { return c.Name == name }); i >= 0 {
				c.Panic = verdict.Plain(r.Checks[i].Panic, maxOutput) // why it was not reached
				reached = false
			}
			if c.Panic != "" && !c.Hidden && veil != nil && (!reached || veil.panics(t, want)) {
				// It may be a hidden line that called the student's code: what that panics with, and
				// where, can say what it was called with. A stub's words can be anyone's.
				c.Place = nil
				if c.Panic != NotImplemented {
					c.Panic = "the test did not come to its end"
				}
			}
			v.Checks = append(v.Checks, c)
		}
	}
	v.Output = verdict.Plain(v.Output, maxOutput)
	share(&v, t.Points)
	for i, c := range v.Checks {
		function, _, _ := strings.Cut(c.Name, "/")
		v.Checks[i].Beside = beside(v.Checks, c, results[function].Checks)
	}
	switch {
	case len(v.Checks) == 0:
	case passed(v):
		v.Score = v.Max
	case t.Subtests:
		v.Score = verdict.Credit(v.Checks)
	}
	return v
}

// beside reports whether a check with subtests fails by something else than those that count. A subtest that the
// solution does not have is such a thing.
func beside(counted []verdict.Check, c verdict.Check, results []host.Check) bool {
	parent, explained := false, false
	for _, k := range counted {
		below := verdict.Below(k.Name, c.Name)
		parent, explained = parent || below, explained || below && !k.Passed
	}
	if c.Passed || len(results) == 0 || !parent {
		return false
	}
	unknown := func(name string) bool { // of no check that counts and stands between them
		return verdict.Below(name, c.Name) && !slices.ContainsFunc(counted, func(k verdict.Check) bool {
			return k.Name == name || verdict.Below(name, k.Name) && verdict.Below(k.Name, c.Name)
		})
	}
	return !explained || slices.ContainsFunc(results, func(r host.Check) bool {
		return r.Name == c.Name && r.Own || unknown(r.Name) && !r.Passed
	})
}

// fault is the student's line at fault: the innermost that is not the lecturer's.
func (g *Grader) fault(frames []host.Place) *verdict.Place {
	for _, f := range frames {
		if !g.Assignment.Lecturers(f.Cell) {
			return &verdict.Place{Cell: verdict.Plain(f.Cell, maxPlace), Line: f.Line} // a program that leaves can print any place
		}
	}
	return nil
}

// share gives each check without subtests its share of the points: those that points names
// theirs, the others what is left in equal parts. A check with subtests costs, when it fails beside them, what they are worth
// on the average.
func share(v *verdict.Test, points map[string]float64) {
	var leaves []*verdict.Check
	named, unnamed := 0.0, 0
	for i, c := range v.Checks {
		if slices.ContainsFunc(v.Checks, func(k verdict.Check) bool { return verdict.Below(k.Name, c.Name) }) {
			continue
		}
		leaves = append(leaves, &v.Checks[i])
		if p, ok := points[c.Name]; ok {
			named += p
		} else {
			unnamed++
		}
	}
	scale := 1.0
	if named > 0 && (unnamed == 0 || named > v.Max) {
		scale = v.Max / named
	}
	for _, c := range leaves {
		if p, ok := points[c.Name]; ok {
			c.Worth = p * scale
		} else {
			c.Worth = max(0, v.Max-named) / float64(unnamed)
		}
	}
	for i, c := range v.Checks {
		sum, n := 0.0, 0
		for _, leaf := range leaves {
			if verdict.Below(leaf.Name, c.Name) {
				sum, n = sum+leaf.Worth, n+1
			}
		}
		if n > 0 {
			v.Checks[i].Cost = sum / float64(n)
		}
	}
}

// misnamed says what of a notebook's settings of partial credit has no effect, though its lecturer may think so.
func (g *Grader) misnamed(nb *nbformat.Notebook) (all assignment.Problems) {
	for _, c := range nb.Cells {
		m, _ := nbgrader.Read(c)
		credit, set := c.Setting("credit")
		points, _ := c.Setting("points")
		switch {
		case set && credit != "subtests":
			all = append(all, assignment.Problem{Cell: cmp.Or(m.ID, c.ID), Text: fmt.Sprintf(`metadata.marginalia.credit: %v, want "subtests", or nothing`, credit)})
		case (set || points != nil) && m.Kind() != nbgrader.Tests:
			all = append(all, assignment.Problem{Cell: cmp.Or(m.ID, c.ID), Text: "metadata.marginalia has credit or points: want them in a tests cell"})
		}
	}
	for _, t := range g.Assignment.Tests {
		var names []string
		for _, f := range t.Funcs {
			for _, c := range g.Key.Checks[f] {
				if !slices.ContainsFunc(g.Key.Checks[f], func(k host.Check) bool { return verdict.Below(k.Name, c.Name) }) {
					names = append(names, c.Name)
				}
			}
		}
		if t.Points != nil && !t.Subtests {
			all = append(all, assignment.Problem{Cell: t.ID, Text: `metadata.marginalia.points has no effect without "credit": "subtests"`})
		}
		for _, name := range slices.Sorted(maps.Keys(t.Points)) {
			if slices.Contains(names, name) {
				continue
			}
			why := "there is no such check"
			if slices.ContainsFunc(names, func(n string) bool { return verdict.Below(n, name) }) {
				why = "it has subtests, which have the points"
			}
			all = append(all, assignment.Problem{Cell: t.ID, Text: fmt.Sprintf("metadata.marginalia.points: %q: %s: want one of %s", name, why, strings.Join(names, ", "))})
		}
	}
	return all
}
