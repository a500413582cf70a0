// Package grade judges submissions.
package grade

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"marginalia/internal/assignment"
	"marginalia/internal/judge"
	"marginalia/internal/nbformat"
	"marginalia/internal/verdict"
)

// A Grader judges submissions of one notebook of an assignment.
type Grader struct {
	Assignment *assignment.Assignment
	Judge      *Process
	Seconds    map[string]float64 // by test function: what it may take of the processor
	key        map[string][]judge.Check
}

// NewGrader learns from the lecturer's notebook, whose solutions are its answers, which
// checks there are and how long they take. It fails unless the solutions pass all of them.
func NewGrader(ctx context.Context, a *assignment.Assignment, process *Process, nb *nbformat.Notebook) (*Grader, error) {
	g := &Grader{Assignment: a, Judge: process, Seconds: map[string]float64{}, key: map[string][]judge.Check{}}
	results, notes, err := g.run(ctx, nb, nil, nil)
	if err != nil {
		return nil, err
	}
	var wrong []string
	for _, n := range notes {
		wrong = append(wrong, n.String())
	}
	for name, r := range results {
		g.key[name] = r.Checks
		g.Seconds[name] = max(2, 20*r.Seconds)
		for _, c := range r.Checks {
			if !c.Passed {
				wrong = append(wrong, fmt.Sprintf("the solution fails %s: %s %v", c.Name, c.Panic, c.Messages))
			}
		}
	}
	if wrong != nil {
		return nil, fmt.Errorf("%s", strings.Join(wrong, "\n"))
	}
	return g, nil
}

// run builds the guest of a submission and has the judge run all tests against it, or those of the tests cells named.
func (g *Grader) run(ctx context.Context, nb *nbformat.Notebook, reference, cells []string) (map[string]judge.Result, []assignment.Problem, error) {
	guest, err := g.Assignment.Assemble(ctx, nb, reference)
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "marginalia-guest-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	wasm, err := guest.Build(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	results := map[string]judge.Result{}
	q := judge.Request{Wasm: wasm, Seconds: 10}
	for _, t := range g.Assignment.Tests {
		if cells != nil && !slices.Contains(cells, t.ID) {
			continue
		}
		q.Tests = append(q.Tests, t.Funcs...)
	}
	r, err := g.Judge.Ask(q)
	if err != nil {
		return nil, nil, err
	}
	if r.Err != "" {
		return nil, nil, fmt.Errorf("grade: %s", r.Err)
	}
	for i, name := range q.Tests {
		results[name] = r.Results[i]
	}
	return results, guest.Notes, nil
}

// Grade judges a submission. A question whose tests fail is judged once more with the solutions of all
// other questions, so that a mistake costs one question, and the better of both counts.
func (g *Grader) Grade(ctx context.Context, nb *nbformat.Notebook) (*verdict.Notebook, error) {
	results, notes, err := g.run(ctx, nb, nil, nil)
	if err != nil {
		return nil, err
	}
	v := &verdict.Notebook{}
	for _, n := range notes {
		v.Notes = append(v.Notes, verdict.Note{Place: verdict.Place{Cell: n.Cell, Line: n.Line}, Text: n.Text})
	}
	failed := 0
	for _, t := range g.Assignment.Tests {
		v.Tests = append(v.Tests, g.test(t, results))
		if v.Tests[len(v.Tests)-1].Score < t.Meta.Points {
			failed++
		}
	}
	if failed == 0 {
		return v, nil
	}
	for i, t := range g.Assignment.Tests {
		if v.Tests[i].Score >= t.Meta.Points {
			continue
		}
		var others []string
		for _, o := range g.Assignment.Tests {
			if o != t {
				others = append(others, o.Answers...)
			}
		}
		results, _, err := g.run(ctx, nb, others, []string{t.ID})
		if err != nil {
			return nil, err
		}
		if alone := g.test(t, results); alone.Score > v.Tests[i].Score {
			alone.Alone = true
			v.Tests[i] = alone
		}
	}
	return v, nil
}

// test makes the verdict on one tests cell. A check of the solution that has not run is failed.
func (g *Grader) test(t *assignment.Tests, results map[string]judge.Result) verdict.Test {
	v := verdict.Test{ID: t.ID, Max: t.Meta.Points}
	leaves, passed := 0, 0
	all := true
	for _, name := range t.Funcs {
		r := results[name]
		v.Output += r.Output
		v.Seconds += r.Seconds
		for _, want := range g.key[name] {
			i := slices.IndexFunc(r.Checks, func(c judge.Check) bool { return c.Name == want.Name })
			c := verdict.Check{Name: want.Name}
			if i >= 0 {
				got := r.Checks[i]
				c.Passed, c.Panic = got.Passed, got.Panic
				for _, m := range got.Messages {
					if !m.Log {
						c.Messages = append(c.Messages, m.Text)
					}
				}
				if len(got.Frames) > 0 {
					c.Place = &verdict.Place{Cell: got.Frames[0].Cell, Line: got.Frames[0].Line}
				}
			}
			all = all && c.Passed
			if !slices.ContainsFunc(g.key[name], func(k judge.Check) bool { return strings.HasPrefix(k.Name, want.Name+"/") }) {
				leaves++
				c.Worth = 1
				if c.Passed {
					passed++
				}
			}
			v.Checks = append(v.Checks, c)
		}
	}
	for i := range v.Checks {
		v.Checks[i].Worth *= t.Meta.Points / float64(max(leaves, 1))
	}
	switch {
	case all:
		v.Score = v.Max
	case t.Subtests:
		v.Score = v.Max * float64(passed) / float64(leaves)
	}
	return v
}
