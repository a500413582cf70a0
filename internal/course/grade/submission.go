// Package grade judges submissions, and stores what came of it in the course's folder and
// its gradebook.
package grade

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/guest"
	"marginalia/internal/sandbox/host"
	"marginalia/internal/sandbox/verdict"
)

// A Grader judges submissions of one notebook of an assignment, one after the other.
type Grader struct {
	Assignment *assignment.Assignment
	Judge      *Process
	Key        Key
	TimeFactor float64 // how many times as long as with the solution a test may take
	Memory     int64   // of the guest, bytes
	// Files are paths in the judge's folder: what lies beside the notebook, and answers can read.
	Files []string

	least    float64    // what any test may take, minSeconds by default
	data     string     // a hash of Files and what is in them
	circles  [][]string // of the submission that was compiled last, as it was handed in (see assignment.Made)
	compiler *assignment.Compiler
	judged   *judged          // nil: each submission is judged
	veils    map[string]*veil // of test functions that have been asked for
}

// Close ends the processes that the grader has started.
func (g *Grader) Close() {
	g.Judge.Close()
	if g.compiler != nil {
		g.compiler.Close()
	}
}

// own returns a grader for the same notebook, with processes of its own.
func (g *Grader) own() *Grader {
	own := *g
	own.Judge, own.compiler, own.veils = NewProcess(g.Judge.program, g.Judge.dir), nil, nil
	return &own
}

// A Key is what the solution makes of the tests.
type Key struct {
	Checks  map[string][]host.Check // by test function
	Seconds map[string]float64      // of the processor
}

const (
	minSeconds = 2  // of the processor, that any test may take (see least)
	anySeconds = 10 // where the solution is not known
)

// Learn finds out from the lecturer's notebook, whose solutions are its answers, which
// checks there are and how long they take. It fails unless the solutions pass all of them.
func (g *Grader) Learn(ctx context.Context, nb *nbformat.Notebook) error {
	results, notes, err := g.run(ctx, submission{nb: nb, trusted: true}, nil, nil)
	if err != nil {
		return err
	}
	var wrong []string
	for _, n := range notes {
		wrong = append(wrong, n.String())
	}
	g.Key = Key{map[string][]host.Check{}, map[string]float64{}}
	for _, name := range slices.Sorted(maps.Keys(results)) {
		r := results[name]
		g.Key.Checks[name], g.Key.Seconds[name] = r.Checks, r.Seconds
		for _, c := range r.Checks {
			if !c.Passed {
				why := []string{"the solution fails " + c.Name}
				if c.Panic != "" {
					why = append(why, c.Panic)
				}
				for _, m := range c.Messages {
					why = append(why, assignment.Problem{Cell: m.Cell, Line: m.Line, Text: m.Text}.String())
				}
				wrong = append(wrong, strings.Join(why, ": "))
			}
		}
	}
	if wrong != nil {
		return fmt.Errorf("grade: %s", strings.Join(wrong, "\n"))
	}
	return nil
}

// compile builds the guest of a submission in a folder, or only assembles it if dir is "". The error is an
// *assignment.Refused if that is what the submission is at fault for.
func (g *Grader) compile(ctx context.Context, s submission, reference []string, dir string) (*assignment.Made, error) {
	if g.compiler == nil {
		g.compiler = g.Assignment.Compiler()
	}
	g.compiler.Unbounded = s.trusted
	made, err := again(ctx, func() (*assignment.Made, error) {
		made, err := g.compiler.Compile(ctx, s.nb, reference, s.out, dir)
		if err == nil && dir != "" {
			err = refuse(made.File, g.limits())
		}
		return made, err
	})
	if err != nil {
		return nil, err
	}
	if len(reference) == 0 {
		g.circles = made.Circles
	}
	if s.student != "" && made.Student != "" && made.Student != s.student {
		made.Notes = append(made.Notes, assignment.Problem{Text: fmt.Sprintf("the notebook says that it is %q's: it was judged as %s's", made.Student, s.student)})
	}
	return made, nil
}

func (g *Grader) limits() guest.Limits { return guest.Limits{Memory: int(g.Memory >> 20)} }

// run builds the guest of a submission and has the judge run all tests against it, or those of the tests cells
// named. What is known of the same program it returns without either.
func (g *Grader) run(ctx context.Context, s submission, reference []string, cells map[string]bool) (map[string]host.Result, []assignment.Problem, error) {
	q := host.Request{Student: s.student, Limits: g.limits(), Compiled: s.trusted, Files: g.Files}
	for _, t := range g.Assignment.Tests {
		if cells != nil && !cells[t.ID] {
			continue
		}
		for _, name := range t.Funcs {
			q.Tests, q.Seconds = append(q.Tests, name), append(q.Seconds, g.limit(name))
		}
	}
	key := ""
	if g.judged != nil && !s.trusted {
		if !g.Assignment.Individual() {
			q.Student = "" // the same for all
		}
		made, err := g.compile(ctx, s, reference, "")
		if err != nil {
			return nil, nil, err
		}
		key = fmt.Sprintf("%s %+v", made.Key, q)
		if results := g.judged.get(key); results != nil {
			return results, made.Notes, nil
		}
	}
	dir, err := os.MkdirTemp("", "marginalia-guest-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	made, err := g.compile(ctx, s, reference, dir)
	if err != nil {
		return nil, nil, err
	}
	q.Wasm = made.File
	answers, err := g.Judge.Ask(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	results := map[string]host.Result{}
	for i, name := range q.Tests {
		results[name] = answers[i]
	}
	if key != "" && !made.Less {
		err = g.judged.put(key, q, results)
	}
	return results, made.Notes, err
}

// limit is what each check of a test may take of the processor, in seconds.
func (g *Grader) limit(name string) float64 {
	if s, ok := g.Key.Seconds[name]; ok {
		return max(cmp.Or(g.least, minSeconds), g.TimeFactor*s)
	}
	return anySeconds
}

// Circles returns the tests cells whose answers need each other, of the submission that was graded last.
func (g *Grader) Circles() [][]string { return g.circles }

// Grade judges a student's submission. A question that fails and has to do with others that fail is judged
// once more over the solutions of those, so that a mistake costs one question, and the
// better of both counts. A right submission takes one build, one mistake two at most. A question that was left
// unanswered is judged once.
func (g *Grader) Grade(ctx context.Context, student string, nb *nbformat.Notebook) (*verdict.Notebook, error) {
	s := submission{student: student, nb: nb}
	results, notes, err := g.run(ctx, s, nil, nil)
	if _, ok := errors.AsType[*assignment.Refused](err); ok {
		if s, err = g.sieve(ctx, s); err == nil {
			results, notes, err = g.run(ctx, s, nil, nil)
		}
	}
	if err != nil {
		return nil, err
	}
	v := &verdict.Notebook{}
	failing, open := map[string]bool{}, map[string]bool{}
	for _, t := range g.Assignment.Tests {
		v.Tests = append(v.Tests, g.test(t, results))
		if !passed(v.Tests[len(v.Tests)-1]) {
			failing[t.ID], open[t.ID] = true, !settled(t, results)
		}
	}
	for _, n := range append(notes, g.turning(open)...) {
		v.Notes = append(v.Notes, verdict.Note{Place: verdict.Place{Cell: n.Cell, Line: n.Line}, Text: verdict.Plain(n.Text, maxOutput)})
	}
	if len(failing) == 0 || g.Key.Checks == nil {
		return v, nil
	}
	o := &over{g: g, s: s, verdict: v, first: slices.Clone(v.Tests), failing: failing, tried: map[string]string{}, earned: map[string]map[string]bool{}}
	return v, o.alone(ctx, open)
}

// turning says of answers that fail and need each other that no solution helps them.
func (g *Grader) turning(open map[string]bool) (notes []assignment.Problem) {
	for _, circle := range g.circles {
		var names []string
		first := ""
		for _, t := range g.Assignment.Tests {
			if open[t.ID] && slices.Contains(circle, t.ID) {
				names = append(names, "cell "+t.ID)
				first = cmp.Or(first, t.Answers[0])
			}
		}
		if len(names) > 1 {
			notes = append(notes, assignment.Problem{Cell: first, Text: fmt.Sprintf("the answers for %s call each other in a circle: none of them is tried with a right version of the others", strings.Join(names, " and "))})
		}
	}
	return notes
}

// settled reports whether tests that fail do so over any other answers, too: each of them has called functions alone
// that the question itself leaves unanswered.
func settled(t *assignment.Tests, results map[string]host.Result) bool {
	return !slices.ContainsFunc(t.Funcs, func(name string) bool {
		r := results[name]
		others := slices.ContainsFunc(r.Stubs, func(id string) bool { return !slices.Contains(t.Answers, id) })
		return len(r.Checks) == 0 || !r.Checks[0].Passed && (len(r.Stubs) == 0 || others)
	})
}

func passed(t verdict.Test) bool {
	return !slices.ContainsFunc(t.Checks, func(c verdict.Check) bool { return !c.Passed })
}
