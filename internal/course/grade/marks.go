package grade

import (
	"slices"
	"strings"

	"marginalia/internal/assignment"
	"marginalia/internal/guest/wire"
	"marginalia/internal/judge"
	"marginalia/internal/verdict"
)

// maxOutput bounds what is kept of what a student's code prints in a tests cell, and of what a check says, in bytes.
const maxOutput = 16 << 10

// maxPlace bounds the name of a cell in a place, in bytes.
const maxPlace = 200

// NotImplemented is how a check ends that called an answer which is as it was released.
const NotImplemented = "panic: " + wire.NotImplemented

// test makes the verdict on one tests cell. A check of the solution that has not run is failed.
func (g *Grader) test(t *assignment.Tests, results map[string]judge.Result) verdict.Test {
	v := verdict.Test{ID: t.ID, Max: t.Meta.Points}
	for _, name := range t.Funcs {
		r := results[name]
		v.Output += r.Output
		v.Seconds += r.Seconds
		wanted, veil := g.Key.Checks[name], veilOf(t, name)
		if g.Key.Checks == nil {
			wanted = r.Checks
		}
		for _, want := range wanted {
			c := verdict.Check{Name: want.Name}
			c.Words, c.Hidden = words(t, want)
			reached := true
			if i := slices.IndexFunc(r.Checks, func(c judge.Check) bool { return c.Name == want.Name }); i >= 0 {
				got := r.Checks[i]
				c.Passed, c.Panic = got.Passed, verdict.Plain(got.Panic, maxOutput)
				for _, m := range got.Messages {
					if !m.Log && (c.Hidden || veil == nil || !veil.says(t, want, m)) {
						c.Messages = append(c.Messages, verdict.Plain(m.Text, maxOutput))
					}
				}
				c.Place = g.fault(got.Frames)
			} else if i := slices.IndexFunc(r.Checks, func(c judge.Check) bool { return c.Name == name }); i >= 0 {
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
	switch {
	case len(v.Checks) == 0:
	case passed(v):
		v.Score = v.Max
	case t.Subtests:
		for _, c := range v.Checks {
			if c.Passed {
				v.Score += c.Worth
			}
		}
	}
	return v
}

// fault is the student's line at fault: the innermost that is not the lecturer's.
func (g *Grader) fault(frames []judge.Place) *verdict.Place {
	for _, f := range frames {
		if !g.Assignment.Lecturers(f.Cell) {
			return &verdict.Place{Cell: verdict.Plain(f.Cell, maxPlace), Line: f.Line} // a program that leaves can print any place
		}
	}
	return nil
}

// share gives each check without subtests its share of the points: those that points names
// theirs, the others what is left in equal parts.
func share(v *verdict.Test, points map[string]float64) {
	var leaves []*verdict.Check
	named, unnamed := 0.0, 0
	for i, c := range v.Checks {
		if slices.ContainsFunc(v.Checks, func(k verdict.Check) bool { return strings.HasPrefix(k.Name, c.Name+"/") }) {
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
}
