package check

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/verdict"
)

// places counts cells from 1, as the student does, by grade_id and by their own ids. Of several cells
// with the same grade_id the first has it.
func places(nb *nbformat.Notebook) map[string]int {
	all := map[string]int{}
	for i, c := range nb.Cells {
		for _, id := range []string{name(c), nbgrader.Own(c.ID)} {
			if all[id] == 0 {
				all[id] = i + 1
			}
		}
	}
	return all
}

// name is a cell's grade_id, or what assignment.Assemble calls a cell of the student's own.
func name(c *nbformat.Cell) string {
	if m, _ := nbgrader.Read(c); m.ID != "" {
		return m.ID
	}
	return nbgrader.Own(c.ID)
}

func (r *Report) warn(id string, line int, format string, args ...any) {
	r.Warnings = append(r.Warnings, verdict.Note{Place: verdict.Place{Cell: id, Line: line}, Text: fmt.Sprintf(format, args...)})
}

// warn finds what has become of the cells that were handed out. It returns the notebook that
// is to be judged: the lecturer's cells in it are as they were.
func (s *Sheet) warn(r *Report) *nbformat.Notebook {
	handed := map[string]*nbformat.Cell{}
	for _, c := range s.handed.Cells {
		if m, _ := nbgrader.Read(c); m.Stored() && handed[m.ID] == nil {
			handed[m.ID] = c
		}
	}
	r.Warnings = append(r.Warnings, s.found...)
	out := *s.student
	out.Cells = nil
	seen := map[string]bool{}
	for _, c := range s.student.Cells {
		id := name(c)
		was := handed[id]
		if was == nil {
			r.commands(c, id)
			out.Cells = append(out.Cells, c)
			continue
		}
		seen[id] = true
		m, _ := nbgrader.Read(was)
		switch {
		case m.ReadOnly():
			changed := strings.TrimSpace(c.Source) != strings.TrimSpace(was.Source) || c.Type != was.Type
			if !s.original {
				changed = m.Checksum != "" && nbgrader.Checksum(c, m) != m.Checksum
			}
			if changed && s.original {
				r.warn(id, 0, "the cell was changed, and students must not: the grader takes it as it was handed out, and so does this check")
			} else if changed {
				r.warn(id, 0, "the cell was changed, and students must not: the grader takes it as it was handed out, this check as it is")
			}
			own := *c
			own.Type, own.Source = was.Type, was.Source
			c = &own
		case c.Type != was.Type: // said already
		default:
			r.commands(c, id)
			if m.Kind() == nbgrader.ManualAnswer {
				empty := strings.TrimSpace(c.Source) == strings.TrimSpace(was.Source)
				if !s.original {
					empty = nbgrader.Checksum(c, m) == m.Checksum
				}
				r.ByHand = append(r.ByHand, Answer{id, empty})
			}
		}
		out.Cells = append(out.Cells, c)
	}
	for _, c := range s.handed.Cells {
		m, _ := nbgrader.Read(c)
		if !m.Stored() || seen[m.ID] {
			continue
		}
		seen[m.ID] = true
		if m.ReadOnly() {
			r.warn(m.ID, 0, "the cell was deleted, and students must not: the grader puts it back, and so does this check")
		} else {
			why := "the cell is missing, and with it your answer"
			if c.Type == "code" {
				why += ", unless another cell declares the same"
			}
			r.warn(m.ID, 0, "%s", why)
		}
	}
	return &out
}

// whose returns the id of the student that the notebook says, where that makes a difference.
func (s *Sheet) whose(r *Report, a *assignment.Assignment) string {
	if !a.Individual() {
		return ""
	}
	id, was := a.Says(s.student), a.Says(s.handed)
	if s.original && id == was {
		r.warn("", 0, "it does not say whose it is: write your id in place of %q, since your numbers depend on it", was)
	}
	return id
}

// directive is a comment that tells the compiler something.
var directive = regexp.MustCompile(`^\s*(//(?:go:\w+|export|line)|// \+build|/\*line)\b`)

// commands finds what stands in a student's cell and is neither Go nor of use to the grader.
func (r *Report) commands(c *nbformat.Cell, id string) {
	if c.Type != "code" {
		return
	}
	for i, line := range strings.Split(c.Source, "\n") {
		if m := directive.FindStringSubmatch(line); m != nil {
			r.warn(id, i+1, "%s does nothing here: the grader takes out all comments", m[1])
		}
	}
	if m, _ := nbgrader.Read(c); m.Kind() != nbgrader.Answer {
		return
	}
	for _, command := range gonb.Read(id, c.Source).Commands {
		if command.Shell || !slices.Contains([]string{"%", "main", "args", "exec", ""}, command.Words[0]) {
			mark := "%"
			if command.Shell {
				mark = "!"
			}
			r.warn(id, command.Line+1, "%s%s does nothing here: the grader takes the Go code alone", mark, command.Text)
		}
	}
}

// vet takes over what go vet says. The kernel builds %test cells with go test, which heeds it, and marks do not depend on it.
func (r *Report) vet(ctx context.Context, program *assignment.Guest) error {
	problems, err := program.Vet(ctx)
	for _, p := range problems {
		r.warn(p.Cell, p.Line, "%s: the grader takes it, and your %%test cells do not build with it", p.Text)
	}
	return err
}

// note takes over what the grader says, unless it is said already, or said of a cell that is not
// the student's: one of the lecturer's that nbgrader does not store, or that was left out.
func (s *Sheet) note(r *Report, notes []verdict.Note) {
	lecturers := map[string]bool{}
	for _, c := range s.handed.Cells {
		i := slices.IndexFunc(s.student.Cells, func(own *nbformat.Cell) bool { return own.ID == c.ID && own.Source == c.Source })
		lecturers[nbgrader.Own(c.ID)] = i >= 0
	}
	for _, n := range notes {
		if n.Text != "the cell is missing" && !lecturers[n.Cell] {
			r.Warnings = append(r.Warnings, n)
		}
	}
	slices.SortFunc(r.Warnings, func(a, b verdict.Note) int {
		return cmp.Or(cmp.Compare(r.place(a.Cell), r.place(b.Cell)), cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text, b.Text))
	})
	r.Warnings = slices.Compact(r.Warnings)
}
