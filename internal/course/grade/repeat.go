package grade

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
)

// How often a solution is judged before it is released, at least and as a rule, and how much of the processor's time, in seconds, that
// may take at most where fewer times would do.
const (
	minRepeats = 3
	repeats    = 20
	repeating  = 60
)

// repeat judges the solution again and again, each time the tests in another order, half of the times interpreted as long as the interpreter
// has time. It fails unless the solution passes every test each time: tests that follow a map's order, random numbers of each run
// or what another test has left would take marks from right answers by chance.
func (g *Grader) repeat(ctx context.Context, nb *nbformat.Notebook, note func(text string)) error {
	dir, err := os.MkdirTemp("", "marginalia-guest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	made, err := g.compile(ctx, submission{nb: nb, trusted: true}, nil, dir)
	if err != nil {
		return err
	}
	var names []string
	taken := 0.0
	for _, t := range g.Assignment.Tests {
		names = append(names, t.Funcs...)
	}
	for _, name := range names {
		taken += g.Key.Seconds[name]
	}
	times := repeats
	if taken*repeats > repeating {
		times = max(minRepeats, int(repeating/taken))
	}
	random := rand.New(rand.NewPCG(1, repeats))
	failed, why := map[string]int{}, map[string]string{}
	for half := range 2 {
		q := host.Request{Wasm: made.File, Limits: g.limits(), Files: g.Files, Compiled: half == 1}
		for range (times + half) / 2 {
			for _, i := range random.Perm(len(names)) {
				q.Tests, q.Seconds = append(q.Tests, names[i]), append(q.Seconds, g.limit(names[i]))
			}
		}
		results, err := g.Judge.Ask(ctx, q)
		if err != nil {
			return err
		}
		for i, r := range results {
			if text := g.unlike(q.Tests[i], r); text != "" {
				failed[q.Tests[i]]++
				why[q.Tests[i]] = text
			}
		}
	}
	var wrong []string
	for _, name := range names {
		if failed[name] > 0 {
			wrong = append(wrong, fmt.Sprintf("the solution fails %s %d times of %d, and students' right answers would: %s", name, failed[name], times, why[name]))
		}
	}
	if wrong != nil {
		return fmt.Errorf("grade: %s", strings.Join(wrong, "\n"))
	}
	if times < repeats && note != nil {
		note(fmt.Sprintf("the tests take %.1f s: the solution was judged %d times, not %d", taken, times, repeats))
	}
	return nil
}

// unlike says what is other in a run of a test than in the first one of the solution, which passed.
func (g *Grader) unlike(name string, r host.Result) string {
	for i, c := range r.Checks {
		switch {
		case !c.Passed:
			return strings.Join(reasons(c), ": ")
		case i >= len(g.Key.Checks[name]) || c.Name != g.Key.Checks[name][i].Name:
			return "it has the check " + c.Name + ", which it had not before"
		}
	}
	if len(r.Checks) < len(g.Key.Checks[name]) {
		return "it has no check " + g.Key.Checks[name][len(r.Checks)].Name + ", which it had before"
	}
	return ""
}

// reasons are what a check that has failed says.
func reasons(c host.Check) []string {
	why := []string{c.Name}
	if c.Panic != "" {
		why = append(why, c.Panic)
	}
	for _, m := range c.Messages {
		why = append(why, assignment.Problem{Cell: m.Cell, Line: m.Line, Text: m.Text}.String())
	}
	return slices.Compact(why)
}
