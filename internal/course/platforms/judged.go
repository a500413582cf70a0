package platforms

import (
	"fmt"
	"strings"

	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/verdict"
)

// Judged is the result of a submission for its student: one check for each tests cell, with
// the words of what failed in it. Of a hidden test they are all. Its messages have expected
// values, and how and where the code panicked can be made to show what a hidden test called it with.
func Judged(notebooks ...*verdict.Notebook) (r Grading) {
	var notes []string
	for _, nb := range notebooks {
		for _, test := range nb.Tests {
			c := Check{Name: nb.Notebook + "/" + test.ID, Points: test.Score, Max: test.Max, Passed: len(test.Checks) > 0}
			for _, check := range test.Checks {
				if check.Passed {
					continue
				}
				c.Passed = false
				said := []string{check.Words}
				if !check.Hidden {
					said = append([]string{check.Words + at(check.Place)}, check.Messages...)
					if check.Panic != "" {
						said = append(said, check.Panic)
					}
				}
				c.Messages = append(c.Messages, strings.Join(said, ": "))
			}
			r.Checks = append(r.Checks, c)
			r.Seconds += test.Seconds
		}
		for _, note := range nb.Notes {
			notes = append(notes, note.Text+at(&note.Place))
		}
	}
	r.Message = strings.Join(notes, "\n")
	return r
}

// at says where a place is, "" if there is none.
func at(p *verdict.Place) string {
	switch {
	case p == nil || p.Cell == "":
		return ""
	case p.Line == 0:
		return fmt.Sprintf(" (cell %s)", nbgrader.Shown(p.Cell))
	}
	return fmt.Sprintf(" (cell %s, line %d)", nbgrader.Shown(p.Cell), p.Line)
}
