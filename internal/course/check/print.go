package check

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"marginalia/internal/course/grade"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/verdict"
)

// maxText bounds a message of a test, in bytes: a student's answer may be as long as it likes.
const maxText = 2000

// place returns where a cell is, 0 if it is not there. A cell may be named by its place.
func (r *Report) place(id string) int {
	for _, id := range []string{id, nbgrader.Own(id)} {
		if n, ok := r.places[id]; ok {
			return n
		}
	}
	n, _ := strconv.Atoi(id)
	return n
}

// cells are the names of cells in what the grader says.
var cells = regexp.MustCompile(`\bcell [\w-]+(\.[\w-]+)?`)

// labelled names cells in a text as label does, where they are in the notebook.
func (r *Report) labelled(text string) string {
	return cells.ReplaceAllStringFunc(text, func(name string) string {
		if id := strings.TrimPrefix(name, "cell "); r.places[id] > 0 {
			return r.label(id)
		}
		return name
	})
}

// label names a cell: "cell 7 (score)", "cell 9" of a student's own, "cell score" if it is not there.
func (r *Report) label(id string) string {
	switch n := r.place(id); {
	case n == 0:
		return "cell " + id
	case r.places[id] == 0 || nbgrader.IsOwn(id):
		return fmt.Sprintf("cell %d", n)
	default:
		return fmt.Sprintf("cell %d (%s)", n, id)
	}
}

// Print writes the result for the student.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	for _, n := range r.Warnings {
		at := r.label(n.Cell)
		if n.Line > 0 {
			at += fmt.Sprintf(", line %d", n.Line)
		}
		if n.Cell == "" {
			at = "the notebook"
		}
		fmt.Fprintf(&b, "warning: %s: %s\n", at, r.labelled(n.Text))
	}
	checks, passed, score, max := 0, 0, 0.0, 0.0
	hidden := false
	for _, t := range r.Tests {
		fmt.Fprintf(&b, "%s: %s of %s points", r.label(t.ID), points(t.Score), points(t.Max))
		switch {
		case t.Hidden > 0:
			fmt.Fprintf(&b, "; hidden checks give %s more", points(t.Hidden))
		case t.AllOf:
			b.WriteString("; hidden checks must pass too")
		}
		b.WriteString("\n")
		hidden = hidden || t.Hidden > 0 || t.AllOf
		score, max = score+t.Score, max+t.Max
		for _, c := range t.Checks {
			around := slices.ContainsFunc(t.Checks, func(sub verdict.Check) bool { return strings.HasPrefix(sub.Name, c.Name+"/") })
			switch {
			case !around && c.Passed:
				passed++
				checks++
			case !around, c.Panic != "", len(c.Messages) > 0:
				checks++
			}
		}
		if t.Why != "" {
			checks++
			fmt.Fprintf(&b, "    failed: it can't be judged with your answers: %s\n", t.Why)
			continue
		}
		told := t.Test
		told.Checks = nil
		for _, c := range t.Checks {
			c.Messages = slices.Clone(c.Messages)
			for i, text := range c.Messages {
				c.Messages[i] = short(text)
			}
			c.Panic = short(r.labelled(c.Panic))
			if c.Place != nil {
				at := *c.Place
				at.Cell = strings.TrimPrefix(r.label(at.Cell), "cell ")
				c.Place = &at
			}
			told.Checks = append(told.Checks, c)
		}
		_, rest, _ := strings.Cut(grade.Told(told), "\n")
		for line := range strings.Lines(rest) {
			b.WriteString("    " + line)
		}
		if t.Output != "" && !t.passed() {
			fmt.Fprintf(&b, "    your code printed:\n        %s\n", strings.ReplaceAll(strings.TrimSpace(short(t.Output)), "\n", "\n        "))
		}
		if len(t.Uses) > 0 {
			var labels []string
			for _, id := range t.Uses {
				labels = append(labels, r.label(id))
			}
			fmt.Fprintf(&b, "    it uses answers that fail, too: mend %s first (the grader also tries this one together with right ones)\n", strings.Join(labels, ", "))
		}
	}
	for _, a := range r.ByHand {
		state := "a person marks it"
		if a.Empty {
			state = "not answered yet; a person marks it"
		}
		fmt.Fprintf(&b, "%s: %s\n", r.label(a.Cell), state)
	}
	fmt.Fprintf(&b, "%d of %d checks passed, %s of %s points", passed, checks, points(score), points(max))
	if hidden {
		b.WriteString("; the grader has hidden checks besides")
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

// printable replaces what a terminal would obey.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

func points(p float64) string { return strconv.FormatFloat(p, 'g', 4, 64) }

func short(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + " …"
}
