package grade

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
	"marginalia/internal/sandbox/verdict"
)

// An over judges questions of a submission that fail over the solutions of others, in whose place those stand.
//
// Two answers that only call each other would pass, each over the solution of the other. So no question is judged over the
// solution of one that needs it (see assignment.Made), and whatever needs what: no question earns marks over the solution of one
// that has earned marks over its own, directly or by way of others.
type over struct {
	g       *Grader
	s       submission
	verdict *verdict.Notebook
	first   []verdict.Test // over no solution
	failing map[string]bool
	tried   map[string]string          // what stood in when a question was last judged
	earned  map[string]map[string]bool // by question, those over whose solutions it has earned marks
}

// alone judges failing questions once more, in rounds: those that have to do with no other that fails
// have their verdict, as those that are not open, and the others are judged over the solutions of those.
func (o *over) alone(ctx context.Context, open map[string]bool) error {
	uses := o.g.Assignment.Uses(o.s.nb)
	concerns := func(id string, t *assignment.Tests) bool {
		return t.ID != id && slices.ContainsFunc(t.Answers, func(answer string) bool { return uses[id][answer] })
	}
	all := o.others(uses)
	var others []string // that are left out in each round
	if len(o.failing) == len(o.g.Assignment.Tests) {
		others = all
	}
	done := map[string]bool{}
	for first := true; ; first = false {
		var roots []string
		rest := map[string]bool{}
		for _, t := range o.g.Assignment.Tests {
			switch id := t.ID; {
			case !o.failing[id]:
			case open[id] && slices.ContainsFunc(o.g.Assignment.Tests, func(t *assignment.Tests) bool { return o.failing[t.ID] && concerns(id, t) }):
				rest[id] = true
			case first && len(others) > 0 && open[id]: // no verdict that is open is final while other cells may be at fault
				rest[id] = true
			default:
				roots = append(roots, id)
			}
		}
		if len(rest) == 0 {
			return nil
		}
		if len(roots) == 0 && !(first && len(others) > 0) {
			return o.each(ctx, all, concerns)
		}
		for _, id := range roots {
			done[id] = true
			delete(o.failing, id)
		}
		if err := o.again(ctx, rest, done, others); err != nil {
			return err
		}
	}
}

// others returns the cells of no question, the student's own and figures, which may be at fault too.
func (o *over) others(uses map[string]map[string]bool) []string {
	question, others := map[string]bool{}, map[string]bool{}
	for _, t := range o.g.Assignment.Tests {
		for _, id := range t.Answers {
			question[id] = true
		}
	}
	for _, used := range uses {
		for id := range used {
			if (nbgrader.IsOwn(id) || o.g.Assignment.Figure(id)) && !question[id] {
				others[id] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(others))
}

// each judges questions that all have to do with each other one by one, over the solutions of all that they have to do with.
func (o *over) each(ctx context.Context, others []string, concerns func(id string, t *assignment.Tests) bool) error {
	for _, t := range o.g.Assignment.Tests {
		if !o.failing[t.ID] {
			continue
		}
		solved := map[string]bool{}
		for _, other := range o.g.Assignment.Tests {
			solved[other.ID] = concerns(t.ID, other)
		}
		if err := o.again(ctx, map[string]bool{t.ID: true}, solved, others); err != nil {
			return err
		}
	}
	return nil
}

// again judges questions over the solutions of others, as far as they may be (see may), and without cells of no
// question. Questions over the same solutions share a build.
func (o *over) again(ctx context.Context, questions, solved map[string]bool, others []string) error {
	left := maps.Clone(questions)
	for _, t := range o.g.Assignment.Tests {
		if !left[t.ID] {
			continue
		}
		over := o.may(t.ID, solved)
		together := map[string]bool{}
		for id := range left {
			if slices.Equal(o.may(id, solved), over) {
				together[id] = true
				delete(left, id)
			}
		}
		key := fmt.Sprint(over, others)
		maps.DeleteFunc(together, func(id string, _ bool) bool { return o.tried[id] == key })
		if len(over)+len(others) == 0 || len(together) == 0 {
			continue
		}
		for id := range together {
			o.tried[id] = key
		}
		if err := o.judge(ctx, together, over, others); err != nil {
			return err
		}
	}
	return nil
}

// may returns those of the solved questions over whose solutions another may be judged, in the order of the notebook.
func (o *over) may(id string, solved map[string]bool) (all []string) {
	for _, t := range o.g.Assignment.Tests {
		circle := slices.ContainsFunc(o.g.circles, func(c []string) bool { return slices.Contains(c, id) && slices.Contains(c, t.ID) })
		if t.ID != id && solved[t.ID] && !circle && !o.owes(t.ID, id) {
			all = append(all, t.ID)
		}
	}
	return all
}

// owes reports whether a question has earned marks over the solution of another, directly or by way of others. There
// are no cycles.
func (o *over) owes(id, other string) bool {
	for via := range o.earned[id] {
		if via == other || o.owes(via, other) {
			return true
		}
	}
	return false
}

// judge judges questions over the solutions of others, and takes verdicts that are better.
func (o *over) judge(ctx context.Context, questions map[string]bool, over, others []string) error {
	reference := slices.Clone(others)
	for _, t := range o.g.Assignment.Tests {
		if slices.Contains(over, t.ID) {
			reference = append(reference, t.Answers...)
		}
	}
	results, _, err := o.g.run(ctx, o.s, reference, questions)
	if _, ok := errors.AsType[*assignment.Refused](err); ok {
		return nil // it stays as it was judged
	}
	if err != nil {
		return err
	}
	for i, t := range o.g.Assignment.Tests {
		if questions[t.ID] {
			o.take(i, t, results, over)
		}
	}
	return nil
}

// take takes a verdict over solutions if it is better.
func (o *over) take(i int, t *assignment.Tests, results map[string]host.Result, over []string) {
	v := o.g.test(t, results)
	if !passed(v) && v.Score <= o.verdict.Tests[i].Score {
		return
	}
	if passed(v) {
		delete(o.failing, t.ID)
	}
	o.verdict.Tests[i] = told(v, o.first[i])
	if o.earned[t.ID] == nil {
		o.earned[t.ID] = map[string]bool{}
	}
	for _, id := range over {
		o.earned[t.ID][id] = true
	}
}

// told returns a verdict over solutions without anything that was computed with them: students would ask a solution for its
// values. What is said of a check that fails is what it said over the student's own answers.
func told(v, first verdict.Test) verdict.Test {
	v.Alone, v.Output, v.Seconds = true, first.Output, first.Seconds
	for i := range v.Checks {
		c := &v.Checks[i]
		c.Messages, c.Panic, c.Place = nil, "", nil
		if at := slices.IndexFunc(first.Checks, func(f verdict.Check) bool { return f.Name == c.Name }); at >= 0 && !c.Passed && !first.Checks[at].Passed {
			c.Messages, c.Panic, c.Place = first.Checks[at].Messages, first.Checks[at].Panic, first.Checks[at].Place
		}
	}
	return v
}
