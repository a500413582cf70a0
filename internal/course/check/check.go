// Package check runs the visible tests of an assignment on a student's notebook, as the grader
// does: with the same judge and guest, in the same words.
//
// A student has neither solution nor hidden tests. What the judge needs instead is in the
// released notebook's metadata (release.Terms): the cells as they were handed out, where
// answers are declared and not solved, allowed imports and limits. So cells that
// a student has changed or deleted are judged as the grader judges them. A notebook without
// such metadata, which nbgrader released, stands in for itself.
//
// The given cells and the tests run on this machine, as they do in JupyterLab. For
// somebody else's notebook use course grade.
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marginalia/internal/course"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/verdict"
)

// A Report is what the visible tests say of a notebook.
type Report struct {
	Warnings []verdict.Note // what the grader refuses, or counts otherwise than the student may think
	Tests    []Test
	ByHand   []Answer // what a person marks

	places map[string]int // cells of the notebook by grade_id, or nbgrader.Own; from 1
}

// A Test is the verdict on one tests cell. Max are the points that its visible checks decide on.
type Test struct {
	verdict.Test
	Hidden float64  // points that hidden checks decide on, beside the visible ones
	AllOf  bool     // it has hidden checks, or hidden lines, that must pass too
	Uses   []string // answers of other failing tests cells, which it may fail for
	Why    string   // it could not be judged
}

// An Answer is a cell that a person marks.
type Answer struct {
	Cell  string
	Empty bool // it is as it was handed out
}

// Passed reports whether all checks have passed.
func (r *Report) Passed() bool {
	return !slices.ContainsFunc(r.Tests, func(t Test) bool { return !t.passed() })
}

func (t Test) passed() bool {
	return t.Why == "" && !slices.ContainsFunc(t.Checks, func(c verdict.Check) bool { return !c.Passed })
}

// An UnreadableError says why a notebook can't be checked at all.
type UnreadableError struct{ Err error }

func (e *UnreadableError) Error() string { return printable(e.Err.Error()) }
func (e *UnreadableError) Unwrap() error { return e.Err }

// A Sheet is a student's notebook that can be checked.
type Sheet struct {
	dir      string // of the notebook and its files
	student  *nbformat.Notebook
	handed   *nbformat.Notebook // as it was handed out, as far as that is known
	terms    *release.Terms     // nil if nbgrader released it
	original bool               // handed is the release
	found    []verdict.Note     // what has become of the file and its cells
	places   map[string]int     // of cells in the notebook as it was read
}

// Read takes a student's notebook in a folder apart. mended says what was lost when it was read. The error is an
// UnreadableError.
func Read(nb *nbformat.Notebook, dir string, mended ...string) (*Sheet, error) {
	terms, err := release.ReadTerms(nb)
	if err != nil {
		return nil, &UnreadableError{err}
	}
	s := &Sheet{dir: dir, student: nb, terms: terms}
	if terms != nil {
		s.handed, s.original = terms.Notebook, true
	} else {
		if language := nb.Language(); language != "go" && language != "" {
			return nil, &UnreadableError{fmt.Errorf("it is a notebook in %s, want Go", language)}
		}
		if err := nbgrader.Upgrade(nb); err != nil {
			return nil, &UnreadableError{err}
		}
		s.handed = firsts(nb)
	}
	if err := nbgrader.Validate(s.handed); err != nil {
		return nil, &UnreadableError{err}
	}
	if !slices.ContainsFunc(s.handed.Cells, func(c *nbformat.Cell) bool { m, _ := nbgrader.Read(c); return m.Kind() == nbgrader.Tests }) {
		return nil, &UnreadableError{errors.New("it is not an assignment: no cell of it has tests and points")}
	}
	for _, text := range mended {
		s.found = append(s.found, verdict.Note{Text: text})
	}
	names := map[string]string{}
	for _, c := range s.handed.Cells {
		if m, _ := nbgrader.Read(c); m.Kind() == nbgrader.Answer {
			for _, name := range assignment.Declares(m.ID, c.Source) {
				names[name] = m.ID
			}
		}
	}
	returned := assignment.Return(s.handed, nb, names)
	s.student, s.places = returned.Notebook, places(nb)
	s.found = append(s.found, grade.Notes(returned.Notes)...)
	for id, place := range returned.Placed {
		s.places[nbgrader.Own(id)] = place
	}
	return s, nil
}

// firsts returns a notebook without copies of cells.
func firsts(nb *nbformat.Notebook) *nbformat.Notebook {
	out := *nb
	out.Cells = nil
	seen := map[string]bool{}
	for _, c := range nb.Cells {
		if id := name(c); !seen[id] {
			seen[id] = true
			out.Cells = append(out.Cells, c)
		}
	}
	return &out
}

// Run judges the notebook. The judge is in the user's cache after the first time.
func (s *Sheet) Run(ctx context.Context, b *grade.Builder) (*Report, error) {
	r := &Report{places: s.places}
	a, why, err := s.assignment(ctx, b.Root, r)
	if err != nil {
		return nil, err
	}
	g := &grade.Grader{Assignment: a, TimeFactor: 1}
	if s.terms != nil {
		a.MayImport = course.Settings{Imports: s.terms.Imports}.MayImport
		g.Memory, g.Key.Seconds = s.terms.Memory, map[string]float64{}
		for _, t := range s.terms.Tests {
			g.Key.Seconds[t.Name] = t.Seconds
		}
	}
	submitted := s.warn(r)
	if g.Files, err = s.files(r); err != nil {
		return nil, err
	}
	v := &verdict.Notebook{}
	program, err := a.Assemble(ctx, submitted, nil, nil)
	if err == nil {
		err = r.vet(ctx, program)
	}
	if _, refused := errors.AsType[*assignment.Refused](err); err != nil && (!refused || len(a.Tests) == 0) {
		return nil, err
	}
	if len(a.Tests) == 0 { // why that is, the grader's notes say
		for _, n := range program.Notes {
			v.Notes = append(v.Notes, verdict.Note{Place: verdict.Place{Cell: n.Cell, Line: n.Line}, Text: n.Text})
		}
	} else {
		program, err := b.Judge(ctx, a)
		if err != nil {
			return nil, err
		}
		g.Judge = grade.NewProcess(program, s.dir)
		defer g.Close()
		if v, err = g.Grade(ctx, s.whose(r, a), submitted); err != nil {
			return nil, err
		}
	}
	s.note(r, v.Notes)
	for _, c := range s.handed.Cells {
		m, _ := nbgrader.Read(c)
		if why := why[m.ID]; why != "" {
			r.Tests = append(r.Tests, Test{Test: verdict.Test{ID: m.ID, Max: m.Points}, Why: why})
		} else if i := slices.IndexFunc(v.Tests, func(t verdict.Test) bool { return t.ID == m.ID }); i >= 0 && m.Kind() == nbgrader.Tests {
			r.Tests = append(r.Tests, s.test(a, v.Tests[i]))
		}
	}
	r.uses(a, submitted, g.Circles())
	return r, nil
}

// assignment reads the notebook that was handed out. Where it does not say how an answer is
// declared, the student's own declarations serve. What does not compile then is left out; why says
// so of tests cells.
func (s *Sheet) assignment(ctx context.Context, root string, r *Report) (a *assignment.Assignment, why map[string]string, err error) {
	own, tests, extra := map[string]string{}, "", []string(nil)
	place := map[string]string{} // of names, the cell that declares them
	declares := func(id, source string) {
		for _, name := range assignment.Declares(id, source) {
			if place[name] == "" {
				place[name] = id
			}
		}
	}
	for _, c := range s.handed.Cells {
		m, _ := nbgrader.Read(c)
		if c.Type == "code" {
			declares(cmp.Or(m.ID, nbgrader.Own(c.ID)), c.Source)
		}
		if m.Kind() == nbgrader.Tests {
			tests += c.Source + "\n"
		}
	}
	for _, c := range slices.Backward(s.student.Cells) { // the first of several counts
		m, _ := nbgrader.Read(c)
		switch {
		case c.Type != "code":
		case m.Kind() == nbgrader.Answer:
			own[m.ID] = c.Source
		case m.ID == "":
			extra = append(extra, c.Source)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(own)) {
		declares(id, own[id])
	}
	nb := &nbformat.Notebook{Metadata: s.handed.Metadata, Minor: 5}
	assignment.Released(nb)
	kinds := map[string]nbgrader.Kind{}
	for _, c := range s.handed.Cells {
		m, _ := nbgrader.Read(c)
		if c.Type != "code" {
			continue
		}
		kinds[m.ID] = m.Kind()
		clone := *c
		switch {
		case m.Kind() != nbgrader.Answer:
		case s.original:
			clone.Source = assignment.Complete(m.ID, c.Source, own[m.ID], tests, func(name string) bool { return place[name] != m.ID })
			for _, source := range extra { // what no answer declares may stand in the student's own cells
				clone.Source = assignment.Complete(m.ID, clone.Source, source, tests, func(name string) bool { return place[name] != "" })
			}
			extra = nil
		default:
			clone.Source = assignment.Outline(m.ID, own[m.ID])
		}
		nb.Cells = append(nb.Cells, &clone)
	}
	why = map[string]string{}
	for range maxRounds {
		a, err = assignment.Read(ctx, nb, root)
		problems := assignment.Problems(nil)
		if !errors.As(err, &problems) {
			return a, why, err
		}
		bad := map[string]bool{}
		for _, p := range problems {
			switch {
			case p.Cell == "":
				continue
			case kinds[p.Cell] == nbgrader.Tests && !bad[p.Cell]:
				why[p.Cell] = strings.TrimPrefix(p.String(), "cell "+p.Cell+", ")
			case kinds[p.Cell] == nbgrader.Answer: // the lines are those of an outline
				r.warn(p.Cell, 0, "%s", p.Text)
			case kinds[p.Cell] != nbgrader.Tests:
				r.warn(p.Cell, p.Line, "%s", p.Text)
			}
			bad[p.Cell] = true
		}
		nb.Cells = slices.DeleteFunc(nb.Cells, func(c *nbformat.Cell) bool {
			m, _ := nbgrader.Read(c)
			return bad[cmp.Or(m.ID, c.ID)]
		})
		if len(bad) == 0 {
			break
		}
	}
	return nil, nil, &UnreadableError{err}
}

// maxRounds bounds how often what does not compile is left out. An honest notebook needs two or three.
const maxRounds = 20

// test adds to a verdict what is known of the points, and the checks that were not reached.
func (s *Sheet) test(a *assignment.Assignment, v verdict.Test) Test {
	t := Test{Test: v}
	if s.terms == nil {
		return t
	}
	cell := a.Tests[slices.IndexFunc(a.Tests, func(t *assignment.Tests) bool { return t.ID == v.ID })]
	t.Checks = nil
	visible, hides := 0.0, false
	var counted []verdict.Check
	for _, f := range cell.Funcs {
		is := func(name string) bool { return name == f || strings.HasPrefix(name, f+"/") }
		expected := slices.IndexFunc(s.terms.Tests, func(t release.Test) bool { return t.Name == f })
		var worth []release.Check
		if expected >= 0 {
			worth = s.terms.Tests[expected].Checks
			hides = hides || s.terms.Tests[expected].Hides
		}
		for _, want := range worth {
			c := verdict.Check{Name: want.Name, Words: want.Name[strings.LastIndex(want.Name, "/")+1:]}
			if i := slices.IndexFunc(v.Checks, func(c verdict.Check) bool { return c.Name == want.Name }); i >= 0 {
				c = v.Checks[i]
			} else if i := slices.IndexFunc(v.Checks, func(c verdict.Check) bool { return c.Name == f }); i >= 0 {
				c.Panic = v.Checks[i].Panic // why it was not reached
			}
			c.Worth, c.Cost = want.Worth, want.Cost
			visible += c.Worth
			t.Checks, counted = append(t.Checks, c), append(counted, c)
		}
		for _, c := range v.Checks {
			if is(c.Name) && !slices.ContainsFunc(worth, func(w release.Check) bool { return w.Name == c.Name }) {
				t.Checks = append(t.Checks, c)
			}
		}
	}
	const tiny = 1e-9 // of rounding
	switch hidden := v.Max - visible; {
	case hidden <= tiny*v.Max:
		t.AllOf = hides
	case cell.Subtests:
		t.Hidden, t.Max = hidden, visible
	default:
		t.AllOf = true
	}
	switch {
	case t.passed():
		t.Score = t.Max
	case cell.Subtests:
		t.Score = verdict.Credit(counted)
	default:
		t.Score = 0
	}
	return t
}

// uses finds tests cells that may fail since others do, and that the grader tries with right answers in the place of those: not
// those in a circle.
func (r *Report) uses(a *assignment.Assignment, nb *nbformat.Notebook, circles [][]string) {
	failing := map[string]bool{}
	for _, t := range r.Tests {
		failing[t.ID] = !t.passed()
	}
	uses := a.Uses(nb)
	for i, t := range r.Tests {
		at := slices.IndexFunc(a.Tests, func(o *assignment.Tests) bool { return o.ID == t.ID })
		if at < 0 {
			continue
		}
		answers := a.Tests[at].Answers
		own := slices.ContainsFunc(t.Checks, func(c verdict.Check) bool { return !c.Passed && c.Panic != grade.NotImplemented })
		broken := slices.ContainsFunc(r.Warnings, func(n verdict.Note) bool { return slices.Contains(answers, n.Cell) })
		if !failing[t.ID] || !own || broken {
			continue
		}
		for _, o := range a.Tests {
			circle := slices.ContainsFunc(circles, func(c []string) bool { return slices.Contains(c, t.ID) && slices.Contains(c, o.ID) })
			for _, id := range o.Answers {
				if !circle && o.ID != t.ID && failing[o.ID] && uses[t.ID][id] {
					r.Tests[i].Uses = append(r.Tests[i].Uses, id)
				}
			}
		}
	}
}
